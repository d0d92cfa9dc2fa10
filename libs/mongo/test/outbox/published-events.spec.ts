import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { BusEvent } from '@swim/contracts';
import { newId } from '@swim/platform';
import { Databases } from '../../src/index.js';
import { PublishedEvents, publishedIn } from '../../src/outbox/published-events.js';
import { type MongoHarness, silent, startHarness } from '../harness.js';

let harness: MongoHarness;
let databases: Databases;
let published: PublishedEvents;
beforeAll(async () => {
  harness = await startHarness();
  databases = new Databases(harness.config, 'people', silent, { addCheck: () => undefined } as never);
  published = new PublishedEvents(databases);
  await databases.onModuleInit();
});
afterAll(async () => {
  await databases?.onApplicationShutdown();
  await harness?.stop();
});

const anEvent = (n: number, text: string): BusEvent => ({
  id: newId('evt'),
  n,
  type: 'booking.created',
  env: 'test',
  occurredAt: '2027-03-01T16:00:00.000Z',
  audience: ['acct_1'],
  objectId: 'bkg_1',
  object: { text },
  cause: { requestId: null, idempotencyKey: null, actor: 'system', accountId: 'acct_1' },
});
const LARGE = 'x'.repeat(3 * 1_048_576);

it('stores events in documents that the database accepts, in their order and by stream', async () => {
  // Together the large ones exceed the most that a document may have.
  const events = Array.from({ length: 80 }, (_, index) => anEvent(index + 1, index % 10 === 3 ? LARGE : 'small'));
  const streamOf = ({ n }: BusEvent) => (n <= 70 ? 'lost' : 'current');
  const kept = events.map((event) => publishedIn(streamOf(event), event));
  await published.insert('test', kept, new Date());
  const lost = await published.findLost('test', 'current', 1_000);
  expect(lost.length).toBeLessThan(30);
  const found = lost.flatMap((batch) => batch.events).sort((a, b) => a.n - b.n);
  expect(found).toEqual(events.slice(0, 70));
  await published.markIn(
    'test',
    'current',
    lost.map(({ _id }) => _id),
  );
  expect(await published.findLost('test', 'current', 1_000)).toEqual([]);
});
