import { newId } from '@swim/platform';
import { type DemoClient, demoClient } from '../../deploy/local/demo/demo-client.ts';
import { bookingRequest, type Side, startOurs } from '../booking/sides.ts';
import { type Latency, measureLatencies, timed } from '../measuring/latency.ts';
import { load } from '../measuring/load.ts';
import { figure, medianOf } from '../measuring/report.ts';
import type { Run, Stack } from '../stack/stack.ts';

const ROWS_AT_ONCE = 500;
const STORED_AT_ONCE = 200;
const CLIENTS = 4;
const LONG = { families: 2_000, pairs: 64, seconds: 4, lists: { requests: 100, warmUpRequests: 20 } };
const SHORT: typeof LONG = { families: 20, pairs: 4, seconds: 0.5, lists: { requests: 2, warmUpRequests: 1 } };

interface Scene {
  run: Run;
  plan: typeof LONG;
  stack: Stack;
  ours: Side;
  school: DemoClient;
}

/**
 * Measures a school with many families: their import beside bookings, and the list of what they owe.
 * @returns the figures and targets as text.
 */
export async function families(run: Run): Promise<string> {
  const plan = run.isShort ? SHORT : LONG;
  const stack = await run.stack();
  const { base_url: baseUrl, accounts } = await stack.demo();
  const { key, id } = accounts.school;
  const ours = await startOurs(run, stack, plan.pairs);
  const scene: Scene = { run, plan, stack, ours, school: demoClient(baseUrl, key) };
  const imported = await measureImport(scene);
  await owe(scene, id);
  return [imported, await measureLists(scene, key)].join('\n');
}

const rowOf = (n: number) => ({
  ...{ external_id: `M-${n}`, name: `Child ${n}`, date_of_birth: '2017-05-04', medical_notes: 'Asthma' },
  family: { external_id: `F-${n}`, email: `family-${n}@example.test`, name: `Family ${n}` },
});

/** One import, while a few clients book. */
async function measureImport({ run, plan, ours, school }: Scene): Promise<string> {
  const { id } = await school.create<{ id: string }>('/imports', 'import', { kind: 'families' });
  const rows = Array.from({ length: plan.families }, (_, n) => rowOf(n));
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE)
    await school.create(`/imports/${id}/rows`, 'rows', { rows: rows.slice(from, from + ROWS_AT_ONCE) });
  const others = { ...ours, drain: async () => {}, request: bookingRequest(ours) };
  const beside = () => load(others, plan.seconds, CLIENTS);
  await ours.drain();
  const before = [await beside(), await beside()];
  run.log(`an import of ${rows.length} rows`);
  const startedAtMs = performance.now();
  await school.create(`/imports/${id}/run`, 'run', {});
  let doneAtMs: number | undefined;
  const isDone = async () => (await school.get<{ status: string }>(`/imports/${id}`)).status === 'done';
  const watch = setInterval(() => {
    void isDone().then((done) => {
      if (done) doneAtMs ??= performance.now();
    });
  }, 250);
  const meanwhile = [];
  do meanwhile.push(await beside());
  while (!(await isDone()));
  clearInterval(watch);
  const { created } = await school.get<{ created: number }>(`/imports/${id}`);
  if (created !== rows.length) throw new Error(`the import has made ${created} members`);
  const seconds = ((doneAtMs ?? performance.now()) - startedAtMs) / 1_000;
  const [p99, own] = [medianOf(meanwhile, (pass) => pass.p99Ms), medianOf(before, (pass) => pass.p99Ms)];
  return [
    `An import of ${rows.length} families`,
    figure('until it is done', seconds, { atMost: 60, unit: 's' }),
    figure(`p99 of bookings by ${CLIENTS} clients: before`, own, { unit: 'ms' }),
    figure(`p99 of bookings by ${CLIENTS} clients: meanwhile`, p99, { unit: 'ms' }),
    figure('meanwhile, of before', p99 / own, { atMost: 2 }),
    '',
  ].join('\n');
}

/** Has each imported family owe a booking: one is made, and stored once more for each of the others. */
async function owe({ run, stack, ours, school }: Scene, schoolId: string): Promise<void> {
  run.log('bookings that are due');
  const connected = { schoolId, origin: 'school', status: 'active' };
  const [first, ...others] = await stack.database.collection('people', 'connections').find(connected).toArray();
  const body = { ...ours.nextBooking(), member_ids: first!.memberIds };
  const booking = await school.create<{ id: string }>('/bookings', 'booking', body);
  await stack.database.untilQuiet();
  const bookings = stack.database.collection('booking', 'bookings');
  const stored = (await bookings.findOne({ _id: booking.id }))!;
  const copies = others.map(({ accountId }) => {
    return { ...stored, _id: newId('bkg'), accountId, readers: [accountId, schoolId] };
  });
  for (let from = 0; from < copies.length; from += STORED_AT_ONCE)
    await bookings.insertMany(copies.slice(from, from + STORED_AT_ONCE));
}

async function measureLists({ run, plan, ours }: Scene, key: string): Promise<string> {
  run.log('GET /v1/families');
  const headers = { authorization: `Bearer ${key}` };
  const queries = ['due=true', 'due=true&limit=100', 'search=family'];
  const sending = queries.map((query) => async () => {
    const answer = await timed(`${ours.origin}/v1/families?${query}`, { headers });
    if (answer.body && answer.body.pagination.total < plan.families) throw new Error('families are missing');
    return answer;
  });
  const latencies = (await measureLatencies('GET /v1/families', sending, plan.lists)) as Latency[];
  const lines = latencies.map(({ p95Ms }, index) =>
    figure(`?${queries[index]}: p95`, p95Ms, { atMost: 100, unit: 'ms' }),
  );
  return [`GET /v1/families of ${plan.families} that owe`, ...lines, ''].join('\n');
}
