import path from 'node:path';
import { messaging } from '../bus/messaging.ts';
import { SERVICES, serviceEnvironment, serviceProcess } from '../local/stack/product-processes.ts';
import { loadSecrets } from '../local/stack/secrets.ts';
import { temporaryFolder } from '../system/files/temporary-folder.ts';
import { LOCAL } from '../system/paths.mjs';
import { waitUntil } from '../system/processes/ports.ts';
import { createSupervisor } from '../system/processes/supervisor.ts';
import { scalerQueries } from './boards.ts';
import { runningStack, type Server, startServer, targetsOf } from './server.ts';

const EVENTS = 1_000;
const SMALLEST_SHARE = 0.3;
const WITHIN_MS = 180_000;
const SCALED = 'swim-notification';

/** Lets events wait for two replicas of notification, and sees what the scaler's query says and how the replicas share the work. */
export async function checkBacklog(prometheus: string, log: (line: string) => void): Promise<void> {
  const stack = runningStack();
  const { folder, remove } = temporaryFolder();
  const supervisor = createSupervisor({ logFolder: path.join(folder, 'logs'), log });
  const secrets = loadSecrets(path.join(LOCAL, 'secrets.json'), SERVICES);
  const env = serviceEnvironment({ mongodbUri: stack.mongodb_uri, natsUrl: stack.nats_url });
  const second = await serviceProcess('notification', { ...env, ...secrets.notification });
  await supervisor.launch(second);
  const targets = [...targetsOf(stack), { name: 'notification', port: second.env!.HEALTH_PORT! }];
  const server = await startServer(prometheus, folder, targets);
  const first = stack.processes.find(({ name }) => name === 'notification')!.pid;
  const signal = (name: NodeJS.Signals) => {
    for (const pid of [first, supervisor.processes()[0]!.pid]) process.kill(pid, name);
  };
  try {
    const areScraped = () => server.seriesOf('sum(up{process="notification"}) == 2').then(({ length }) => length > 0);
    if (!(await waitUntil(() => areScraped().catch(() => false), WITHIN_MS)))
      throw new Error('Prometheus does not scrape both replicas of notification');
    const before = await consumed(server);
    signal('SIGSTOP');
    try {
      await publish(stack.nats_url, secrets.booking.NATS_PASSWORD);
      await waitForQuery(server, log);
    } finally {
      signal('SIGCONT');
    }
    await shareOf(server, before, log);
  } finally {
    server.child.kill();
    supervisor.close();
    await supervisor.stop().finally(remove);
  }
}

async function publish(natsUrl: string, password: string) {
  const [{ connectAccount }, { createLogger, newId }] = await Promise.all([messaging(), import('@swim/platform')]);
  const config = { NATS_URL: natsUrl, NATS_PASSWORD: password };
  const connection = await connectAccount('booking', 'events', config, createLogger('backlog', 'silent'));
  const account = newId('acct');
  const publishOne = () => {
    const objectId = newId('bkg');
    const event = {
      id: newId('evt'),
      n: 1,
      type: 'booking.created',
      env: 'test',
      occurredAt: new Date().toISOString(),
      audience: [account],
      objectId,
      object: { id: objectId, account_id: account, status: 'confirmed' },
      cause: { requestId: null, idempotencyKey: null, actor: 'system', accountId: account },
    };
    return connection.request(`event.test.booking.${event.type}.${objectId}`, JSON.stringify(event), {
      timeout: WITHIN_MS,
    });
  };
  await Promise.all(Array.from({ length: EVENTS }, publishOne)).finally(() => connection.close());
}

async function waitForQuery({ seriesOf }: Server, log: (line: string) => void) {
  const { query, threshold } = scalerQueries().find(({ panel }) => panel.endsWith(SCALED))!;
  let waiting = 0;
  const says = async () => {
    waiting = Number((await seriesOf(query))[0]?.value[1] ?? 0);
    return waiting >= EVENTS;
  };
  if (!(await waitUntil(() => says().catch(() => false), WITHIN_MS))) throw new Error(`the query says ${waiting}`);
  log(`${EVENTS} events wait; the scaler's query says ${waiting}: ${Math.ceil(waiting / threshold)} replicas`);
}

/** How many events each replica has handled, by its address. */
async function consumed({ seriesOf }: Server): Promise<Map<string, number>> {
  const series = await seriesOf('swim_events_total{process="notification", outcome="consumed"}');
  return new Map(series.map(({ metric, value }) => [metric.instance!, Number(value[1])]));
}

async function shareOf(server: Server, before: Map<string, number>, log: (line: string) => void) {
  let handled: number[] = [];
  const isDone = async () => {
    const now = await consumed(server);
    handled = [...now].map(([instance, count]) => count - (before.get(instance) ?? 0));
    return handled.reduce((sum, count) => sum + count, 0) >= EVENTS;
  };
  if (!(await waitUntil(() => isDone().catch(() => false), WITHIN_MS)))
    throw new Error(`handled: ${handled.join(', ')}`);
  log(`the replicas of notification have handled ${handled.join(' and ')} events`);
  if (handled.length < 2 || Math.min(...handled) < EVENTS * SMALLEST_SHARE)
    throw new Error('one replica has done it nearly alone');
}
