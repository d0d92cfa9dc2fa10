import { setTimeout as sleep } from 'node:timers/promises';
import type { Deployment } from './deployment.ts';
import { bookOnce, type Customers, makeCustomers } from './first-booking.ts';
import type { Report, Seen } from './report.ts';
import { checkCertificates } from './secrets/certificates.ts';
import { Changes, OTHERS } from './secrets/changes.ts';
import { findExposed, ProcessWatch } from './secrets/exposed.ts';
import { Former } from './secrets/former.ts';
import { SecretFiles, type SecretSetting, secretSettings, untilUsed } from './secrets/settings.ts';

/** In use within 60 s: two looks of 10 s, and a busy machine. */
const WITHIN_MS = 60_000;
/** Until all of it is seen, on a busy machine. */
const SEEN_WITHIN_MS = 180_000;
const STEPS = [
  'changed, or readable beside the former one',
  'the next master keys and the next pepper encrypt',
  'the former ones are no longer read',
] as const;
/** As deploy/README.md says. */
const NEW_USERS = `docker compose exec -T mongo mongosh --quiet --nodb --eval "db = connect('mongodb://root:' + fs.readFileSync('/run/secrets/mongodb_root_password', 'utf8').trim() + '@127.0.0.1')" /docker-entrypoint-initdb.d/create-users.js`;
/** Prints the header that a collector of traces gets. */
const COLLECTOR = `services:
  collector:
    image: swim-lesson-scheduling-booking
    pull_policy: never
    networks: [bus]
    healthcheck: { test: ["CMD", "node", "-e", "0"] }
    command:
      - node
      - -e
      - "require('node:http').createServer((request, answer) => { console.log(request.headers.authorization); request.resume(); answer.end('{}'); }).listen(4318)"
`;

/** Changes every secret that the compose files name while the product runs, and asks for what was valid before. */
export async function secrets(deployment: Deployment, report: Report) {
  report.begin('Every secret is changed while the product runs');
  deployment.write('collector.yml', COLLECTOR);
  deployment.set({
    COMPOSE_FILE: 'docker-compose.yml:deploy/compose.stripe.yml:deploy/compose.tls.yml:collector.yml',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
    MAIL_FROM: 'office@pool.example',
  });
  await deployment.sh('sh deploy/make-nats-certificates.sh');
  const files = new SecretFiles(deployment);
  const settings = await secretSettings(deployment);
  for (const { setting, file } of settings) if (OTHERS[setting]) files.write(file, OTHERS[setting]());
  const watch = new ProcessWatch();
  await deployment.startAnew();
  const customers = await makeCustomers(deployment);
  await bookOnce(customers);
  const former = await Former.remember(deployment, customers, files, settings);
  const changes = new Changes(files);
  for (const [step, title] of STEPS.entries()) {
    const changed = settings.filter(({ setting, file }) => changes.stepsOf(setting, file)[step] !== null);
    for (const { setting, file } of changed) files.write(file, changes.stepsOf(setting, file)[step]!);
    // The script lays the files out one by one, and a process reads each as soon as it is there.
    const changedAt = Date.now();
    await deployment.sh('sh deploy/make-secrets.sh');
    if (step === 0) await takeEffect(deployment);
    const seconds = await untilUsed(deployment, changed, changedAt, SEEN_WITHIN_MS);
    for (const name of new Set(changed.map(({ setting }) => setting)))
      await report.row(`${name}: ${title}`, 'used by each process within 60 s', async () =>
        usedBy(name, changed, seconds),
      );
    // As deploy/README.md says: for a minute the gateway knows the keys that it has looked up, and none of them is stored anew.
    if (step < STEPS.length - 1) await sleep(changedAt + WITHIN_MS - Date.now());
    await report.row('a lesson is booked and paid', 'confirmed, succeeded', () => booked(customers));
  }
  await former.areRefused(report);
  await checkCertificates(deployment, report, files);
  await report.row('a lesson is booked and paid', 'confirmed, succeeded', () => booked(customers));
  watch.end();
  await findExposed(deployment, report, files, watch);
  // What follows has no mail server, Stripe or collector.
  for (const { setting, file } of settings) if (OTHERS[setting]) files.write(file, '');
  await deployment.sh('sh deploy/make-secrets.sh');
  deployment.set({});
}

/** What an operator does where servers have to know new passwords. */
async function takeEffect({ sh }: Deployment) {
  await sh('docker compose kill --signal HUP nats');
  await sh(NEW_USERS);
}

function usedBy(name: string, changed: SecretSetting[], seconds: Map<SecretSetting, number>): Seen {
  const of = changed.filter(({ setting }) => setting === name);
  const known = of.flatMap((each) => seconds.get(each) ?? []);
  const late = of.filter((each) => !seconds.has(each)).map(({ process }) => process);
  const inUseAfter = Math.max(0, ...known);
  return {
    seen: late.length > 0 ? `not by ${late.join(', ')}` : `by ${of.length}, the last after ${inUseAfter} s`,
    passed: late.length === 0 && inUseAfter <= WITHIN_MS / 1_000,
    inUseAfter,
  };
}

async function booked(customers: Customers): Promise<Seen> {
  const { status, payment } = await bookOnce(customers);
  return { seen: `${status}, ${payment}`, passed: status === 'confirmed' && payment === 'succeeded' };
}
