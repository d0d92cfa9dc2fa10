import { waitUntil } from '../../../system/processes/ports.ts';
import type { Product } from '../run-product.ts';

const GONE_WITHIN_MS = 120_000;
const ROLLED = '--timeout=300s';

export const podsOf = async (kubectl: Product['kubectl'], process: string) =>
  (await kubectl(['get', 'pods', `--selector=app.kubernetes.io/component=${process}`, '--output=name']))
    .trim()
    .split('\n')
    .map((each) => each.replace('pod/', ''));

/** Waits until a Deployment has all of its replicas, and the replaced ones have ended. */
export async function whenWhole({ kubectl }: Product, process: string) {
  await kubectl(['rollout', 'status', `deployment/swim-${process}`, ROLLED]);
  const isWhole = async () => {
    const { spec, status } = JSON.parse(await kubectl(['get', `deployment/swim-${process}`, '--output=json']));
    return status.readyReplicas === spec.replicas && (await podsOf(kubectl, process)).length === spec.replicas;
  };
  if (!(await waitUntil(isWhole, GONE_WITHIN_MS))) throw new Error(`replaced pods of ${process} do not end`);
}
