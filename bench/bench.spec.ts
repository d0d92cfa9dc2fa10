import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startNats } from '@swim/testing';
import { MongoClient } from 'mongodb';

const LONGEST_MS = 600_000;
const program = fileURLToPath(new URL('run.ts', import.meta.url));

const FIGURES: [string, RegExp][] = [
  ['hop', /Hop with routing only[\s\S]+?ratio +\d+\.\d\d /],
  ['hop', /Hop with all four policies[\s\S]+?ratio +\d+\.\d\d /],
  [
    'booking-commands',
    /One booking at a time takes \d+\.\d commands to the database and \d+\.\d requests over the bus/,
  ],
  [
    'booking-commands',
    /A booking of 52 lessons takes \d+\.\d commands to the database; target at most 25: (met|missed)/,
  ],
];
/** Measurements that take minutes together, even in their short form: `npm run chaos`. */
const FIGURES_OF_CHAOS: [string, RegExp][] = [
  ['memory', /gateway +\d+ MB +\d+ MB/],
  ['memory', /together +\d+ MB +\d+ MB/],
  ['booking', /GET \/v1\/sessions\/\{id\}[\s\S]+?ratio +\d+\.\d\d /],
  ['booking', /POST \/v1\/bookings[\s\S]+?ratio +\d+\.\d\d /],
  [
    'write-commands',
    /Commands to the database, one client +POST \/bookings +POST \/sessions +POST \/payments[\s\S]+?all: together +\d+\.\d\d /,
  ],
  ['writes', /POST \/v1\/payments\n +ours\n +requests\/s +\d[\s\S]+?scheduling +\d+\.\d\d\n/],
  ['people', /among 40 instructors +p50 \d/],
  ['people', /with 40 lessons +p50 \d/],
  ['availability', /GET \/v1\/availability of 50 instructors[\s\S]+?p95 \d/],
  ['calendar', /GET \/v1\/instructors\/\{id\}\/availability[\s\S]+?p95 \d/],
  ['calendar', /16 racers claim beside 30 claims[\s\S]+?one instructor +\d[\s\S]+?ratio +\d+\.\d\d /],
  ['calendar', /16 racers claim beside 200 claims[\s\S]+?one instructor +\d[\s\S]+?ratio +\d+\.\d\d /],
  ['calendar', /POST \/v1\/sessions\n[\s\S]+?ratio of p50 \d/],
  ['calendar', /GET \/v1\/sessions of one account's week[\s\S]+?ratio of p50 \d/],
  ['calendar', /\d bytes an element/],
  ['webhooks', /deliveries\/s to healthy receivers, attempts stored +\d+ \/s/],
  ['webhooks', /p99 beside 2 of 8 that hang, 2 that fail +\d/],
  ['webhooks', /from the event to the receiver, 50 events\/s: p50 +\d/],
  ['webhooks', /replay of 20 events to one endpoint +\d+ \/s/],
  ['webhooks', /resident memory of notification, at most +\d+ MB/],
  ['webhooks', /database commands of a delivery +\d/],
  ['money', /by 10 racers, 1 bookings[\s\S]+?captures of a booking, at most 1; target exactly one each: met/],
  ['money', /POST \/v1\/payments\n[\s\S]+?ratio +\d+\.\d\d /],
  ['money', /52 lessons: p50 \d[\s\S]+?ratio of p50 \d/],
  ['money', /statement of a month with 200 lessons[\s\S]+?longest \d/],
];
// The monolith runs on the programs of the offline engine, which exists for Linux.
if (process.platform === 'linux') {
  FIGURES_OF_CHAOS.push(
    ['cost', /POST \/v1\/bookings with an Idempotency-Key[\s\S]+?requests\/s +\d+\.\d +\d+\.\d\n/],
    ['cost', /Processor time of a booking by process, ms[\s\S]+?scheduling +\d+\.\d\d\n/],
    ['cost', /PATCH \/v1\/sessions\/\{id\}\n +ours\n +requests\/s +\d/],
    ['cost', /Overload: 16 clients[\s\S]+?acknowledged bookings lost, of \d+ +0\.00 /],
    ['cost', /commands of a booking, one client +\d+\.\d\d /],
    ['cost', /bookings\/s, of the monolith’s +\d\.\d\d +at least 0\.25 +(met|missed)/],
  );
}
if (process.env.CHAOS) FIGURES.push(...FIGURES_OF_CHAOS);

let nats: Awaited<ReturnType<typeof startNats>>;
beforeAll(async () => {
  nats = await startNats();
});
afterAll(() => nats?.stop());

/** The output of a run; rejects when it fails. */
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
      const [, tables = ''] = report.match(/bookings one by one(.+?)A booking of 52 lessons/s) ?? [];
      // Ours, the floor, ours with 32 clients, ours with a course.
      const lines = [
        ...tables.matchAll(/^ {2}(\S+(?: \S+)*) +(-?\d+\.\d\d) +-?\d+\.\d\d +(-?\d+\.\d\d) +-?\d+\.\d\d$/gm),
      ];
      return lines.reduce(
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
