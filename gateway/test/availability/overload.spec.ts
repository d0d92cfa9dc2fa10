import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createSession, listMembers, type Reason, type RecordedRequest, recordRequests } from '@swim/contracts';
import { AppError } from '@swim/platform';
import { ofSeveralTries, until } from '@swim/testing';
import { lesson } from '../fixtures/bodies.js';
import { expectError } from '../fixtures/expectations.js';
import { onceEach, onePage } from '../fixtures/fake-services.js';
import {
  type Answered,
  type GatewayHarness,
  type GatewayProcess,
  NO_LIMITS,
  startHarness,
} from '../fixtures/harness.js';

/** Timers of the client and of the gateway end in different milliseconds. */
const PAUSE_MS = 245;
const [IN_FLIGHT, QUEUED] = [128, 64];
/** Most requests of a connection that may wait for their answers. */
const PIPELINED = 16;

let harness: GatewayHarness;
let gateway: GatewayProcess;
let key: string;

beforeAll(async () => {
  harness = await startHarness();
  key = harness.services.key().text;
  gateway = await harness.gateway({ ...NO_LIMITS, LOG_LEVEL: 'silent' });
});
afterAll(() => harness?.stop());

const members = (from = gateway, as = key) => from.send('GET', '/v1/members', { key: as });
const post = (body: object = lesson()) => gateway.send('POST', '/v1/sessions', { key, body });
/** Sends so many requests at once on one connection, which the last of them ends; returns the first answer. */
function postAtOnce(count: number, { body = lesson() as object, as = key, query = '' } = {}): Promise<Answered> {
  const content = JSON.stringify(body);
  const bytes = (connection: string) =>
    [
      `POST /v1/sessions${query} HTTP/1.1`,
      'Host: api.test',
      `Authorization: Bearer ${as}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(content)}`,
      `Connection: ${connection}`,
      '',
      content,
    ].join('\r\n');
  return gateway.bytes(bytes('keep-alive').repeat(count - 1) + bytes('close'), { endsAfterMs: 60_000 });
}
const rejectMembers = (reason: Reason) =>
  harness.services.answer(listMembers, () => Promise.reject(new AppError(reason)));

async function timed(answering: Promise<Answered>): Promise<{ answer: Answered; tookMs: number }> {
  const startedAtMs = performance.now();
  const answer = await answering;
  return { answer, tookMs: performance.now() - startedAtMs };
}

describe('while the bulkhead of a service is full', () => {
  it('a request is rejected before its body is read, and after its key and scope are checked', async () => {
    const reader = harness.services.key({ principal: { scopes: ['sessions:read'] } }).text;
    // A place in the queue lasts a tenth of a second: the queue is filled again until a request arrives while it is full. Each time
    // all are answered, since requests that reach their deadline open the circuit.
    const [invalid, dryRun, badKey, noScope] = await until(async () => {
      const gate = Promise.withResolvers<object>();
      harness.services.answer(createSession, () => gate.promise);
      const pending = Array.from({ length: (IN_FLIGHT + QUEUED) / PIPELINED }, () => postAtOnce(PIPELINED));
      const answers = await Promise.all([
        timed(postAtOnce(1, { body: lesson({ wrong: true }) })),
        timed(postAtOnce(1, { query: '?dry_run=true' })),
        timed(postAtOnce(1, { body: lesson({ wrong: true }), as: `${key.slice(0, -4)}0000` })),
        timed(postAtOnce(1, { body: lesson({ wrong: true }), as: reader })),
      ]);
      gate.resolve({});
      await Promise.all(pending);
      return answers[0].answer.status === 503 && answers[1].answer.status === 503 ? answers : null;
    }, 'the request arrives while the queue is full');
    for (const { answer, tookMs } of [invalid, dryRun]) {
      expectError(answer, 503, 'overloaded');
      expect(answer.headers.get('retry-after')).toBe('1');
      expect(tookMs).toBeGreaterThanOrEqual(PAUSE_MS);
    }
    expect([badKey.answer.status, noScope.answer.status]).toEqual([401, 403]);
    expectError(await post(lesson({ wrong: true })), 400, 'unknown_field');
    expect((await post()).status).toBe(201);
  });
});

describe('a rejection', () => {
  it('for overload is answered after a pause, also where the service itself has rejected the request', async () => {
    rejectMembers('overloaded');
    const { answer, tookMs } = await timed(members());
    expectError(answer, 503, 'overloaded');
    expect(tookMs).toBeGreaterThanOrEqual(PAUSE_MS);
  });

  it.each<[Reason, number]>([
    ['busy_retry', 503],
    ['resource_not_found', 404],
  ])('as %s is not delayed', async (reason, status) => {
    rejectMembers(reason);
    await ofSeveralTries(async () => {
      const { answer, tookMs } = await timed(members());
      expectError(answer, status, reason);
      expect(tookMs).toBeLessThan(PAUSE_MS);
    });
  });

  it('that is held back is sent at once, with Connection: close, when the gateway gets SIGTERM', async () => {
    await ofSeveralTries(async () => {
      const stopping = await harness.gateway(NO_LIMITS);
      // The first request of a process takes long.
      harness.services.answer(listMembers, () => onePage([]));
      expect((await members(stopping)).status).toBe(200);
      rejectMembers('overloaded');
      const received = harness.services.requestsOf(listMembers).length;
      const rejected = timed(members(stopping));
      await until(() => harness.services.requestsOf(listMembers).length > received, 'the service has the request');
      const ended = stopping.stop('SIGTERM');
      const { answer, tookMs } = await rejected;
      expectError(answer, 503, 'overloaded');
      expect(answer.headers.get('connection')).toBe('close');
      expect(tookMs).toBeLessThan(PAUSE_MS);
      expect(await ended).toBe(0);
    });
  });
});

describe('the request log of an account', () => {
  it('has the first rejections for overload of a second; a metric counts the others', async () => {
    rejectMembers('overloaded');
    const { text, principal } = harness.services.key();
    const lost = async () => {
      const metrics = await (await fetch(`http://127.0.0.1:${gateway.healthPort}/metrics`)).text();
      return Number(/swim_request_log_lost_total\{reason="overloaded"\} (\d+)/.exec(metrics)?.[1] ?? 0);
    };
    const before = await lost();
    const answers = await Promise.all(Array.from({ length: 60 }, () => members(gateway, text)));
    const entries = () =>
      onceEach(
        harness.services
          .requestsOf(recordRequests)
          .flatMap(({ input }) => input.answeredRequests as RecordedRequest[])
          .filter(({ account_id: id }) => id === principal.accountId),
      );
    await until(
      async () => entries().length + (await lost()) - before === answers.length,
      'each is recorded or counted',
    );
    expect(await lost()).toBeGreaterThan(before);
    expect(entries().length).toBeGreaterThanOrEqual(10);
    expect(entries()[0]).toMatchObject({ status: 503, reason: 'overloaded', path: '/v1/members' });
    expect(answers.map(({ body }) => body.meta.request_id)).toContain(entries()[0]!.request_id);
  });
});
