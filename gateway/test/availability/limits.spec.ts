import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listSessions } from '@swim/contracts';
import { until, withClockOff } from '@swim/testing';
import { expectError } from '../fixtures/expectations.js';
import { onePage } from '../fixtures/fake-services.js';
import { type Answered, type GatewayHarness, type GatewayProcess, startHarness } from '../fixtures/harness.js';
import { withinOneMinute } from '../fixtures/one-minute.js';

let harness: GatewayHarness;
let replicas: GatewayProcess[];
const PER_MINUTE = 40;
const PER_HOUR = 100;

beforeAll(async () => {
  harness = await startHarness();
  const limits = { RATE_LIMIT_PER_HOUR: String(PER_HOUR), RATE_LIMIT_PER_MINUTE: String(PER_MINUTE) };
  replicas = await Promise.all([harness.gateway(limits), harness.gateway(limits)]);
  harness.services.answer(listSessions, () => onePage([]));
});
afterAll(() => harness?.stop());

const send = (key: string, replica = 0, path = '/v1/sessions') => replicas[replica]!.send('GET', path, { key });
const race = (keys: string[], count: number) =>
  Promise.all(Array.from({ length: count }, (_, index) => send(keys[index % keys.length]!, index % 2)));
const header = (answer: Answered, name: string) => Number(answer.headers.get(name));

describe('the limits of an account', () => {
  it('are exact over two gateways and all its keys', async () => {
    const answers = await withinOneMinute(() => {
      const { text, principal } = harness.services.key();
      return race([text, harness.services.key({ principal }).text], 120);
    });
    const statuses = answers.map(({ status }) => status);
    expect([
      statuses.filter((status) => status === 200).length,
      statuses.filter((status) => status === 429).length,
    ]).toEqual([PER_MINUTE, 80]);
  });

  it('are on every answer to a key, errors among them, and describe the hour', async () => {
    const answers = await withinOneMinute(async () => {
      const { text } = harness.services.key();
      return [
        await send(text),
        await send(text, 1, '/v1/nothing'),
        await send(text, 0, '/v1/sessions?limit=0'),
        await send(text, 1, '/v1/sessions/x'),
      ];
    });
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 400, 404]);
    expect(answers.map((answer) => header(answer, 'x-ratelimit-remaining'))).toEqual([99, 98, 97, 96]);
    for (const answer of answers) {
      expect(header(answer, 'x-ratelimit-limit')).toBe(PER_HOUR);
      expect(header(answer, 'x-ratelimit-reset')).toBe(
        (Math.floor(Date.parse(answer.body.meta.timestamp) / 3_600_000) + 1) * 3_600,
      );
    }
  });

  it('of the minute, when met, are 429 with Retry-After within it, and cost nothing of the hour', async () => {
    const [, answers] = await withinOneMinute(async (isOver) => {
      const { text } = harness.services.key();
      const raced = await race([text], PER_MINUTE + 20);
      // A gateway that has met a full minute reads the hour once a second only.
      const denied = (replica: number) => async (): Promise<Answered | null> => {
        const answer = await send(text, replica);
        const isKnown = header(answer, 'x-ratelimit-remaining') === PER_HOUR - PER_MINUTE;
        return isKnown || isOver() ? answer : null;
      };
      const known = [await until(denied(0), 'the hour is known'), await until(denied(1), 'the hour is known')];
      return [raced, known] as const;
    });
    for (const answer of answers) {
      expectError(answer, 429, 'burst_limit');
      expect(answer.body.error.code).toBe('RATE_LIMIT_EXCEEDED');
      expect(header(answer, 'retry-after')).toBeGreaterThanOrEqual(1);
      expect(header(answer, 'retry-after')).toBeLessThanOrEqual(60);
    }
  });

  it('of one environment do not touch the other, nor another account', async () => {
    const [, answers] = await withinOneMinute(async () => {
      const { text, principal } = harness.services.key();
      const raced = await race([text], PER_MINUTE + 1);
      const live = harness.services.key({ principal: { ...principal, env: 'live' } }).text;
      return [raced, [await send(text), await send(live), await send(harness.services.key().text)]] as const;
    });
    expect(answers.map(({ status }) => status)).toEqual([429, 200, 200]);
  });

  it('of the hour, when met, are 429 until it ends, on every gateway', async () => {
    const wide = { RATE_LIMIT_PER_HOUR: '30', RATE_LIMIT_PER_MINUTE: '1000' };
    const [one, other] = await Promise.all([harness.gateway(wide), harness.gateway(wide)]);
    const [answers, rejected, requestedAtMs] = await withinOneMinute(async () => {
      const { text } = harness.services.key();
      const requests = Array.from({ length: 50 }, (_, index) =>
        (index % 2 ? one : other)!.send('GET', '/v1/sessions', { key: text }),
      );
      const all = await Promise.all(requests);
      const lastAtMs = Date.now();
      return [all, await one!.send('GET', '/v1/sessions', { key: text }), lastAtMs] as const;
    });
    expect(answers.filter(({ status }) => status === 200).length).toBe(30);
    expectError(rejected, 429, 'hourly_limit');
    expect(header(rejected, 'x-ratelimit-remaining')).toBe(0);
    // It was answered between the request and now.
    const answeredAt = header(rejected, 'x-ratelimit-reset') - header(rejected, 'retry-after');
    expect(answeredAt).toBeGreaterThan(requestedAtMs / 1000 - 2);
    expect(answeredAt).toBeLessThanOrEqual(Date.now() / 1000);
  });
});

describe('the limits on gateways whose machines have wrong clocks', () => {
  const limits = { RATE_LIMIT_PER_HOUR: String(PER_HOUR), RATE_LIMIT_PER_MINUTE: String(PER_MINUTE) };
  const wrong = (offsetMs: number) => harness.gateway({ ...limits, NODE_OPTIONS: withClockOff(offsetMs) });

  it('are those of the true minute and hour: 4 s or 10 min ahead change nothing', async () => {
    const gateways = [...replicas, await wrong(4_000), await wrong(600_000), await wrong(-600_000)];
    const answers = await withinOneMinute(() => {
      const { text } = harness.services.key();
      const requests = Array.from({ length: 100 }, (_, index) => gateways[index % gateways.length]!);
      return Promise.all(requests.map((gateway) => gateway.send('GET', '/v1/sessions', { key: text })));
    });
    expect(answers.filter(({ status }) => status === 200).length).toBe(PER_MINUTE);
    expect(new Set(answers.map((answer) => header(answer, 'x-ratelimit-reset'))).size).toBe(1);
    for (const { body } of answers)
      expect(Math.abs(Date.parse(body.meta.timestamp) - Date.now())).toBeLessThan(300_000);
    await Promise.all(gateways.slice(2).map((gateway) => gateway.stop()));
  });
});
