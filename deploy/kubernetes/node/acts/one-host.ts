import type { Report } from '../../../containers/checks/report.ts';
import type { Product } from '../run-product.ts';
import { NAMESPACE } from '../test-overlay.ts';
import { actUnderLoad } from './load.ts';
import { podsOf, whenWhole } from './pods.ts';

/** Books in the cluster, replaces every process under load, and evicts replicas. */
export async function oneHost(product: Product, report: Report) {
  await actUnderLoad(product, report, async (under) => {
    for (const process of product.processes)
      await under(`\`kubectl rollout restart deployment/swim-${process}\``, () => restart(product, [process]));
    await under('`kubectl rollout restart deployment`, all at once', () => restart(product, product.processes));
    for (const budget of await budgetsOf(product)) {
      let answers: number[] = [];
      await under(`eviction of a replica of ${budget}`, async () => {
        answers = await evictAll(product, budget);
        await whenWhole(product, budget);
      });
      await report.row('… and of the last one', '429', async () => ({
        seen: answers.join(', then '),
        passed: answers.join() === '201,429',
      }));
    }
  });
}

async function restart(product: Product, processes: string[]) {
  await product.kubectl(['rollout', 'restart', ...processes.map((each) => `deployment/swim-${each}`)]);
  for (const each of processes) await whenWhole(product, each);
}

/** The processes that have a budget of disruptions. */
async function budgetsOf({ kubectl }: Product): Promise<string[]> {
  const printed = await kubectl(['get', 'poddisruptionbudgets', '--output=name']);
  return [...printed.matchAll(/swim-(\S+)/g)].map(([, name]) => name!);
}

/** Asks for the eviction of every pod at once, as one does who empties a machine; returns the status of each answer. */
async function evictAll({ kubectl }: Product, process: string): Promise<number[]> {
  const pods = await podsOf(kubectl, process);
  const answers: number[] = [];
  for (const name of pods) {
    const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace: NAMESPACE } };
    const place = `/api/v1/namespaces/${NAMESPACE}/pods/${name}/eviction`;
    const answer = await kubectl(['create', '--raw', place], JSON.stringify(eviction)).then(
      () => 201,
      ({ message }: Error) => {
        if (message.includes('TooManyRequests')) return 429;
        throw new Error(message);
      },
    );
    answers.push(answer);
  }
  return answers;
}
