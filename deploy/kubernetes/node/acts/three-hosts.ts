import { lookUntil } from '../../../containers/checks/look-until.ts';
import type { Report, Seen } from '../../../containers/checks/report.ts';
import { STREAMS, streamReplicas } from '../../../containers/checks/stream-replicas.ts';
import type { Product } from '../run-product.ts';
import { actUnderLoad } from './load.ts';
import { podsOf } from './pods.ts';

const CURRENT_WITHIN_MS = 120_000;
const ROLLED = '--timeout=300s';
const WITHIN_MS = 10_000;
const RELOADED = 'Reloaded server configuration';

/** Deletes each server of NATS in turn under load, and has each read its configuration again. */
export async function threeHosts(product: Product, report: Report) {
  const { kubectl } = product;
  const servers = await podsOf(kubectl, 'nats');
  const read = (server: string, url: string) => kubectl(['exec', server, '--', 'wget', '-q', '-O', '-', url]);
  // A server that has just started may answer nothing yet.
  const replicas = () =>
    streamReplicas(servers, read).catch(({ message }: Error): Seen => ({ seen: message, passed: false }));
  await report.row('streams', `${STREAMS}, each on three servers`, () =>
    lookUntil(replicas, ({ passed }) => passed, CURRENT_WITHIN_MS),
  );
  await actUnderLoad(product, report, async (under) => {
    for (const server of servers) {
      await report.row(`\`kill -HUP\` of ${server}`, RELOADED, () => reload(product, server));
      await under(`\`kubectl delete pod ${server}\``, async () => {
        await kubectl(['delete', 'pod', server]);
        await kubectl(['rollout', 'status', 'statefulset/nats', ROLLED]);
        await lookUntil(replicas, ({ passed }) => passed, CURRENT_WITHIN_MS);
      });
      await report.row('… and the streams', `${STREAMS}, each on three servers`, replicas);
    }
  });
}

async function reload({ kubectl }: Product, server: string): Promise<Seen> {
  await kubectl(['exec', server, '--', 'kill', '-HUP', '1']);
  const lastLines = async () => (await kubectl(['logs', server])).split('\n').filter((line) => /reload/i.test(line));
  const isDone = (lines: string[]) => lines.some((line) => line.includes(RELOADED));
  const lines = await lookUntil(lastLines, isDone, WITHIN_MS);
  return { seen: lines.at(-1) ?? 'no line', passed: isDone(lines) };
}
