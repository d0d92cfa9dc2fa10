import { setTimeout as sleep } from 'node:timers/promises';
import type { Deployment } from './deployment.ts';
import { makeCustomers } from './first-booking.ts';
import { lookUntil } from './look-until.ts';
import type { Report } from './report.ts';
import { STREAMS, streamReplicas } from './stream-replicas.ts';
import { BASELINE, UnderLoad } from './under-load.ts';

const FILES = [
  'docker-compose.yml',
  'deploy/compose.tls.yml',
  'deploy/compose.three-nats.yml',
  'deploy/compose.three-nats-tls.yml',
].join(':');
const SERVERS = ['nats', 'nats-2', 'nats-3'];
const BASELINE_MS = 15_000;
const CURRENT_WITHIN_MS = 60_000;
/** What was on its way by the killed server is answered 503; our own client sends it twice again. */
const RETRIES = 2;

/** Kills each of three servers of NATS in turn under load. */
export async function natsServers(deployment: Deployment, report: Report) {
  report.begin('Three servers of NATS, with TLS, are killed in turn, 20 requests a second');
  deployment.set({ COMPOSE_FILE: FILES });
  await deployment.sh('sh deploy/make-nats-certificates.sh');
  await deployment.startAnew();
  const load = new UnderLoad(deployment, report, await makeCustomers(deployment));
  await report.row('streams', `${STREAMS}, each on three servers`, () => replicas(deployment));
  if (await load.during(BASELINE, () => sleep(BASELINE_MS)))
    for (const server of SERVERS)
      await load.during(`\`kill -9\` of ${server}`, () => kill(deployment, server), RETRIES);
  await load.compare();
  deployment.set({});
}

/** It is started again by itself, and the next one may be killed once every stream has three replicas that are up to date. */
async function kill(deployment: Deployment, server: string) {
  const { sh } = deployment;
  await sh(`kill -9 $(docker inspect --format '{{.State.Pid}}' $(docker compose ps --quiet ${server}))`);
  await sh(`docker compose up --wait --no-recreate --no-deps ${server}`);
  await lookUntil(
    () => replicas(deployment),
    ({ passed }) => passed,
    CURRENT_WITHIN_MS,
  );
}

const replicas = ({ sh }: Deployment) =>
  streamReplicas(SERVERS, (server, url) => sh(`docker compose exec -T ${server} wget -q -O - '${url}'`));
