import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { measureLatencies, type Plan, timed } from './latency.ts';
import { load, type Subject } from './load.ts';
import { answeredPass, measureInTurn } from './rounds.ts';

const PLAN = { rounds: 1, seconds: 0.1, connections: 2, warmUpRequests: 0 };
let server: Server;
afterEach(() => new Promise<void>((resolve) => void server.close(() => resolve())));

/** Starts a server that answers with the given statuses in turn. */
async function serverOf(...statuses: number[]): Promise<Subject> {
  let count = 0;
  server = createServer((_, response) => {
    response.writeHead(statuses[count++ % statuses.length]!, { connection: 'close' });
    response.end('{}');
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    name: 'fake',
    origin,
    processes: () => [{ name: 'fake', pid: process.pid }],
    request: { method: 'GET', path: '/', headers: {} },
  };
}

describe('a pass of load', () => {
  it('counts 503 and 504 apart from what succeeded', async () => {
    const pass = await answeredPass(await serverOf(200, 503, 200, 504), PLAN.seconds, 1);
    expect(pass.requests).toBeGreaterThan(0);
    expect(Math.abs(pass.requests - pass.turnedAway)).toBeLessThanOrEqual(1);
  });

  it.each([400, 409, 500])('fails on a single %i', async (status) => {
    const subject = { ...(await serverOf(status, ...Array(9).fill(200))), amount: 10 };
    await expect(load(subject, PLAN.seconds, 1)).rejects.toThrow(`fake did not only succeed: `);
  });
});

describe('rounds of passes', () => {
  it('fail when a clear share was turned away', async () => {
    const subject = await serverOf(503, 200);
    await expect(measureInTurn([subject], PLAN, () => {})).rejects.toThrow(
      /^fake: \d+ of \d+ requests were turned away/,
    );
  });

  it('take any share where the plan says so', async () => {
    const subject = await serverOf(503, 503, 503, 200);
    const passes = await measureInTurn([subject], { ...PLAN, mostTurnedAway: 1 }, () => {});
    expect(passes.get(subject.name)![0]).toMatchObject({
      requests: expect.any(Number),
      turnedAway: expect.any(Number),
    });
  });
});

describe('requests one after the other', () => {
  const measure = async ({ origin }: Subject, plan: Partial<Plan> = {}) =>
    measureLatencies('fake', [() => timed(origin, {})], { requests: 2, warmUpRequests: 0, ...plan });

  it('go on until one has succeeded, and count those that were turned away', async () => {
    const [latency] = await measure(await serverOf(503, 504, 503, 200), { mostTurnedAway: 1 });
    expect(latency).toMatchObject({ requests: 1, turnedAway: 3, p50Ms: expect.any(Number) });
  });

  it('fail when a clear share was turned away', async () => {
    await expect(measure(await serverOf(200, 503))).rejects.toThrow('fake: 1 of 2 requests were turned away');
  });

  it.each([404, 409, 500])('fail on a single %i', async (status) => {
    await expect(measure(await serverOf(200, status), { mostTurnedAway: 1 })).rejects.toThrow(`answered ${status}`);
  });
});
