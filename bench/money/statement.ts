import type { Dataset } from '../booking/dataset.ts';
import type { Run, Stack } from '../booking/stack.ts';
import { type Plan as LatencyPlan, measureLatencies, milliseconds, timed } from '../measuring/latency.ts';
import { describeTurnedAway } from '../measuring/turned-away.ts';
import { StoredMonth } from './stored-month.ts';

const TARGET_MS = 1_000;

type Plan = LatencyPlan & { lessons: number };

/**
 * Measures how long a school's statement of a month with many lessons takes, each of a booking of its own that was paid.
 * @returns the figures, for a person.
 */
export async function statement(run: Run, stack: Stack, dataset: Dataset, plan: Plan): Promise<string> {
  const month = new StoredMonth(stack.env);
  run.atEnd(() => month.close());
  run.log(`a month with ${plan.lessons} lessons`);
  const { school } = (await stack.demo()).accounts;
  await month.fill(dataset, plan.lessons);
  const url = `${stack.origin}/v1/accounts/${school.id}/statement?month=${month.name}&currency=EUR`;
  const send = async () => {
    const answer = await timed(url, { headers: { authorization: `Bearer ${school.key}` } });
    const { lessons, charged_cents: chargedCents } = answer.body?.data.totals ?? {};
    if (answer.body && (lessons !== plan.lessons || chargedCents !== month.chargedCents))
      throw new Error(`the statement has ${lessons} lessons and ${chargedCents} cents`);
    return answer;
  };
  const [latency] = await measureLatencies('statement', [send], plan);
  const { requests, p50Ms, p95Ms, maxMs } = latency!;
  const turnedAway = describeTurnedAway([latency!]);
  return [
    `GET /v1/accounts/{id}/statement of a month with ${plan.lessons} lessons, through the gateway, one request after the other`,
    `  ${requests} requests: p50 ${milliseconds(p50Ms)}, p95 ${milliseconds(p95Ms)}`,
    `  longest ${milliseconds(maxMs)}; target below ${milliseconds(TARGET_MS)}: ${maxMs < TARGET_MS ? 'met' : 'missed'}`,
    ...(turnedAway ? [`  note: ${turnedAway}.`] : []),
    '',
  ].join('\n');
}
