import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cancelSession, getSession, makeSession, updateSession } from '@swim/contracts';
import { inDays } from '@swim/testing';
import { aSession, asFamily, withKey } from '../harness.js';
import { Crashing } from './crashing.js';

let crashing: Crashing;
beforeAll(async () => {
  crashing = await Crashing.start();
});
afterAll(() => crashing?.stop());

describe('a process that dies after any single write', () => {
  it('loses and doubles nothing of a new session', async () => {
    const writes = await crashing.everywhere(async (n) => {
      const [ins, mem] = [crashing.people.instructor(), crashing.people.member()];
      const { died, value } = await crashing.dieAt(n, makeSession, aSession(ins, mem), withKey(`create ${n}`));
      const { sessions } = await crashing.wholeness();
      expect(sessions.filter(({ instructorId }) => instructorId === ins).map(({ _id }) => _id)).toEqual([value.id]);
      await crashing.publishedOnce(value.id, ['session.created']);
      return died;
    });
    expect(writes).toBeGreaterThanOrEqual(8);
  }, 420_000);

  it('loses and doubles nothing of a move', async () => {
    const writes = await crashing.everywhere(async (n) => {
      const [ins, mem] = [crashing.people.instructor(), crashing.people.member()];
      const made = await crashing.harness.insist(makeSession, aSession(ins, mem), asFamily);
      await crashing.wholeness();
      const { died, value } = await crashing.dieAt(
        n,
        updateSession,
        { session_id: made.id, changes: { date: inDays(12) } },
        withKey(`move ${n}`),
      );
      expect(value).toMatchObject({ id: made.id, date: inDays(12), version: 2 });
      await crashing.wholeness();
      expect(await crashing.harness.insist(getSession, { session_id: made.id }, asFamily)).toMatchObject({
        date: inDays(12),
        version: 2,
      });
      await crashing.harness.insist(makeSession, aSession(ins, crashing.people.member()), asFamily);
      await crashing.publishedOnce(made.id, ['session.created', 'session.rescheduled']);
      return died;
    });
    expect(writes).toBeGreaterThanOrEqual(9);
  }, 420_000);

  it.each([
    ['a cancellation', 'cancel', () => crashing.wholeness()],
    ['a cancellation before the claim is fulfilled', 'early', () => undefined],
  ])(
    'loses and doubles nothing of %s',
    async (_, key, before) => {
      const writes = await crashing.everywhere(async (n) => {
        const [ins, mem] = [crashing.people.instructor(), crashing.people.member()];
        const made = await crashing.harness.insist(makeSession, aSession(ins, mem), asFamily);
        await before();
        const { died, value } = await crashing.dieAt(
          n,
          cancelSession,
          { session_id: made.id, reason: 'Flu' },
          withKey(`${key} ${n}`),
        );
        expect(value).toMatchObject({ id: made.id, status: 'cancelled', version: 2 });
        await crashing.wholeness();
        await crashing.harness.insist(makeSession, aSession(ins, mem), asFamily);
        await crashing.publishedOnce(made.id, ['session.created', 'session.cancelled']);
        return died;
      });
      expect(writes).toBeGreaterThanOrEqual(6);
    },
    420_000,
  );

  it('loses and doubles nothing of a reminder', async () => {
    const writes = await crashing.everywhere(async (n) => {
      const [ins, mem] = [crashing.people.instructor(), crashing.people.member()];
      const made = await crashing.harness.insist(makeSession, aSession(ins, mem), asFamily);
      await crashing.wholeness();
      const died = await crashing.dieOnReminder(n, made.id);
      await crashing.wholeness();
      await crashing.publishedOnce(made.id, ['session.created', 'session.reminder']);
      return died;
    });
    expect(writes).toBeGreaterThanOrEqual(3);
  }, 420_000);
});
