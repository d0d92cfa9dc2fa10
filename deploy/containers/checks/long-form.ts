import { setTimeout as sleep } from 'node:timers/promises';
import type { Deployment } from './deployment.ts';
import { type Customers, makeCustomers } from './first-booking.ts';
import { failuresDuring } from './load.ts';
import type { Report, Seen } from './report.ts';

const SERVICES = ['people', 'scheduling', 'booking', 'payment', 'notification'];
const STARTS = 5;
const BASELINE_MS = 30_000;
const UP = 'docker compose up --wait';
const AUDIT = 'docker compose exec -T --env AUDIT_MINUTES= --env AUDIT_SETTLED_SECONDS=0 audit node dist/audit.js';

/** Starts from nothing several times, and replaces and kills replicas under load. */
export async function longForm(deployment: Deployment, report: Report) {
  report.begin('Starts from empty volumes');
  for (let start = 1; start <= STARTS; start += 1) {
    await deployment.sh('docker compose down --volumes --timeout 5');
    const isUp = await report.row(`\`${UP}\`, ${start} of ${STARTS}`, 'exit code 0', () =>
      deployment.sh(UP).then(() => ({ seen: 'exit code 0', passed: true })),
    );
    if (!isUp) return;
  }
  report.begin('Two replicas of each service, 20 requests a second');
  const replicas = SERVICES.map((service) => `--scale ${service}=2`).join(' ');
  await deployment.sh(`${UP} --no-recreate ${replicas}`);
  const customers = await makeCustomers(deployment);
  const under = (title: string, act: () => Promise<unknown>) =>
    report.row(title, '0 failed', () => failuresDuring(deployment, customers, act));
  if (!(await under('nothing is done', () => sleep(BASELINE_MS)))) return;
  for (const service of [...SERVICES, 'gateway'])
    await under(`\`sh deploy/roll.sh ${service}\``, () => deployment.sh(`sh deploy/roll.sh ${service}`));
  for (const service of SERVICES)
    await under(`\`kill -9\` of each replica of ${service}`, () => killEach(deployment, service));
  await report.row('the audit', '0 differences', () => audit(deployment));
  await report.row('the events of the family', 'without a gap', () => findGaps(customers));
}

/** Kills the replicas of a service one after the other, each when all are healthy. */
async function killEach({ sh }: Deployment, service: string) {
  for (const id of (await sh(`docker compose ps --quiet ${service}`)).trim().split('\n')) {
    await sh(`kill -9 $(docker inspect --format '{{.State.Pid}}' ${id})`);
    await sh(`${UP} --no-recreate --no-deps --scale ${service}=2 ${service}`);
  }
}

const audit = async ({ sh }: Deployment) => readAudit(await sh(AUDIT));

/** Reads what an audit printed: it has to have found no difference. */
export function readAudit(printed: string): Seen {
  const differences = [...printed.matchAll(/"differences":(\d+)/g)].map(([, count]) => Number(count));
  return { seen: printed.trim(), passed: differences.length > 0 && differences.every((count) => count === 0) };
}

/** The sequence of an account's events has no gap; the newest 2,000 are read. */
export async function findGaps({ family }: Customers): Promise<Seen> {
  const seen = new Set<number>();
  await family.find<{ sequence: number }>('/events', ({ sequence }) => {
    seen.add(sequence);
    return false;
  });
  const missing = Math.max(...seen) - Math.min(...seen) + 1 - seen.size;
  return { seen: `${seen.size} events, ${missing} missing`, passed: seen.size > 0 && missing === 0 };
}
