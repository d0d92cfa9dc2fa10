import { setTimeout as sleep } from 'node:timers/promises';
import type { Deployment } from './deployment.ts';
import { makeCustomers } from './first-booking.ts';
import { lookUntil } from './look-until.ts';
import type { Report, Seen } from './report.ts';
import { UnderLoad } from './under-load.ts';

const SERVERS = ['nats', 'nats-2', 'nats-3'];
const BASELINE_MS = 15_000;
const CURRENT_WITHIN_MS = 60_000;
const STREAMS = 6;
/** What was on its way by the killed server is answered 503; our own client sends it twice again. */
const RETRIES = 2;

interface Replica {
  current: boolean;
}

/** What a server says of its streams. */
interface Figures {
  account_details?: {
    stream_detail?: {
      name: string;
      config: { num_replicas: number };
      cluster?: { leader?: string; replicas?: Replica[] };
    }[];
  }[];
}

/** Kills each of three servers of NATS in turn under load. */
export async function natsServers(deployment: Deployment, report: Report) {
  report.begin('Three servers of NATS are killed in turn, 20 requests a second');
  deployment.set({ COMPOSE_FILE: 'docker-compose.yml:deploy/compose.three-nats.yml' });
  await deployment.startAnew();
  const load = new UnderLoad(deployment, report, await makeCustomers(deployment));
  await report.row('streams', `${STREAMS}, each on three servers`, () => replicas(deployment));
  if (await load.during('nothing is done', () => sleep(BASELINE_MS)))
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

/** A leader knows all replicas of a stream. */
async function replicas({ sh }: Deployment): Promise<Seen> {
  const current = new Map<string, number>();
  for (const server of SERVERS) {
    const url = 'http://127.0.0.1:8222/jsz?accounts=true&streams=true&config=true';
    const { account_details: accounts = [] }: Figures = JSON.parse(
      await sh(`docker compose exec -T ${server} wget -q -O - '${url}'`),
    );
    for (const { name, cluster } of accounts.flatMap(({ stream_detail: streams = [] }) => streams)) {
      const others = (cluster?.replicas ?? []).filter((each) => each.current).length;
      current.set(name, Math.max(current.get(name) ?? 0, 1 + others));
    }
  }
  const seen = [...current].map(([name, count]) => `${name} ${count}`).join(', ');
  return { seen, passed: current.size === STREAMS && [...current.values()].every((count) => count === SERVERS.length) };
}
