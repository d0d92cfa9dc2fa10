import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type Reason, type WaitlistEntry } from '@swim/contracts';
import { AppError } from '@swim/platform';
import { inDays, until } from '@swim/testing';
import { type SchedulingHarness, startScheduling } from '../harness.js';
import { aPlace, lessonsOf, lineOf } from '../holds/waitlist-client.js';
import { classLinesOf } from './class-lines.js';

jest.setTimeout(120_000);
let scheduling: SchedulingHarness;
beforeAll(async () => {
  scheduling = await startScheduling();
});
afterEach(() => {
  jest.restoreAllMocks();
});
afterAll(() => scheduling?.stop());

const { aFullLesson, aFullClass, join, joinClass, cancel, endAll, read } = classLinesOf(() => scheduling);
const { book } = lessonsOf(() => scheduling);

/** Two entries in line for what is taken, and what frees it. */
interface Line {
  entries: [WaitlistEntry, WaitlistEntry];
  free(): Promise<unknown>;
}

const LINES: [string, () => Promise<Line>][] = [
  [
    'a place in a lesson',
    async () => {
      const { lesson, sessions } = await aFullLesson();
      return { entries: [await join(lesson), await join(lesson)], free: () => cancel(sessions[0]!) };
    },
  ],
  [
    'a place in a class',
    async () => {
      const { frogs, sessions } = await aFullClass();
      return { entries: [await joinClass(frogs), await joinClass(frogs)], free: () => endAll(sessions) };
    },
  ],
  [
    'the time of an instructor',
    async () => {
      const { harness, people } = scheduling;
      const wait = () =>
        lineOf(() => harness).join(
          aPlace(people, session.instructor_id, { date_from: session.date, date_to: inDays(10, 10, 30) }),
        );
      const session = await book(people.instructor());
      return { entries: [await wait(), await wait()], free: () => cancel(session) };
    },
  ],
];

/** Makes people fail for a member, at most so often. */
function failFor(memberId: string, reason: Reason, times: number): () => number {
  const { people } = scheduling;
  const answer = people.describe.bind(people);
  let failures = 0;
  jest.spyOn(people, 'describe').mockImplementation((instructorId, memberIds, requester) => {
    if (!memberIds.includes(memberId) || failures === times) return answer(instructorId, memberIds, requester);
    failures++;
    throw new AppError(reason);
  });
  return () => failures;
}

describe.each(LINES)('%s that becomes free', (_, start) => {
  const firstOffered = async ({ entries, free }: Line) => {
    await free();
    return until(
      async () => (await Promise.all(entries.map((each) => read(each)))).find(({ status }) => status === 'offered'),
      'an entry is offered it',
    );
  };

  it.each<Reason>(['busy_retry', 'unavailable'])(
    'is offered to the first in line again when its offer failed with %s',
    async (reason) => {
      const line = await start();
      const [first, second] = line.entries;
      const failures = failFor(first.member_id, reason, 1);
      expect((await firstOffered(line)).id).toBe(first.id);
      expect(failures()).toBe(1);
      expect((await read(second)).status).toBe('waiting');
    },
  );

  it('is offered to the next in line while the first fails with an error of the service', async () => {
    const line = await start();
    const [first, second] = line.entries;
    const failures = failFor(first.member_id, 'internal', Number.POSITIVE_INFINITY);
    expect((await firstOffered(line)).id).toBe(second.id);
    expect(failures()).toBeGreaterThan(0);
    expect((await read(first)).status).toBe('waiting');
  });
});
