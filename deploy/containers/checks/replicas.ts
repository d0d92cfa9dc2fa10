import { setTimeout as sleep } from 'node:timers/promises';
import { type Deployment, SERVICES } from './deployment.ts';
import { makeCustomers } from './first-booking.ts';
import type { Report } from './report.ts';
import { BASELINE, UnderLoad } from './under-load.ts';

const STARTS = 5;
const BASELINE_MS = 30_000;
const REPLICAS = SERVICES.map((service) => `--scale ${service}=2`).join(' ');
/** The last commit before services could be replaced one by one. */
const FORMER = '6a147690';
/** Takes the place of the compose files of that commit: it read no empty file of a secret. */
const AS_BEFORE = `services:\n${SERVICES.map(
  (service) =>
    `  ${service}: { environment: { DATA_KEYS_ALSO_READ_FILE: "", KEY_PEPPERS_FILE: "", SMTP_URL_FILE: "" } }\n`,
).join('')}`;

/** Starts from nothing several times. */
export async function starts(deployment: Deployment, report: Report) {
  report.begin('Starts from empty volumes');
  for (let start = 1; start <= STARTS; start += 1) {
    await deployment.sh('docker compose down --volumes --timeout 5');
    const up = 'docker compose up --wait';
    await report.row(`\`${up}\`, ${start} of ${STARTS}`, 'exit code 0', () =>
      deployment.sh(up).then(() => ({ seen: 'exit code 0', passed: true })),
    );
  }
}

/** Kills replicas under load. */
export async function kills(deployment: Deployment, report: Report) {
  report.begin('Two replicas of each service are killed, 20 requests a second');
  await deployment.startAnew(REPLICAS);
  const load = new UnderLoad(deployment, report, await makeCustomers(deployment));
  if (!(await load.during(BASELINE, () => sleep(BASELINE_MS)))) return;
  for (const service of SERVICES)
    await load.during(`\`kill -9\` of each replica of ${service}`, () => killEach(deployment, service));
  await load.compare();
}

/** Replaces the replicas of all services by those of another release, and back, under load. */
export async function releases(deployment: Deployment, report: Report) {
  const former = process.env.UPGRADE_FROM ?? FORMER;
  report.begin(
    `Two replicas of each service, from the product of ${former} to this one and back, 20 requests a second`,
  );
  deployment.write('as-before.yml', AS_BEFORE);
  deployment.set({ COMPOSE_FILE: 'docker-compose.yml:as-before.yml' });
  const build = async (commit?: string) => {
    deployment.checkOut(commit);
    await deployment.sh('docker compose build');
  };
  try {
    await build(former);
    await deployment.startAnew(REPLICAS);
    const load = new UnderLoad(deployment, report, await makeCustomers(deployment));
    if (!(await load.during(BASELINE, () => sleep(BASELINE_MS)))) return;
    for (const [title, commit] of [['to this release'], ['back', former]]) {
      const before = await imagesOf(deployment);
      await build(commit);
      await load.during(`\`sh deploy/roll.sh\`, ${title}`, () => deployment.sh('sh deploy/roll.sh'));
      await report.row('images that go on running', 'none of the services', async () => {
        const kept = [...(await imagesOf(deployment))].filter((image) => before.has(image));
        return { seen: kept.join(' ') || 'none of the services', passed: kept.length === 0 };
      });
    }
    await load.compare();
  } finally {
    deployment.set({});
    // The next parts start what was built last.
    await build();
  }
}

async function imagesOf({ sh }: Deployment) {
  const ids = await sh(
    `docker inspect --format '{{.Image}}' $(docker compose ps --quiet ${SERVICES.join(' ')} gateway)`,
  );
  return new Set(ids.trim().split('\n'));
}

/** Kills the replicas of a service one after the other, each when all are healthy. */
async function killEach({ sh }: Deployment, service: string) {
  for (const id of (await sh(`docker compose ps --quiet ${service}`)).trim().split('\n')) {
    await sh(`kill -9 $(docker inspect --format '{{.State.Pid}}' ${id})`);
    await sh(`docker compose up --wait --no-recreate --no-deps --scale ${service}=2 ${service}`);
  }
}
