import { afterAll, describe, expect, it } from '@jest/globals';
import type { ClosedSession, Recipient, SessionObject } from '@swim/contracts';
import type { RunningService } from '@swim/messaging';
import { newId } from '@swim/platform';
import { inDays, until, updateAll } from '@swim/testing';
import { startHere } from '../in-process.js';
import { aCancellation, aSession, messagesOf } from './mail-fixtures.js';
import { calendarOf, eventOf, harness, mailsTo, mailTo, people, publishOf, rows, server } from './mail-harness.js';

type School = ReturnType<typeof people.school>;

const replicas: RunningService[] = [];
afterAll(async () => {
  for (const replica of replicas) await replica.stop();
});

/** A session of an account that a closure has cancelled, `day` days ahead. */
const closedSession = ({ school }: School, account: Recipient, day: number, teacher = 0): ClosedSession => ({
  id: newId('ses'),
  accountId: account.id,
  memberId: account.members[0]!.id,
  instructorId: school.instructors[teacher]!.id,
  date: inDays(day, 18),
  endDate: inDays(day, 19),
  version: 2,
});

/** A closure that is done, and the events of it as scheduling publishes them. */
function aClosure(at: School, sessions: ClosedSession[]) {
  const id = newId('clo');
  people.closed.set(id, sessions);
  const cause = { requestId: id, idempotencyKey: null, actor: newId('key'), accountId: at.school.id };
  const done = eventOf(at.school, 'closure.done', { id }, { audience: [at.school.id], cause });
  const cancelled = sessions.map(({ id: sessionId, accountId }) =>
    eventOf(
      at.school,
      'session.cancelled',
      {
        ...aSession(at.family),
        id: sessionId,
        account_id: accountId,
        status: 'cancelled',
        cancellation: aCancellation(),
      } as SessionObject,
      { audience: [accountId, at.school.id], cause: { ...cause, isQuiet: true } },
    ),
  );
  return { id, done, cancelled };
}

const another = (at: School) => people.family({ instructors: at.school.instructors, name: 'Okafor' }).recipient;
const closures = () => harness.database('notification_test').collection<{ _id: string }>('done_closures');
const isWritten = async ({ id: _id }: { id: string }) =>
  (await closures().countDocuments({ _id, dueAt: null } as object)) === 1;
const allSent = async (accountIds: string[]) =>
  (await rows().countDocuments({ accountId: { $in: accountIds }, status: 'pending' } as object)) === 0;
const dueNow = () => updateAll(closures(), { dueAt: { $type: 'date' } }, { dueAt: new Date(0) });

describe('the e-mails about a closure', () => {
  it('are one for each account and each instructor, about all of its own', async () => {
    const at = people.school();
    const other = another(at);
    const sessions = [
      closedSession(at, at.family, 21),
      closedSession(at, at.family, 20, 1),
      closedSession(at, other, 20),
    ];
    const { done, cancelled } = aClosure(at, sessions);
    await publishOf(...cancelled, done);
    const { email } = await mailTo(at.family);
    expect(email.subject).toBe('Cancelled: 2 swimming lessons');
    expect(email.text).toMatch(/Mia with Tom[\s\S]+Mia with Ines/);
    expect(calendarOf(await mailTo(at.family)).getAllSubcomponents('vevent')).toHaveLength(2);
    expect((await mailTo(other)).email.subject).toMatch(/^Cancelled: swimming lesson on/);
    const [ines, tom] = at.teachers;
    expect((await mailTo(ines)).email.subject).toBe('Cancelled: 2 swimming lessons');
    expect((await mailTo(tom)).email.subject).toMatch(/^Cancelled: swimming lesson on/);
    await until(() => allSent([at.school.id, at.family.id, other.id]), 'all are sent');
    for (const each of [at.family, other, ines, tom]) expect(server.to(each.email!)).toHaveLength(1);
    expect(server.to(at.school.email!)).toEqual([]);
    const listed = await messagesOf(harness, at.principal);
    expect(listed.map(({ kind, instructor_id }) => [kind, instructor_id]).sort()).toEqual(
      at.school.instructors.map(({ id }) => ['cancelled', id]).sort(),
    );
  });

  it('are not written about lessons whose participants are not notified', async () => {
    const at = people.school();
    const closure = aClosure(at, [closedSession(at, at.family, 20)]);
    people.closed.set(closure.id, []);
    await publishOf(...closure.cancelled, closure.done);
    await until(() => isWritten(closure), 'the closure is looked at');
    expect(await messagesOf(harness, at.principal)).toEqual([]);
    expect(server.to(at.family.email!)).toEqual([]);
  });

  it('are sent once by two replicas, whatever is delivered again or late', async () => {
    replicas.push(await startHere());
    const at = people.school();
    const others = Array.from({ length: 5 }, () => another(at));
    const sessions = others.flatMap((each) => [closedSession(at, each, 20), closedSession(at, each, 21)]);
    const closure = aClosure(at, sessions);
    await publishOf(closure.done);
    await until(() => isWritten(closure), 'its messages are made');
    const { matchedCount } = await closures().updateOne({ _id: closure.id }, { $set: { dueAt: new Date(0) } });
    expect(matchedCount).toBe(1);
    await publishOf(...closure.cancelled, { ...closure.done, id: newId('evt'), n: 2 });
    await until(() => isWritten(closure), 'they are made again');
    await until(() => allSent([at.school.id, ...others.map(({ id }) => id)]), 'all are sent');
    for (const each of others) expect(await mailsTo(each)).toHaveLength(1);
    expect(server.to(at.teachers[0].email!)).toHaveLength(1);
  });

  it('wait until scheduling can be asked', async () => {
    const at = people.school();
    const closure = aClosure(at, [closedSession(at, at.family, 20)]);
    people.isDown = true;
    await publishOf(closure.done);
    const isTaken = async () =>
      (await closures().countDocuments({ _id: closure.id, dueAt: { $gt: new Date() } } as object)) === 1;
    await until(isTaken, 'it is tried');
    people.isDown = false;
    await until(async () => {
      await dueNow();
      return isWritten(closure);
    }, 'its messages are made');
    expect((await mailTo(at.family)).email.subject).toMatch(/^Cancelled: /);
  });
});
