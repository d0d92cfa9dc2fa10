import { describe, expect, it } from '@jest/globals';
import { type Principal, type Recipient, sendEmailConfirmation } from '@swim/contracts';
import { newId } from '@swim/platform';
import { inDays, until } from '@swim/testing';
import { publishTwin } from '../bus.js';
import { aBooking, aCancellation, aSession, messagesOf } from './mail-fixtures.js';
import {
  calendarOf,
  eventOf,
  gathered,
  harness,
  mailsTo,
  mailTo,
  messageWith,
  people,
  publishOf,
  rows,
  server,
} from './mail-harness.js';

type School = ReturnType<typeof people.school>;

/** What makes an event that of a lesson of the school, which has acted itself. */
const bySchool = ({ school, family }: School) => ({
  audience: [family.id, school.id],
  cause: { requestId: newId('req'), idempotencyKey: null, actor: newId('key'), accountId: school.id },
});
const lessonOf = ({ family }: School, overrides = {}) => aSession(family, overrides);
const toInstructors = async (principal: Principal) =>
  (await messagesOf(harness, principal)).filter(({ instructor_id }) => instructor_id !== null);
const methodOf = async (recipient: Recipient) => calendarOf(await mailTo(recipient)).getFirstPropertyValue('method');

describe('an e-mail to an instructor', () => {
  it('is one about a booking, in the language of the school and his zone, and goes to nobody else', async () => {
    const at = people.school({ locale: 'de' });
    const { family, teachers, school } = at;
    const sessions = [20, 21].map((day) => lessonOf(at, { date: inDays(day, 18), end_date: inDays(day, 19) }));
    await publishOf(
      eventOf(family, 'session.created', { ...sessions[0]!, booking_id: newId('bkg') } as never, bySchool(at)),
      eventOf(family, 'booking.confirmed', aBooking(family, sessions), bySchool(at)),
    );
    const mail = await mailTo(teachers[0]);
    expect(mail.email.subject).toBe('Gebucht: 2 Schwimmstunden');
    expect(mail.email.text).toContain('Nordamerikanische Ostküsten');
    expect(mail.email.text).toContain('Mia mit Ines');
    expect(calendarOf(mail).getAllSubcomponents('vevent')).toHaveLength(2);
    await messageWith(at.principal, 'sent');
    expect(await toInstructors(at.principal)).toMatchObject([{ kind: 'booked', event_ids: [expect.any(String)] }]);
    expect([teachers[1], school].flatMap(({ email }) => server.to(email!))).toEqual([]);
    expect(await mailsTo(family)).toHaveLength(1);
  });

  it('has his lessons alone of a booking with several instructors, of all of which the family is written', async () => {
    const at = people.school();
    const sessions = at.teachers.map((_, index) =>
      lessonOf(at, {
        ...{ instructor_id: at.school.instructors[index]!.id, date: inDays(20 + index, 18) },
        end_date: inDays(20 + index, 19),
      }),
    );
    await publishOf(eventOf(at.family, 'booking.confirmed', aBooking(at.family, sessions), bySchool(at)));
    const named = async (recipient: Recipient) => (await mailTo(recipient)).email.text!.match(/with (?:Ines|Tom)/g);
    expect(await named(at.teachers[0])).toEqual(['with Ines']);
    expect(await named(at.teachers[1])).toEqual(['with Tom']);
    expect(await named(at.family)).toEqual(['with Ines', 'with Tom']);
  });

  it('is one of his own about lessons of the school’s own members, and beside that to a school', async () => {
    const at = people.school();
    const own = { ...lessonOf(at), account_id: at.school.id };
    await publishOf(eventOf(at.school, 'session.created', own, { audience: [at.school.id] }));
    expect((await mailTo(at.teachers[0])).email.subject).toMatch(/^Booked: /);
    expect(await mailsTo(at.school)).toHaveLength(1);
  });

  it('says where and when a moved lesson is, and what was cancelled', async () => {
    const at = people.school();
    const session = lessonOf(at, { version: 2 });
    people.places.set(session.id, { type: 'pool', pool: 'City Baths, Uferweg 1' });
    const previous = { date: '2027-02-27T09:00:00.000Z', version: 1 };
    await publishOf(eventOf(at.family, 'session.rescheduled', session, { ...bySchool(at), previous }));
    const { email } = await mailTo(at.teachers[0]);
    expect(email.subject).toMatch(/^Moved: /);
    expect(email.text).toMatch(/City Baths, Uferweg 1\n- Before: Saturday, February 27, 2027/);
    const cancelled = { ...session, version: 3, status: 'cancelled' as const, cancellation: aCancellation() };
    await publishOf(eventOf(at.family, 'session.cancelled', cancelled, { ...bySchool(at), n: 2 }));
    const mails = await mailsTo(at.teachers[0], 2);
    expect(mails[1]!.email.subject).toMatch(/^Cancelled: /);
    expect(calendarOf(mails[1]!).getFirstPropertyValue('method')).toBe('CANCEL');
  });

  it('is one about the lessons of his day, from their first reminders; second ones add none', async () => {
    const at = people.school();
    const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
    const remindedOf = (hours: number) => {
      const booking_id = newId('bkg');
      const session = lessonOf(at, { booking_id, date: inHours(hours), end_date: inHours(hours + 1) });
      const cause = { requestId: null, idempotencyKey: null, actor: 'system', accountId: at.school.id };
      return eventOf(at.family, 'session.reminder', session, { audience: [at.family.id, at.school.id], cause });
    };
    await publishOf(remindedOf(24), remindedOf(26), remindedOf(2));
    await gathered(at.school.id, 2);
    expect((await mailTo(at.teachers[0])).email.subject).toBe('Reminder: 2 swimming lessons');
    await messageWith(at.principal, 'sent');
    expect(await toInstructors(at.principal)).toMatchObject([
      { kind: 'reminder', event_ids: [expect.any(String), expect.any(String)] },
    ]);
  });

  it('goes to both instructors when a lesson is handed over, to the former one with its former time', async () => {
    const at = people.school();
    const [ines, tom] = at.teachers;
    const session = lessonOf(at, { version: 2, instructor_id: at.school.instructors[1]!.id });
    const previous = {
      instructor_id: at.school.instructors[0]!.id,
      date: '2027-02-27T09:00:00.000Z',
      end_date: '2027-02-27T09:30:00.000Z',
    };
    await publishOf(eventOf(at.family, 'session.rescheduled', session, { ...bySchool(at), previous }));
    const [former, next] = [(await mailTo(ines)).email, (await mailTo(tom)).email];
    expect(former.subject).toBe('Handed over: swimming lesson on Saturday, February 27, 2027');
    expect(former.text).toContain('Another instructor takes over this lesson at City Baths:');
    expect(next.subject).toBe('Handed over: swimming lesson on Monday, March 1, 2027');
    expect(next.text).toContain('You take over this lesson at City Baths:');
    expect(next.text).not.toContain('Before');
    expect([await methodOf(ines), await methodOf(tom)]).toEqual(['CANCEL', 'REQUEST']);
    expect((await mailTo(at.family)).email.text).toContain('new instructor');
  });

  it('about a cancelled booking is one to each of its instructors', async () => {
    const at = people.school();
    const cause = bySchool(at);
    const ended = [0, 0, 1].map((which, index) =>
      lessonOf(at, {
        booking_id: 'bkg_shared',
        instructor_id: at.school.instructors[which]!.id,
        date: inDays(20 + index),
        status: 'cancelled',
        version: 2,
        cancellation: aCancellation(),
      }),
    );
    await publishOf(...ended.map((each) => eventOf(at.family, 'session.cancelled', each, cause)));
    await gathered(at.school.id, 3);
    expect((await mailTo(at.teachers[0])).email.subject).toBe('Cancelled: 2 swimming lessons');
    expect((await mailTo(at.teachers[1])).email.subject).toMatch(/^Cancelled: swimming lesson on/);
  });

  it('is not written with notify_participants: false, to an unconfirmed address, or a second time to that of the school', async () => {
    const at = people.school();
    const [ines, tom] = at.teachers;
    const quiet = { ...bySchool(at), cause: { ...bySchool(at).cause, isQuiet: true } };
    const cancelled = { status: 'cancelled' as const, version: 2, cancellation: aCancellation(false) };
    await publishOf(
      eventOf(at.family, 'session.created', lessonOf(at), quiet),
      eventOf(at.family, 'session.cancelled', lessonOf(at, cancelled), bySchool(at)),
    );
    people.accounts.set(at.school.instructors[0]!.id, { ...ines, email: null });
    await publishOf(eventOf(at.family, 'session.created', lessonOf(at), bySchool(at)));
    expect(await messageWith(at.principal, 'skipped')).toMatchObject({
      reason: 'address_unconfirmed',
      instructor_id: at.school.instructors[0]!.id,
    });
    // As in the sandbox, and of a school with one instructor.
    people.accounts.set(at.school.instructors[1]!.id, { ...tom, email: at.school.email, isAccounts: true });
    const toTom = { instructor_id: at.school.instructors[1]!.id };
    const byFamily = { audience: [at.family.id, at.school.id] };
    await publishOf(eventOf(at.family, 'session.created', lessonOf(at, toTom), byFamily));
    await mailTo(at.school);
    const reasons = async () => (await toInstructors(at.principal)).map(({ reason }) => reason);
    await until(async () => (await reasons())[0] === 'same_address', 'that to Tom is skipped');
    await publishOf(eventOf(at.family, 'session.created', lessonOf(at, toTom), bySchool(at)));
    await mailsTo(at.school, 2);
    expect(await reasons()).toEqual([null, 'same_address', 'address_unconfirmed']);
    expect(server.to(at.school.email!)).toHaveLength(2);
  });

  it('is stored when its event is delivered again, where a crash has left only the message to the account', async () => {
    const at = people.school();
    const byFamily = { audience: [at.family.id, at.school.id] };
    const event = eventOf(at.family, 'session.created', lessonOf(at), byFamily);
    await publishOf(event);
    await mailTo(at.teachers[0]);
    await messageWith(at.principal, 'sent');
    await rows().deleteOne({ instructorId: at.school.instructors[0]!.id } as object);
    await publishTwin(harness, event);
    await mailsTo(at.teachers[0], 2);
    await mailTo(at.school);
    expect(await mailsTo(at.family)).toHaveLength(1);
  });
});

describe('the link by which an instructor confirms an address', () => {
  it('names the school as plain text, and can be sent once', async () => {
    const { principal, school } = people.school();
    const [confirmationId, instructorId] = [newId('req'), newId('ins')];
    const email = `${confirmationId}@example.test`;
    const issued = { email, token: 'live.a.b.c', locale: 'en' as const, schoolName: 'evil.example/pay' };
    people.confirmations.set(confirmationId, issued);
    const input = { accountId: school.id, instructorId, confirmationId };
    for (let time = 0; time < 2; time++) await harness.call(sendEmailConfirmation, input, { principal });
    expect(await messageWith(principal, 'sent')).toMatchObject({
      kind: 'email_confirmation',
      instructor_id: instructorId,
    });
    const [mail, ...others] = server.to(email);
    expect(others).toEqual([]);
    expect(mail!.email.text).toContain('The school “evil example pay” entered this address');
    expect(mail!.email.text).toContain('https://api.swim.example/confirm-email?token=live.a.b.c&lang=en');
  });
});
