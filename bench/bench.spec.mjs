import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startNats } from '@swim/testing';
import { MongoClient } from 'mongodb';

const LONGEST_MS = 300_000;
const program = fileURLToPath(new URL('run.mjs', import.meta.url));

let nats;
beforeAll(async () => {
  nats = await startNats();
});
afterAll(() => nats?.stop());

/** What a measurement prints; fails when it does. */
async function measure(...words) {
  const env = { ...process.env, NODE_OPTIONS: '', MONGODB_URI: process.env.TEST_MONGODB_URI, NATS_URL: nats.url };
  return (await promisify(execFile)(process.execPath, [program, ...words], { env })).stdout;
}

async function databasesLeft() {
  const client = await new MongoClient(process.env.TEST_MONGODB_URI).connect();
  const { databases } = await client.db().admin().listDatabases({ nameOnly: true });
  await client.close();
  return databases.map(({ name }) => name).filter((name) => name.startsWith('bench_'));
}

describe('a measurement in its short form', () => {
  it.each([
    ['hop', [/Hop with routing only[\s\S]+ratio +\d+\.\d\d /, /Hop with all four policies[\s\S]+ratio +\d+\.\d\d /]],
    ['booking', [/GET \/v1\/sessions\/\{id\}[\s\S]+ratio +\d+\.\d\d /, /POST \/v1\/bookings[\s\S]+ratio +\d+\.\d\d /]],
    ['memory', [/gateway +\d+ MB +\d+ MB/, /together +\d+ MB +\d+ MB/]],
    ['people', [/among 500 instructors +p50 \d/, /with 500 lessons +p50 \d/]],
    ['calendar', [/p95 \d[\s\S]+one instructor +\d/, /ratio of p50 \d/, /\d bytes an element/]],
  ])(
    '%s tells its figures and leaves nothing behind',
    async (name, figures) => {
      const report = await measure(name, '--short');
      for (const figure of figures) expect(report).toMatch(figure);
      expect(await databasesLeft()).toEqual([]);
    },
    LONGEST_MS,
  );

  it(
    'booking-commands counts what a booking is to the bus and to the database: no more than it has to be',
    async () => {
      const report = await measure('booking-commands', '--short');
      const lines = [...report.matchAll(/^ {2}(\S.*?) +(-?\d+\.\d\d) +-?\d+\.\d\d +(-?\d+\.\d\d)$/gm)];
      const alone = (what) => lines.reduce((sum, [, name, count]) => sum + (what.test(name) ? +count : 0), 0);
      const many = (what) => lines.reduce((sum, [, name, , count]) => sum + (what.test(name) ? +count : 0), 0);
      expect(alone(/^bus (limits|rpc\.(booking|scheduling)|.*describeParty)/)).toBe(4);
      const writes = /^(booking|scheduling) (insert|update|delete) (bookings|claims|days|sessions)/;
      expect(alone(writes)).toBeGreaterThanOrEqual(7);
      expect(alone(writes)).toBeLessThanOrEqual(11);
      expect(alone(/^notification insert events/)).toBeLessThanOrEqual(3);
      expect(many(/^notification .*(events|accounts)/)).toBeLessThan(alone(/^notification .*(events|accounts)/));
      expect(many(writes)).toBeLessThan(alone(writes));
      expect(await databasesLeft()).toEqual([]);
    },
    LONGEST_MS,
  );

  it('says what can be measured when it is asked for something else', async () => {
    await expect(measure('speed')).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/npm run bench -- hop\|booking/),
    });
  });
});
