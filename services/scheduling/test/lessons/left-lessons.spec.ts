import { afterAll, afterEach, beforeAll, expect, it, jest } from '@jest/globals';
import {
  cancelSession,
  claimBooking,
  confirmBooking,
  getLesson,
  getSession,
  type InputOf,
  type Session,
  updateLesson,
  updateSession,
} from '@swim/contracts';
import { inEnvironment } from '@swim/platform';
import { inDays, ofSeveralTries, partOf, rejectionOf, until } from '@swim/testing';
import { PlacesRepository } from '../../src/calendar/places/places.repository.js';
import { LessonsRepository } from '../../src/lessons/lessons.repository.js';
import { LessonMovesService } from '../../src/sessions/making/lesson-moves.service.js';
import { RecoveryService } from '../../src/sessions/making/recovery.service.js';
import type { SessionDocument } from '../../src/sessions/storage/session.schema.js';
import { SessionsRepository } from '../../src/sessions/storage/sessions.repository.js';
import { SlotsService } from '../../src/slots/slots.service.js';
import { wholeness } from '../calendar/calendar-checks.js';
import { beforeEachCommit, Gate, type SetFields } from '../faults/gate.js';
import { asFamily, type SchedulingHarness, school, startScheduling } from '../harness.js';
import { conversionOf } from '../holds/hold-conversion.js';

let scheduling: SchedulingHarness;
let pass: ((now: SessionDocument, set: SetFields) => Promise<void>) | undefined;
beforeAll(async () => {
  scheduling = await startScheduling();
  beforeEachCommit(scheduling, (now, set) => pass?.(now, set));
});
afterAll(() => scheduling?.stop());
afterEach(() => {
  pass = undefined;
  jest.restoreAllMocks();
});

const lessonOf = ({ lesson_id }: Session) => scheduling.harness.call(getLesson, { lesson_id }, { principal: school });
const move = ({ id: session_id }: Session, changes: object): Promise<Session> =>
  scheduling.harness.call(updateSession, { session_id, changes } as InputOf<typeof updateSession>, asFamily);
const cancel = ({ id: session_id }: Session) => scheduling.harness.call(cancelSession, { session_id }, asFamily);
const whole = () => wholeness(scheduling.harness.database('scheduling_test'));
const lessons = () => partOf(scheduling.service, LessonsRepository);

async function aPair(): Promise<[Session, Session]> {
  const sessions = [{ date: inDays(10), duration_minutes: 30 }];
  const member_ids = [scheduling.people.member(), scheduling.people.member()];
  const instructor_id = scheduling.people.instructor();
  const booking = conversionOf(scheduling.people, { id: '', instructor_id, member_ids, sessions });
  await scheduling.harness.call(claimBooking, { ...booking, holdId: null }, asFamily);
  const made = await scheduling.harness.call(confirmBooking, { bookingId: booking.bookingId }, asFamily);
  return made.sessions as [Session, Session];
}

/** Starts a move, and holds it back before its session changes over. */
async function startMove(session: Session, changes: object) {
  const gate = new Gate(session.id, (set) => set.claimId !== undefined);
  pass = (now, set) => gate.pass(now, set);
  const moving = move(session, changes);
  await gate.reached;
  return { gate, moving };
}

it('a lesson ends when its session is cancelled after a move has reserved it', async () => {
  const [a, b] = await aPair();
  await cancel(a);
  const { gate, moving } = await startMove(b, { date: inDays(11) });
  await cancel(b);
  gate.open();
  expect((await rejectionOf(moving)).reason).toBe('invalid_state');
  expect(await lessonOf(b)).toMatchObject({ status: 'cancelled' });
  await whole();
});

it('a lesson ends with a move into it that is abandoned after its last session has left', async () => {
  const [a, b] = await aPair();
  const there = await move(a, { date: inDays(12) });
  const { gate, moving } = await startMove(b, { date: inDays(12) });
  await cancel(a);
  await cancel(b);
  gate.open();
  expect((await rejectionOf(moving)).reason).toBe('invalid_state');
  expect(await lessonOf(there)).toMatchObject({ status: 'cancelled' });
  await whole();
});

it('a lesson leaves its former time when its session is cleaned up before the lesson has followed', async () => {
  const [a, b] = await aPair();
  await cancel(a);
  jest.spyOn(lessons(), 'endMoving').mockRejectedValueOnce(new Error('interrupted'));
  await rejectionOf(move(b, { date: inDays(11) }));
  await inEnvironment('test', async () => {
    const [moved] = await partOf(scheduling.service, SessionsRepository).findByIds([b.id]);
    await partOf(scheduling.service, RecoveryService).recoverSession(moved!);
  });
  await whole();
  expect(await lessonOf(b)).toMatchObject({ date: inDays(11), status: 'scheduled' });
});

it('a lesson ends when its session joins another before the lesson has followed', async () => {
  const [a, b] = await aPair();
  const there = await move(a, { date: inDays(12) });
  const repository = lessons();
  const { endMoving } = repository;
  jest.spyOn(repository, 'endMoving').mockImplementationOnce(async (...input) => {
    expect((await move(b, { date: inDays(12) })).lesson_id).toBe(there.lesson_id);
    return endMoving.apply(repository, input);
  });
  await move(b, { date: inDays(11) });
  expect(await lessonOf(b)).toMatchObject({ status: 'cancelled' });
  await whole();
});

it.each([
  ['is about to move', false],
  ['has just moved', true],
])('a session joins the other one of its booking that %s to the same time', async (_, hasMoved) => {
  const [a, b] = await aPair();
  const { gate, moving } = await startMove(a, { date: inDays(12) });
  const slots = partOf(scheduling.service, SlotsService);
  const { claim } = slots;
  jest.spyOn(slots, 'claim').mockImplementationOnce(async (...input) => {
    const rejected = await claim.apply(slots, input);
    expect(rejected.claim).toBe(null);
    gate.open();
    if (hasMoved) await moving;
    return rejected;
  });
  const joined = await move(b, { date: inDays(12) });
  expect(joined.lesson_id).toBe((await moving).lesson_id);
  expect(await lessonOf(joined)).toMatchObject({ date: inDays(12), places_left: 0 });
  await whole();
});

it('a lesson remembers a release that is repeated once', async () => {
  const { lesson_id } = (await aPair())[0];
  const places = partOf(scheduling.service, PlacesRepository);
  const release = (claimId: string) => inEnvironment('test', () => places.pullAll([[lesson_id, [claimId]]]));
  await release('first');
  for (let time = 0; time < 3; time++) await release('second');
  expect((await inEnvironment('test', () => lessons().findAny(lesson_id)))!.gone).toEqual(['first', 'second']);
});

it.each(['endMoving', 'insertPrivate'] as const)(
  'a session moves on at once after a move without its %s',
  async (write) => {
    const [a, b] = await aPair();
    if (write === 'endMoving') await cancel(a);
    jest.spyOn(lessons(), write).mockRejectedValueOnce(new Error('interrupted'));
    await rejectionOf(move(b, { date: inDays(11) }));
    expect(await lessonOf(await move(b, { date: inDays(12) }))).toMatchObject({
      date: inDays(12),
      status: 'scheduled',
    });
    await whole();
  },
);

it('sessions follow their lesson soon when the process that has moved it is killed', () =>
  ofSeveralTries(async () => {
    const [session] = await aPair();
    await whole();
    const { lesson_id } = session;
    const interrupted = jest.spyOn(partOf(scheduling.service, LessonMovesService), 'follow');
    interrupted.mockRejectedValue(new Error('killed'));
    const changes = { date: inDays(12) };
    await scheduling.harness.call(updateLesson, { lesson_id, changes }, { principal: school });
    const stored = scheduling.harness.database('scheduling_test').collection<{ _id: string }>('lessons');
    await stored.updateOne({ _id: lesson_id }, { $set: { dueAt: null } });
    interrupted.mockRestore();
    const looks = jest.spyOn(lessons().unfollowed, 'findDue').mockClear();
    await until(() => looks.mock.calls.length > 4, 'another process has found nothing to do');
    const killedAtMs = performance.now();
    await stored.updateOne({ _id: lesson_id }, { $set: { dueAt: new Date(Date.now() + 300) } });
    const sessionNow = () => scheduling.harness.call(getSession, { session_id: session.id }, asFamily);
    await until(async () => (await sessionNow()).date === inDays(12), 'the session follows');
    // Less than the time for which a process that has found nothing to do does not look for other work. A busy machine may pause.
    expect(performance.now() - killedAtMs).toBeLessThan(3_000);
    await whole();
  }));
