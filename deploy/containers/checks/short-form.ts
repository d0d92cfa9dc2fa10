import type { Deployment } from './deployment.ts';
import { bookOnce, makeCustomers } from './first-booking.ts';
import type { Report } from './report.ts';

const LIST = "docker compose ps --all --format '{{.Service}} {{.Status}}'";
const LAST_LINES = 'docker compose logs --tail 5 --no-log-prefix';

/** Builds the images, starts the product from nothing, books one lesson, and stops it: the commands of deploy/README.md. */
export async function shortForm(deployment: Deployment, report: Report) {
  const { sh } = deployment;
  const run = (line: string) =>
    report.row(`\`${line}\``, 'exit code 0', () => sh(line).then(() => ({ seen: 'exit code 0', passed: true })));
  report.begin('The product in containers');
  await run('sh deploy/make-secrets.sh');
  if (!(await run('docker compose build'))) return;
  if (await run('docker compose up --build --wait')) await bookFirst(deployment, report);
  else console.log(await sh(`${LIST}; ${LAST_LINES}`));
  await run('docker compose down');
}

function bookFirst(deployment: Deployment, report: Report) {
  return report.row('a lesson is booked and paid', 'confirmed, succeeded', async () => {
    const { status, payment } = await bookOnce(await makeCustomers(deployment));
    return { seen: `${status}, ${payment}`, passed: status === 'confirmed' && payment === 'succeeded' };
  });
}
