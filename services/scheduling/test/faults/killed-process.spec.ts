import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { jetstreamManager } from '@nats-io/jetstream';
import { makeSession } from '@swim/contracts';
import { AppError } from '@swim/platform';
import { type ServiceProcess, startProcess, type TestHarness, until } from '@swim/testing';
import { wholeness } from '../calendar/calendar-checks.js';
import { aSession, type KnownPeople, startSurroundings, withKey } from '../harness.js';

// `crash.spec.ts` simulates a crash after any write. Killing one real process shows that no other state is lost; `npm run
// chaos` kills the process after every write.
const WRITES = process.env.CHAOS ? Array.from({ length: 8 }, (_, index) => index + 1) : [4];
const MAIN = new URL('crashing-main.mjs', import.meta.url);

jest.setTimeout(600_000);

let harness: TestHarness;
let people: KnownPeople;
let env: Record<string, string>;
let scheduling: ServiceProcess;
beforeAll(async () => {
  ({ harness, people } = await startSurroundings());
  const uri = new URL(harness.env.MONGODB_URI!);
  uri.searchParams.set('monitorCommands', 'true');
  // The short leases of `startHarness`: here they must expire on their own.
  env = { ...harness.env, MONGODB_URI: uri.href };
  scheduling = await startProcess(MAIN, env);
});
afterAll(async () => {
  await scheduling?.kill('SIGTERM');
  await harness?.stop();
});

/** Whether the request is to be retried: after a server error, or while a run under the same key is in progress. */
const isPassing = (error: unknown): boolean =>
  error instanceof AppError && (error.code === 'SERVER_ERROR' || error.reason === 'idempotency_in_progress');

it.each(WRITES)(
  'a process killed after write %i of a new session: the same key creates it once and publishes it once',
  async (n) => {
    const [instructor, options] = [people.instructor(), withKey(`killed ${n}`)];
    const input = aSession(instructor, people.member());
    const create = () =>
      harness.call(makeSession, input, options).catch((error: unknown) => {
        if (isPassing(error)) return null;
        throw error;
      });
    await wholeness(harness.database('scheduling_test'));
    await scheduling.crashAfterWrites(n);
    const first = create();
    await scheduling.exit();
    scheduling = await startProcess(MAIN, env);
    const { id } = (await first) ?? (await until(create, 'the session is made'));
    const { sessions } = await wholeness(harness.database('scheduling_test'));
    expect(sessions.filter(({ instructorId }) => instructorId === instructor).map(({ _id }) => _id)).toEqual([id]);
    // The stream drops messages with an id that it has received before.
    const published = `event.test.scheduling.*.*.${id}`;
    const { streams } = await jetstreamManager(harness.connection);
    const { state } = await streams.info('EVENTS_TEST', { subjects_filter: published });
    expect(Object.values(state.subjects ?? {})).toEqual([1]);
  },
);
