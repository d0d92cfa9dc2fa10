import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listSessions } from '@swim/contracts';
import { until } from '@swim/testing';
import { type Answered, type GatewayProcess, startWorld, type World } from './gateway-parts.js';
import { expectRefused } from './sound.js';
import { onePage } from './stand-ins.js';

let world: World;
let replicas: GatewayProcess[];
const PER_MINUTE = 40;
const PER_HOUR = 100;

beforeAll(async () => {
  world = await startWorld();
  const limits = { RATE_LIMIT_PER_HOUR: String(PER_HOUR), RATE_LIMIT_PER_MINUTE: String(PER_MINUTE) };
  replicas = await Promise.all([world.gateway(limits), world.gateway(limits)]);
  world.services.answer(listSessions, () => onePage([]));
}, 90_000);
afterAll(() => world?.stop());

const ask = (key: string, replica = 0, path = '/v1/sessions') => replicas[replica]!.ask('GET', path, { key });
const race = (keys: string[], count: number) =>
  Promise.all(Array.from({ length: count }, (_, index) => ask(keys[index % keys.length]!, index % 2)));
const header = (answer: Answered, name: string) => Number(answer.headers.get(name));
const minuteOf = () => Math.floor(Date.now() / 60_000);

/** Runs this within one clock minute: again, on a fresh account, when the minute ended meanwhile. */
async function withinOneMinute<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    const minute = minuteOf();
    const result = await work();
    if (minuteOf() === minute) return result;
  }
}

describe('the limits of an account', () => {
  it('are exact over two gateways and all its keys', async () => {
    const answers = await withinOneMinute(() => {
      const { text, principal } = world.services.key();
      return race([text, world.services.key({ principal }).text], 120);
    });
    const statuses = answers.map(({ status }) => status);
    expect([
      statuses.filter((status) => status === 200).length,
      statuses.filter((status) => status === 429).length,
    ]).toEqual([PER_MINUTE, 80]);
  });

  it('are told on every answer to a key, refusals among them, and describe the hour', async () => {
    const answers = await withinOneMinute(async () => {
      const { text } = world.services.key();
      return [
        await ask(text),
        await ask(text, 1, '/v1/nothing'),
        await ask(text, 0, '/v1/sessions?limit=0'),
        await ask(text, 1, '/v1/sessions/x'),
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
    const answers = await withinOneMinute(async () => {
      const { text } = world.services.key();
      await race([text], PER_MINUTE + 20);
      // A gateway that has met a full minute asks about the hour once a second only.
      const told = (replica: number) => async (): Promise<Answered | null> => {
        const answer = await ask(text, replica);
        return header(answer, 'x-ratelimit-remaining') === PER_HOUR - PER_MINUTE ? answer : null;
      };
      return [await until(told(0), 'the hour is told'), await until(told(1), 'the hour is told')];
    });
    for (const answer of answers) {
      expectRefused(answer, 429, 'burst_limit');
      expect(answer.body.error.code).toBe('RATE_LIMIT_EXCEEDED');
      expect(header(answer, 'retry-after')).toBeGreaterThanOrEqual(1);
      expect(header(answer, 'retry-after')).toBeLessThanOrEqual(60);
    }
  });

  it('of one environment do not touch the other, nor another account', async () => {
    const statuses = await withinOneMinute(async () => {
      const { text, principal } = world.services.key();
      await race([text], PER_MINUTE + 1);
      const live = world.services.key({ principal: { ...principal, env: 'live' } }).text;
      return [await ask(text), await ask(live), await ask(world.services.key().text)].map(({ status }) => status);
    });
    expect(statuses).toEqual([429, 200, 200]);
  });

  it('of the hour, when met, are 429 until it ends, on every gateway', async () => {
    const wide = { RATE_LIMIT_PER_HOUR: '30', RATE_LIMIT_PER_MINUTE: '1000' };
    const [one, other] = await Promise.all([world.gateway(wide), world.gateway(wide)]);
    const [answers, refused, askedAtMs] = await withinOneMinute(async () => {
      const { text } = world.services.key();
      const asks = Array.from({ length: 50 }, (_, index) =>
        (index % 2 ? one : other)!.ask('GET', '/v1/sessions', { key: text }),
      );
      const all = await Promise.all(asks);
      const lastAtMs = Date.now();
      return [all, await one!.ask('GET', '/v1/sessions', { key: text }), lastAtMs] as const;
    });
    expect(answers.filter(({ status }) => status === 200).length).toBe(30);
    expectRefused(refused, 429, 'hourly_limit');
    expect(header(refused, 'x-ratelimit-remaining')).toBe(0);
    // It was answered between being asked and now.
    const answeredAt = header(refused, 'x-ratelimit-reset') - header(refused, 'retry-after');
    expect(answeredAt).toBeGreaterThan(askedAtMs / 1000 - 2);
    expect(answeredAt).toBeLessThanOrEqual(Date.now() / 1000);
  });
});
