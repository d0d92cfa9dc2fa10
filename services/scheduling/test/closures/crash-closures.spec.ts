import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createClosure, getClosure, getSession, listClosedSessions, makeSession, removeClosure } from '@swim/contracts';
import { inDays, until } from '@swim/testing';
import { Crashing } from '../faults/crashing.js';
import { aSession, asFamily, school, withKey } from '../harness.js';

let crashing: Crashing;
beforeAll(async () => {
  crashing = await Crashing.start();
});
afterAll(() => crashing?.stop());

const closing = (instructor: string) => ({
  instructor_ids: [instructor],
  from: inDays(10, 0),
  to: inDays(11, 0),
  reason: 'The boiler is broken',
  lessons: 'cancel' as const,
});
const isDone = async (closure_id: string) => {
  const closure = await crashing.harness.insist(getClosure, { closure_id }, { principal: school });
  return closure.status === 'done' ? closure : null;
};

describe('a process that dies after any single write', () => {
  it('cancels each lesson in closed time once, and counts it once', async () => {
    const writes = await crashing.everywhere(async (n) => {
      const instructor = crashing.people.instructor();
      const booked = aSession(instructor, crashing.people.member());
      const { id: session_id } = await crashing.harness.insist(makeSession, booked, asFamily);
      await crashing.wholeness();
      const { died, value } = await crashing.dieAt(
        n,
        createClosure,
        closing(instructor),
        withKey(`close ${n}`, school),
      );
      const done = await until(() => isDone(value.id), 'the closure is done');
      expect(done).toMatchObject({ lessons: 1, sessions: 1, cancelled: 1 });
      const { status } = await crashing.harness.insist(getSession, { session_id }, asFamily);
      expect(status).toBe('cancelled');
      const named = await crashing.harness.insist(listClosedSessions, { closureId: value.id, after: null }, {});
      expect(named.map(({ id }) => id)).toEqual([session_id]);
      await crashing.publishedOnce(session_id, ['session.created', 'session.cancelled']);
      await crashing.publishedOnce(value.id, ['closure.created', 'closure.done']);
      await crashing.wholeness();
      return died;
    });
    expect(writes).toBeGreaterThanOrEqual(10);
  }, 420_000);

  it('gives the time of a closure back', async () => {
    const writes = await crashing.everywhere(async (n) => {
      const instructor = crashing.people.instructor();
      const { id } = await crashing.harness.insist(createClosure, closing(instructor), withKey(`shut ${n}`, school));
      const { died } = await crashing.dieAt(n, removeClosure, { closure_id: id }, withKey(`open ${n}`, school));
      await until(
        () =>
          crashing.harness.insist(makeSession, aSession(instructor, crashing.people.member()), asFamily).then(
            () => true,
            () => false,
          ),
        'the time can be booked',
      );
      await crashing.publishedOnce(id, ['closure.created', 'closure.done', 'closure.removed']);
      return died;
    });
    expect(writes).toBeGreaterThanOrEqual(3);
  }, 420_000);
});
