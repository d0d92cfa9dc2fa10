import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startNats } from '@swim/testing';
import { MongoClient } from 'mongodb';

const LONGEST_MS = 600_000;
const program = fileURLToPath(new URL('run.ts', import.meta.url));

const FIGURES: [string, RegExp][] = [
  ['booking-commands', /commands of a booking, one client +\d+\.\d\d; target at most 15: (met|missed)/],
  ['booking-commands', /commands of a booking, 32 clients +\d+\.\d\d; target at most 3: (met|missed)/],
  ['booking-commands', /commands of a booking of 52 lessons +\d+\.\d\d; target at most 25: (met|missed)/],
  ['hop', /Hop with routing only.+\n +ratio by processor time +\S+.+\n +ratio of requests\/s +\d+\.\d\d/],
  ['hop', /Hop with all four policies.+\n +ratio by processor time +\S+.+\n +ratio of requests\/s +\d+\.\d\d/],
  ['calendar', /GET \/v1\/instructors\/\{id\}\/availability[\s\S]+?p95 +\d/],
  ['calendar', /POST \/v1\/sessions\n[\s\S]+?growth of p50 +\d/],
  ['calendar', /GET \/v1\/sessions of one account's week[\s\S]+?growth of p50 +\d/],
  ['webhooks', /deliveries\/s to healthy receivers, attempts stored +\d/],
  ['webhooks', /from the event to the receiver, 50 events\/s: p50 +\d/],
  ['webhooks', /from the event to the receiver, 50 events\/s: p99 +\d/],
  ['webhooks', /replay of 20 events to one endpoint, \/s +\d/],
  ['webhooks', /database commands of a delivery +\d/],
  ['webhooks', /p99 beside 2 of 8 that hang, 2 that fail +\d/],
];
// The monolith runs on the programs of the offline engine, which exists for Linux.
if (process.platform === 'linux') {
  FIGURES.push(
    ['booking', /POST \/v1\/bookings with an Idempotency-Key\n +monolith +ours\n +requests\/s +\d+\.\d +\d+\.\d\n/],
    ['booking', /GET \/v1\/sessions\/\{id\}\n[\s\S]+?p99, ms +\d+\.\d +\d+\.\d\n/],
    ['booking', /One client\n +monolith: p50 \d.+\n +ours: p50 \d/],
    ['booking', /processor time of a booking, of the monolith’s +\d+\.\d\d; target at most 5: (met|missed)/],
    ['booking', /bookings\/s, of the monolith’s +\d\.\d\d; target at least 0\.25: (met|missed)/],
    ['booking', /goodput of 16 clients, of the usual +\d/],
    ['booking', /acknowledged bookings lost, of \d+ +0\.00; target at most 0: met/],
    ['booking', /resident memory of the largest process, .+ +\d/],
    ['lessons', /ours: races without exactly 6 booked, others full +0\.00; target at most 0: met/],
    ['lessons', /processor time of a place, of a private lesson’s +\d/],
    ['lessons', /a lesson’s, of a session’s +\d/],
    ['lessons', /races for 6 places in 10 lessons without exactly 6 +0\.00; target at most 0: met/],
    ['lessons', /opening one of 52 lessons +\d/],
    ['lessons', /GET \/v1\/classes by level, weekday and places: p95 +\d/],
    ['lessons', /A closure of \d+ sessions\n[\s\S]+?until it is done +\d/],
    ['families', /An import of \d+ families\n +until it is done +\d/],
    ['families', /GET \/v1\/families of \d+ that owe\n +\?due=true: p95 +\d/],
    ['cost', /POST \/v1\/payments\n +ours\n +requests\/s +\d[\s\S]+? scheduling +\d+\.\d\d\n/],
    ['cost', /PATCH \/v1\/sessions\/\{id\}\n +ours\n +requests\/s +\d/],
  );
}

let nats: Awaited<ReturnType<typeof startNats>>;
beforeAll(async () => {
  nats = await startNats();
});
afterAll(() => nats?.stop());

async function measure(...words: string[]) {
  const env = { ...process.env, NODE_OPTIONS: '', MONGODB_URI: process.env.TEST_MONGODB_URI, NATS_URL: nats.url };
  return (await promisify(execFile)(process.execPath, [program, ...words], { env })).stdout;
}

async function databasesLeft() {
  const client = await new MongoClient(process.env.TEST_MONGODB_URI!).connect();
  const { databases } = await client.db().admin().listDatabases({ nameOnly: true });
  await client.close();
  return databases.map(({ name }) => name).filter((name) => name.startsWith('bench_'));
}

describe('measurements in one run, in their short form', () => {
  let report: string;
  let before: string[];
  beforeAll(async () => {
    before = await databasesLeft();
    report = await measure(...new Set(FIGURES.map(([name]) => name)), '--short');
  }, LONGEST_MS);

  it.each(FIGURES)('%s prints %s', (_, figure) => {
    expect(report).toMatch(figure);
  });

  it('leave no database behind', async () => {
    const left = await databasesLeft();
    expect(left.filter((name) => !before.includes(name))).toEqual([]);
  });

  // A booking is 4 requests over the bus and 6 to 10 writes. A redelivery, a concurrent sweep or a batch split in two adds
  // a fraction to each; one more request or write per booking exceeds the bounds.
  describe('booking-commands, for one booking at a time', () => {
    const countOf = (matches: RegExp, column: number) => {
      // The columns are: one client, 32 clients, a course, at rest. `cost` prints such tables later, too.
      const [tables = ''] = report.split('commands of a booking, one client');
      const lines = tables.matchAll(/^ {2}(\S+(?: \S+)*) +(-?\d+\.\d\d) +(-?\d+\.\d\d) +-?\d+\.\d\d +-?\d+\.\d\d$/gm);
      return [...lines].reduce(
        (sum, [, name = '', ...counts]) => sum + (matches.test(name) ? Number(counts[column]) : 0),
        0,
      );
    };
    const alone = (matches: RegExp) => countOf(matches, 0);
    const many = (matches: RegExp) => countOf(matches, 1);
    const WRITES = /^(booking|scheduling) (insert|update|delete) (bookings|claims|days|sessions)/;
    const EVENTS = /^notification .*(events|accounts)/;

    it('counts four requests over the bus', () => {
      const requests = alone(/^bus (limits|rpc\.(booking|scheduling)|.*describeParticipants)/);
      expect(requests).toBeGreaterThan(3.5);
      expect(requests).toBeLessThan(4.5);
    });

    it('counts no more writes than a booking needs', () => {
      expect(alone(WRITES)).toBeGreaterThan(4.5);
      expect(alone(WRITES)).toBeLessThan(9.5);
    });

    it('counts at most one insert for each of its three events', () => {
      expect(alone(/^notification insert events/)).toBeLessThan(3.5);
    });

    it('counts fewer commands for each booking when 32 clients share them', () => {
      expect(many(EVENTS)).toBeLessThan(alone(EVENTS));
      expect(many(WRITES)).toBeLessThan(alone(WRITES));
    });
  });
});

it('prints its usage for an unknown measurement', async () => {
  await expect(measure('booking', 'speed')).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/npm run bench -- hop\|/),
  });
});
