import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import {
  type BusEvent,
  cancelSession,
  createSession,
  getSession,
  type InputOf,
  type Operation,
  updateSession,
} from '@swim/contracts';
import { AppError } from '@swim/platform';
import { type Caller, inDays, type Parts, type ServiceProcess, startProcess, until } from '@swim/testing';
import { isQuiet, read, wholeness } from './calendar-checks.js';
import { aSession, asFamily, type KnownPeople, startSurroundings, withKey } from './scheduling-parts.js';

const MOST_WRITES = 25;
const MAIN = new URL('crashing-main.mjs', import.meta.url);

let parts: Parts;
let people: KnownPeople;
let process: ServiceProcess;
let env: Record<string, string>;

beforeAll(async () => {
  ({ parts, people } = await startSurroundings());
  env = { ...parts.env, MONGODB_URI: `${parts.env.MONGODB_URI}&monitorCommands=true` };
  process = await startProcess(MAIN, env);
});
afterAll(async () => {
  await process?.kill('SIGTERM');
  await parts?.stop();
});

/** Calls until the service has an answer: as a client does that retries under one key. */
async function insist<O extends Operation>(operation: O, input: InputOf<O>, caller: Caller) {
  for (let attempt = 0; ; attempt++) {
    try {
      return await parts.call(operation, input, caller);
    } catch (error) {
      const again =
        error instanceof AppError && (error.code === 'SERVER_ERROR' || error.reason === 'idempotency_in_progress');
      if (!again || attempt > 200) throw error;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

/** Has the process die after its nth write of this call, starts it again, and finishes the call. False when it outlived it. */
async function dieAt<O extends Operation>(n: number, operation: O, input: InputOf<O>, caller: Caller) {
  await process.crashAfterWrites(n);
  const first = parts.call(operation, input, { ...caller, budgetMs: 1_500 }).catch(() => null);
  await Promise.race([process.exit(), first]);
  await until(
    async () => process.ended || isQuiet(await read(parts.database('scheduling_test'))),
    'it is dead or done',
  );
  const died =
    process.ended ||
    !(await process.crashAfterWrites(0).then(
      () => true,
      () => false,
    ));
  if (died) process = await startProcess(MAIN, env);
  return { died, value: await insist(operation, input, caller) };
}

async function eventsOf(id: string): Promise<BusEvent[]> {
  const manager = await jetstreamManager(parts.connection);
  const { state } = await manager.streams.info('EVENTS_TEST');
  const consumer = await jetstream(parts.connection).consumers.get('EVENTS_TEST', {
    filter_subjects: `event.test.scheduling.*.*.${id}`,
  });
  const events: BusEvent[] = [];
  if (state.messages === 0) return events;
  for await (const message of await consumer.fetch({ max_messages: 20, expires: 1_000 }))
    events.push(message.json<BusEvent>());
  return events;
}

const toldOnce = async (id: string, types: string[]) => {
  const events = await eventsOf(id);
  const distinct = new Map(events.map((event) => [event.id, event]));
  expect([...distinct.values()].map(({ type }) => type)).toEqual(types);
  expect([...distinct.values()].map(({ n }) => n)).toEqual(types.map((_, index) => index + 1));
};

async function crashEverywhere(story: (n: number) => Promise<boolean>): Promise<number> {
  for (let n = 1; n <= MOST_WRITES; n++) {
    if (!(await story(n))) return n - 1;
  }
  throw new Error(`It still dies after ${MOST_WRITES} writes.`);
}

describe('a process that dies after any single write', () => {
  it('loses and doubles nothing of a new session', async () => {
    const writes = await crashEverywhere(async (n) => {
      const [ins, mem] = [people.instructor(), people.member()];
      const { died, value } = await dieAt(n, createSession, aSession(ins, mem), withKey(`create ${n}`));
      const { sessions } = await wholeness(parts.database('scheduling_test'));
      expect(sessions.filter(({ instructorId }) => instructorId === ins).map(({ _id }) => _id)).toEqual([value.id]);
      await toldOnce(value.id, ['session.created']);
      return died;
    });
    expect(writes).toBeGreaterThanOrEqual(8);
  }, 180_000);

  it('loses and doubles nothing of a move', async () => {
    const writes = await crashEverywhere(async (n) => {
      const [ins, mem] = [people.instructor(), people.member()];
      const made = await parts.call(createSession, aSession(ins, mem), asFamily);
      await wholeness(parts.database('scheduling_test'));
      const { died, value } = await dieAt(
        n,
        updateSession,
        { session_id: made.id, changes: { date: inDays(12) } },
        withKey(`move ${n}`),
      );
      expect(value).toMatchObject({ id: made.id, date: inDays(12), version: 2 });
      await wholeness(parts.database('scheduling_test'));
      expect(await parts.call(getSession, { session_id: made.id }, asFamily)).toMatchObject({
        date: inDays(12),
        version: 2,
      });
      await parts.call(createSession, aSession(ins, people.member()), asFamily);
      await toldOnce(made.id, ['session.created', 'session.rescheduled']);
      return died;
    });
    expect(writes).toBeGreaterThanOrEqual(9);
  }, 180_000);

  it('loses and doubles nothing of a cancellation', async () => {
    const writes = await crashEverywhere(async (n) => {
      const [ins, mem] = [people.instructor(), people.member()];
      const made = await parts.call(createSession, aSession(ins, mem), asFamily);
      await wholeness(parts.database('scheduling_test'));
      const { died, value } = await dieAt(
        n,
        cancelSession,
        { session_id: made.id, reason: 'Flu' },
        withKey(`cancel ${n}`),
      );
      expect(value).toMatchObject({ id: made.id, status: 'cancelled', version: 2 });
      await wholeness(parts.database('scheduling_test'));
      await parts.call(createSession, aSession(ins, mem), asFamily);
      await toldOnce(made.id, ['session.created', 'session.cancelled']);
      return died;
    });
    expect(writes).toBeGreaterThanOrEqual(6);
  }, 180_000);
});
