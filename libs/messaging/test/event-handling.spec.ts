import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type JetStreamManager, type JsMsg, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { AppError, createLogger, newId, TooEarly } from '@swim/platform';
import type { TestNats } from '../../testing/src/servers/nats-server.js';
import { until } from '../../testing/src/waiting/until.js';
import { EventHandling, type EventListener } from '../src/events/event-handling.js';
import { HUNG_AFTER_MS } from '../src/events/event-slots.js';
import { DEAD_LETTERS, eventSubject } from '../src/index.js';
import { aBus, anEvent, type LessonEvent, startClient } from './sample-service.js';

const MAX_ATTEMPTS = 3;

let nats: TestNats;
let manager: JetStreamManager;
let client: Awaited<ReturnType<typeof startClient>>;
beforeEach(async () => {
  nats = await aBus();
  client = await startClient(nats.url);
  manager = await jetstreamManager(client.connection);
});
afterEach(async () => {
  await client.stop();
  await nats.stop();
});

const logger = createLogger('tests', 'silent');
/** The handling of one process. */
const aProcess = (listener: EventListener): EventHandling => {
  const jetStream = jetstream(client.connection);
  const handling = new EventHandling({ service: 'people', jetStream, logger, maxAttempts: MAX_ATTEMPTS });
  handling.listen('*', listener);
  return handling;
};

/** Returns the outcome of the nth delivery of a message. The server itself would make the later ones after minutes. */
function outcomeOf(
  handling: EventHandling,
  events: LessonEvent[],
  deliveryCount: number,
  stream = 'EVENTS_TEST',
  delays: (number | undefined)[] = [],
): Promise<string> {
  const settled = Promise.withResolvers<string>();
  const message = {
    subject: eventSubject('booking', events[0]!),
    data: Buffer.from(JSON.stringify(events)),
    json: () => events,
    info: { stream, streamSequence: 1, deliveryCount },
    ack: () => settled.resolve('acknowledged'),
    term: () => settled.resolve('terminated'),
    nak: (delayMs?: number) => {
      delays.push(delayMs);
      settled.resolve('put off');
    },
  } as unknown as JsMsg;
  void handling.take(message, () => undefined);
  return settled.promise;
}
const deadLetters = async () => (await manager.streams.info(DEAD_LETTERS)).state.messages;
const ofTwoObjects = () => [anEvent(newId('bkg'), 1), anEvent(newId('bkg'), 1)] as [LessonEvent, LessonEvent];

describe('a message with events of several objects', () => {
  it('has none of them handled again while one never ends', async () => {
    const [hanging, other] = ofTwoObjects();
    const tries: string[] = [];
    const handling = aProcess(({ id }) => {
      tries.push(id);
      return id === hanging.id ? new Promise(() => undefined) : Promise.resolve();
    });
    for (const delivery of [1, 2, 3]) {
      void outcomeOf(handling, [hanging, other], delivery);
      await until(() => tries.filter((id) => id === hanging.id).length === delivery, 'it is tried');
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
    expect(tries.filter((id) => id === other.id)).toHaveLength(1);
  });

  it('does not make one a dead letter for the deliveries that another has caused', async () => {
    const [early, failing] = ofTwoObjects();
    const before = aProcess(async ({ id }) => {
      if (id === early.id) throw new TooEarly();
    });
    for (let delivery = 1; delivery < 10; delivery++)
      expect(await outcomeOf(before, [early, failing], delivery)).toBe('put off');
    // The next delivery goes to another process.
    let tries = 0;
    const handling = aProcess(async ({ id }) => {
      if (id === early.id) throw new TooEarly();
      if (id === failing.id && ++tries < MAX_ATTEMPTS) throw new Error('passes');
    });
    for (let delivery = 10; delivery < 10 + MAX_ATTEMPTS; delivery++)
      expect(await outcomeOf(handling, [early, failing], delivery)).toBe('put off');
    expect(tries).toBe(MAX_ATTEMPTS);
    expect(await deadLetters()).toBe(0);
  });

  it('makes one a dead letter that this process has failed to handle as often as permitted, and then leaves it out', async () => {
    const [poison, early] = ofTwoObjects();
    const tried: string[] = [];
    const handling = aProcess(async ({ id }) => {
      tried.push(id);
      if (id === poison.id) throw new Error('cannot be handled');
      if (id === early.id) throw new TooEarly();
    });
    const sound = anEvent(newId('bkg'), 1);
    for (let delivery = 1; delivery <= MAX_ATTEMPTS + 2; delivery++) {
      await outcomeOf(handling, [anEvent(newId('bkg'), 1)], 1);
      expect(await outcomeOf(handling, [poison, early, sound], delivery)).toBe('put off');
    }
    expect(await deadLetters()).toBe(1);
    expect(tried.filter((id) => id === poison.id)).toHaveLength(MAX_ATTEMPTS);
    expect(tried.filter((id) => id === sound.id)).toHaveLength(1);
  });

  it('and another one that has the same event make it one dead letter', async () => {
    const [poison, other] = ofTwoObjects();
    const fails: EventListener = async ({ id }) => {
      if (id === poison.id) throw new Error('cannot be handled');
    };
    const [first, second] = [aProcess(fails), aProcess(fails)];
    for (let delivery = 1; delivery <= MAX_ATTEMPTS; delivery++) await outcomeOf(first, [poison, other], delivery);
    expect(await outcomeOf(first, [poison], MAX_ATTEMPTS)).toBe('acknowledged');
    await outcomeOf(second, [other], 1);
    for (let delivery = 1; delivery < MAX_ATTEMPTS; delivery++)
      expect(await outcomeOf(second, [poison], delivery)).toBe('put off');
    expect(await outcomeOf(second, [poison], MAX_ATTEMPTS)).toBe('terminated');
    expect(await deadLetters()).toBe(1);
  });

  it('is logged with the subject of the event that failed', async () => {
    const [sound, failing] = ofTwoObjects();
    const logged = jest.spyOn(logger, 'error');
    const handling = aProcess(async ({ id }) => {
      if (id === failing.id) throw new Error('not now');
    });
    await outcomeOf(handling, [sound, failing], 1);
    expect(logged).toHaveBeenCalledWith(
      expect.objectContaining({ subject: eventSubject('booking', failing) }),
      'event not handled',
    );
    logged.mockRestore();
  });
});

describe('an event', () => {
  const PASSING: [string, Error][] = [
    ['what it waits for has not happened', new TooEarly()],
    ['the database is away', new AppError('unavailable', { retryAfterSeconds: 1 })],
  ];
  it.each(PASSING)('is no dead letter however long %s, nor after a failure then', async (_, reason) => {
    let error: Error | null = reason;
    const [event, other] = ofTwoObjects();
    const handling = aProcess(async ({ id }) => {
      if (id === event.id && error) throw error;
    });
    for (let delivery = 1; delivery <= 20 * MAX_ATTEMPTS; delivery++)
      expect(await outcomeOf(handling, [event], delivery)).toBe('put off');
    await outcomeOf(handling, [other], 1);
    error = new Error('passes');
    expect(await outcomeOf(handling, [event], 20 * MAX_ATTEMPTS + 1)).toBe('put off');
    error = null;
    expect(await outcomeOf(handling, [event], 20 * MAX_ATTEMPTS + 2)).toBe('acknowledged');
    expect(await deadLetters()).toBe(0);
  });
});

it('an event that was too early for long is put off by its first failure as shortly as any other', async () => {
  let error: Error = new TooEarly();
  const event = anEvent(newId('bkg'), 1);
  const handling = aProcess(() => Promise.reject(error));
  const delays: (number | undefined)[] = [];
  const put = (delivery: number) => outcomeOf(handling, [event], delivery, 'EVENTS_TEST', delays);
  for (let delivery = 1; delivery <= 40; delivery++) await put(delivery);
  error = new AppError('change_in_progress');
  await put(41);
  await put(42);
  expect(delays.slice(-3)).toEqual([2_000, 200, 400]);
});

describe('the events of all messages', () => {
  const many = (count: number) => Array.from({ length: count }, () => anEvent(newId('bkg'), 1));

  it('are handled up to 256 at once, and each in its turn', async () => {
    const open: (() => void)[] = [];
    let handled = 0;
    let most = 0;
    const handling = aProcess(async () => {
      most = Math.max(most, open.length + 1);
      await new Promise<void>((resolve) => open.push(resolve));
      handled++;
    });
    const outcomes = Array.from({ length: 20 }, () => outcomeOf(handling, many(32), 1));
    await until(() => open.length === 256, 'as many as permitted are handled');
    while (handled < 640) {
      for (const end of open.splice(0)) end();
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
    expect(await Promise.all(outcomes)).toEqual(Array(20).fill('acknowledged'));
    expect(most).toBe(256);
  });

  it('of one environment do not hold up those of the other', async () => {
    const open: (() => void)[] = [];
    const handling = aProcess(({ env }) => (env === 'live' ? Promise.resolve() : new Promise((end) => open.push(end))));
    const waiting = Array.from({ length: 9 }, () => outcomeOf(handling, many(32), 1));
    await until(() => open.length === 256, 'as many as permitted are handled');
    const live = many(32).map((event) => ({ ...event, env: 'live' as const }));
    expect(await outcomeOf(handling, live, 1, 'EVENTS_LIVE')).toBe('acknowledged');
    for (const end of open.splice(0)) end();
    await until(() => open.length === 32, 'the last message is handled');
    for (const end of open) end();
    expect(await Promise.all(waiting)).toEqual(Array(9).fill('acknowledged'));
  });

  it('that hang for half a minute hold up no others', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance'] });
    try {
      const handled: string[] = [];
      const handling = aProcess(({ id }) => {
        handled.push(id);
        return new Promise(() => undefined);
      });
      for (let message = 0; message < 8; message++) void outcomeOf(handling, many(32), 1);
      const [last] = many(1);
      void outcomeOf(handling, [last!], 1);
      await new Promise<void>((resolve) => setImmediate(resolve));
      expect(handled).toHaveLength(256);
      jest.advanceTimersByTime(HUNG_AFTER_MS);
      await new Promise<void>((resolve) => setImmediate(resolve));
      expect(handled.at(-1)).toBe(last!.id);
    } finally {
      jest.useRealTimers();
    }
  });

  it('are left to other processes when this one stops before their turn', async () => {
    const open: (() => void)[] = [];
    const handling = aProcess(() => new Promise<void>((resolve) => void open.push(resolve)));
    const first = outcomeOf(handling, many(250), 1);
    const second = outcomeOf(handling, many(32), 1);
    await until(() => open.length === 250, 'the first message is handled');
    handling.close();
    expect(await second).toBe('put off');
    expect(await outcomeOf(handling, many(1), 1)).toBe('put off');
    for (const end of open) end();
    expect(await first).toBe('acknowledged');
  });
});
