import type { Deployment } from './deployment.ts';
import { bookOnce, makeCustomers } from './first-booking.ts';
import type { Report } from './report.ts';

const LIST = "docker compose ps --all --format '{{.Service}} {{.Status}}'";
const LAST_LINES = 'docker compose logs --tail 5 --no-log-prefix';

const execute = ({ sh }: Deployment, report: Report, line: string) =>
  report.row(`\`${line}\``, 'exit code 0', () => sh(line).then(() => ({ seen: 'exit code 0', passed: true })));

/** Makes the secrets and builds the images, by the commands of deploy/README.md. */
export async function build(deployment: Deployment, report: Report): Promise<boolean> {
  report.begin('The product in containers');
  await execute(deployment, report, 'sh deploy/make-secrets.sh');
  return execute(deployment, report, 'docker compose build');
}

/** Starts the product from nothing, books one lesson, and stops it. */
export async function shortForm(deployment: Deployment, report: Report) {
  const isUp = await execute(deployment, report, 'docker compose up --build --wait');
  if (isUp) await bookFirst(deployment, report);
  else console.log(await deployment.sh(`${LIST}; ${LAST_LINES}`));
  await execute(deployment, report, 'docker compose down');
}

export function bookFirst(deployment: Deployment, report: Report) {
  return report.row('a lesson is booked and paid', 'confirmed, succeeded', async () => {
    const { status, payment } = await bookOnce(await makeCustomers(deployment));
    return { seen: `${status}, ${payment}`, passed: status === 'confirmed' && payment === 'succeeded' };
  });
}
