import { setTimeout as sleep } from 'node:timers/promises';
import { bookOnce, type Customers, makeCustomers } from '../../containers/checks/first-booking.ts';
import { failuresDuring } from '../../containers/checks/load.ts';
import type { Report } from '../../containers/checks/report.ts';
import { findGaps, readAudit } from '../../containers/checks/under-load.ts';
import { waitUntil } from '../../system/processes/ports.ts';
import type { Product } from './run-product.ts';
import { NAMESPACE } from './test-overlay.ts';

const BASELINE_MS = 30_000;
const GONE_WITHIN_MS = 120_000;
const ROLLED = '--timeout=300s';
/** Audits once, with the settings of the pod otherwise: its image has no shell. */
const AUDIT =
  "process.env.AUDIT_MINUTES = ''; process.env.AUDIT_SETTLED_SECONDS = '0'; import('/app/service/dist/audit.js')";

/** Books in the cluster, replaces every process under load, and evicts replicas. */
export async function act(product: Product, report: Report) {
  let customers: Customers | undefined;
  await report.row("a lesson is booked and paid by the gateway's Service", 'confirmed, succeeded', async () => {
    customers = await makeCustomers(product);
    const { status, payment } = await bookOnce(customers);
    return { seen: `${status}, ${payment}`, passed: status === 'confirmed' && payment === 'succeeded' };
  });
  if (!customers) return;
  const family = customers;
  report.begin('Two replicas of each, 20 requests a second');
  const under = (title: string, work: () => Promise<unknown>) =>
    report.row(title, '0 failed', () => failuresDuring(product, family, work));
  if (!(await under('nothing is done', () => sleep(BASELINE_MS)))) return;
  for (const process of product.processes)
    await under(`\`kubectl rollout restart deployment/swim-${process}\``, () => restart(product, process));
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
  await report.row('the audit', '0 differences', async () =>
    readAudit(await product.exec('audit', 'node', '--eval', AUDIT)),
  );
  await report.row('the events of the family', 'without a gap', () => findGaps(family));
}

async function restart(product: Product, process: string) {
  const deployment = `deployment/swim-${process}`;
  await product.kubectl(['rollout', 'restart', deployment]);
  await whenWhole(product, process);
}

/** Waits until a Deployment has all of its replicas, and the replaced ones have ended. */
async function whenWhole({ kubectl }: Product, process: string) {
  await kubectl(['rollout', 'status', `deployment/swim-${process}`, ROLLED]);
  const isWhole = async () => {
    const { spec, status } = JSON.parse(await kubectl(['get', `deployment/swim-${process}`, '--output=json']));
    return status.readyReplicas === spec.replicas && (await podsOf(kubectl, process)).length === spec.replicas;
  };
  if (!(await waitUntil(isWhole, GONE_WITHIN_MS))) throw new Error(`replaced pods of ${process} do not end`);
}

const podsOf = async (kubectl: Product['kubectl'], process: string) =>
  (await kubectl(['get', 'pods', `--selector=app.kubernetes.io/component=${process}`, '--output=name']))
    .trim()
    .split('\n')
    .map((each) => each.replace('pod/', ''));

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
