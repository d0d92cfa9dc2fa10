import { describe, expect, it } from '@jest/globals';
import type {
  AccountEvent,
  Booking,
  Credit,
  Enrollment,
  Hold,
  Lesson,
  Member,
  SwimClass,
  WaitlistEntry,
} from '@swim/contracts';
import { until } from '@swim/testing';
import { type Customer, decided, expectStatus } from '../../fixtures/customer.js';
import { aCard, aMember, anInstructor, paymentBody, sessionBody } from '../../fixtures/fixtures.js';
import { journey, stack } from '../../fixtures/shared-stack.js';

const DAY_MS = 86_400_000;
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const dateIn = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

/** An open class of lessons in the weeks from that day on. */
async function aClass(changes: object = {}, day = 10): Promise<SwimClass> {
  const { id: instructor_id } = await anInstructor(stack.school);
  const made = await stack.school.make<SwimClass>('/classes', {
    ...{ name: 'Frogs', instructor_id, duration_minutes: 45, capacity: 6, price_cents: 1_500 },
    recurrence: {
      ...{ start_local: `${dateIn(day)}T12:00`, timezone: 'UTC', count: 3 },
      weekdays: [DAYS[new Date(`${dateIn(day)}T12:00Z`).getUTCDay()]],
    },
    ...changes,
  });
  const opened = await stack.school.post<SwimClass>(`/classes/${made.id}/open`, { outside_hours: true });
  expectStatus(200, opened);
  return opened.data;
}
const lessonsOf = async ({ id }: SwimClass) => stack.school.readAll<Lesson>(`/lessons?class_id=${id}`);
const enroll = (customer: Customer, { id }: SwimClass, member: Member, more: object = {}) =>
  customer.post<Enrollment>(`/classes/${id}/enrollments`, { member_id: member.id, ...more });

journey('classes', () => {
  describe('an enrollment', () => {
    it('is one booking of all lessons, which both accounts read and get events of', async () => {
      const [frogs, member] = [await aClass(), await aMember(stack.family)];
      const preview = await stack.family.post<Enrollment>(`/classes/${frogs.id}/enrollments?dry_run=true`, {
        member_id: member.id,
      });
      expect(preview.data).toMatchObject({ status: 'active', class_id: frogs.id });
      const { data: made } = await enroll(stack.family, frogs, member);
      expect(made).toMatchObject({
        ...{ object: 'enrollment', class_id: frogs.id, member_id: member.id, account_id: stack.family.id },
        ...{ status: 'active', starts_on: dateIn(10), ends_on: null, skipped: [] },
      });
      const { data: booking } = await stack.family.get<Booking>(`/bookings/${made.booking_id}`);
      expect(booking.sessions.map(({ lesson_id }) => lesson_id)).toEqual((await lessonsOf(frogs)).map(({ id }) => id));
      for (const customer of [stack.family, stack.school]) {
        expect((await customer.get<Enrollment>(`/enrollments/${made.id}`)).data).toEqual(made);
        expect((await customer.get<Enrollment[]>(`/classes/${frogs.id}/enrollments`)).data).toEqual([made]);
        const heard = async () => (await customer.get<AccountEvent[]>(`/events?object_id=${made.id}`)).data;
        await until(async () => (await heard()).length === 1, 'the event of the enrollment');
        expect((await heard())[0]).toMatchObject({ type: 'enrollment.created', data: { object: { id: made.id } } });
      }
      expect((await stack.family.get<SwimClass>(`/classes/${frogs.id}`)).data.places_left).toBe(5);
      expect((await enroll(stack.family, frogs, member)).error.details.reason).toBe('already_enrolled');
    });

    it('ends with a date, after which its sessions are cancelled', async () => {
      const [frogs, member] = [await aClass(), await aMember(stack.family)];
      const { data: made } = await enroll(stack.family, frogs, member);
      const end = (ends_on: string) => stack.family.post<Enrollment>(`/enrollments/${made.id}/end`, { ends_on });
      expect((await end(dateIn(17))).data).toMatchObject({ status: 'active', ends_on: dateIn(17) });
      const { data: booking } = await stack.family.get<Booking>(`/bookings/${made.booking_id}`);
      expect(booking.sessions.map(({ status }) => status)).toEqual(['scheduled', 'scheduled', 'cancelled']);
      expect((await end(dateIn(0))).data).toMatchObject({ status: 'ended', ends_on: dateIn(0) });
      const ended = async () =>
        (await stack.school.get<AccountEvent[]>(`/events?object_id=${made.id}&type=enrollment.ended`)).data;
      await until(async () => (await ended()).length === 1, 'the event of its end');
      expect(
        (await stack.family.get<Enrollment[]>(`/enrollments?class_id=${frogs.id}&status=ended`)).data,
      ).toHaveLength(1);
      expect((await stack.family.get<Enrollment[]>(`/enrollments?class_id=${frogs.id}&status=active`)).data).toEqual(
        [],
      );
    });

    it('in a full class is rejected with others that fit, or skips what is full', async () => {
      const [full, other] = [
        await aClass({ capacity: 1, levels: ['advanced'] }),
        // Those that begin soonest are suggested: the others of this file begin later.
        await aClass({ levels: ['advanced'] }, 9),
      ];
      const [guest, member] = [
        await aMember(stack.family, { swimming_level: 'advanced' }),
        await aMember(stack.family, { swimming_level: 'advanced' }),
      ];
      const [, second] = await lessonsOf(full);
      await stack.family.make('/bookings', { lesson_ids: [second!.id], member_ids: [guest.id] });
      const { error } = await enroll(stack.family, full, member);
      expect(error.details).toMatchObject({ reason: 'class_full', field: 'class_id' });
      const { suggestions } = error.details as unknown as { suggestions: { class_id: string }[] };
      expect(suggestions.map(({ class_id }) => class_id)).toContain(other.id);
      const { data: made } = await enroll(stack.family, full, member, { on_conflict: 'skip' });
      expect(made.skipped).toEqual([{ lesson_id: second!.id, date: second!.date, reason: 'lesson_full' }]);
    });

    it('takes what the member lacks, and by skip leaves out what is closed, does not fit, or when the member is busy', async () => {
      const { family, school } = stack;
      const [toads, member] = [await aClass(), await aMember(family)];
      const [own, ...lacked] = await lessonsOf(toads);
      await family.make('/bookings', { lesson_ids: [own!.id], member_ids: [member.id] });
      const { data: made } = await enroll(family, toads, member);
      const { sessions } = await family.read<Booking>(`/bookings/${made.booking_id}`);
      expect(sessions.map(({ lesson_id }) => lesson_id)).toEqual(lacked.map(({ id }) => id));

      const frogs = await aClass({ recurrence: { ...toads.recurrence, start_local: `${dateIn(10)}T15:00`, count: 4 } });
      const [closed, unfit, contested, free] = await lessonsOf(frogs);
      const closure = { instructor_ids: [closed!.instructor_id], from: closed!.date, to: closed!.end_date };
      expectStatus(202, await school.post('/closures', { ...closure, reason: 'Storm', lessons: 'keep' }));
      expectStatus(200, await school.patch(`/lessons/${unfit!.id}`, { levels: ['advanced'] }));
      const other = await anInstructor(school);
      await family.make('/sessions', sessionBody(other, member, contested!.date));
      const left = [
        [closed, 'closed'],
        [unfit, 'not_eligible'],
        [contested, 'member_busy'],
      ] as const;
      const { error } = await enroll(family, frogs, member);
      expect(error.details).toMatchObject({
        ...{ reason: 'closed', field: 'class_id' },
        conflicts: left.map(([lesson, reason], index) => ({ index, lesson_id: lesson!.id, reason })),
      });
      const { data: rest } = await enroll(family, frogs, member, { on_conflict: 'skip' });
      const skipped = left.map(([lesson, reason]) => ({ lesson_id: lesson!.id, date: lesson!.date, reason }));
      expect(rest.skipped).toEqual(skipped);
      const booked = await family.read<Booking>(`/bookings/${rest.booking_id}`);
      expect(booked.sessions.map(({ lesson_id }) => lesson_id)).toEqual([free!.id]);
      // Lessons that are added to a class are in no enrollment.
      expectStatus(200, await school.patch(`/classes/${frogs.id}`, { recurrence: { count: 5 }, outside_hours: true }));
      expect((await lessonsOf(frogs)).length).toBe(5);
      expect((await family.read<Booking>(`/bookings/${rest.booking_id}`)).session_ids).toHaveLength(1);
    });

    it('follows its booking', async () => {
      const [frogs, member] = [await aClass(), await aMember(stack.family)];
      const { data: made } = await enroll(stack.family, frogs, member, { starts_on: dateIn(12) });
      expect(made.starts_on).toBe(dateIn(12));
      expectStatus(200, await stack.family.post(`/bookings/${made.booking_id}/cancel`, {}));
      expect((await stack.family.get<Enrollment>(`/enrollments/${made.id}`)).data.status).toBe('ended');
      // The lessons before its start were never booked.
      expect((await enroll(stack.family, frogs, member)).status).toBe(201);
    });
  });

  describe('the line of a full class', () => {
    const join = (customer: Customer, { id: class_id }: SwimClass, member: Member) =>
      customer.make<WaitlistEntry>('/waitlist', { class_id, member_id: member.id });
    const reaches = (customer: Customer, { id }: WaitlistEntry, status: WaitlistEntry['status']) =>
      until(async () => {
        const { data } = await customer.get<WaitlistEntry>(`/waitlist/${id}`);
        return data.status === status ? data : null;
      }, `the entry is ${status}`);

    it('is offered all that the end of an enrollment frees, which another enrollment alone takes', async () => {
      const { family, school } = stack;
      const other = await stack.open('family');
      const frogs = await aClass({ capacity: 1 });
      const [first, second, third] = [await aMember(family), await aMember(other), await aMember(family)];
      const { data: made } = await enroll(family, frogs, first);
      const [waiting, behind] = [await join(other, frogs, second), await join(family, frogs, third)];
      expect(waiting).toMatchObject({ class_id: frogs.id, lesson_id: null, status: 'waiting', offer: null });
      expectStatus(200, await family.post(`/enrollments/${made.id}/end`, { ends_on: dateIn(0) }));
      const { offer } = await reaches(other, waiting, 'offered');
      const lessons = (await lessonsOf(frogs)).map(({ id }) => id);
      expect((await other.get<Hold>(`/holds/${offer!.hold_id}`)).data.lesson_ids).toEqual(lessons);
      expect((await family.get<WaitlistEntry>(`/waitlist/${behind.id}`)).data.status).toBe('waiting');
      const taking = { hold_id: offer!.hold_id };
      const places = { lesson_ids: lessons, member_ids: [second.id], ...taking };
      expect((await other.post('/bookings', places)).error.details).toMatchObject({
        ...{ reason: 'hold_mismatch', field: 'hold_id' },
      });
      expect((await enroll(family, frogs, third, taking)).error.details.reason).toBe('not_found');
      const toads = await aClass();
      expect((await enroll(other, toads, second, taking)).error.details.reason).toBe('hold_mismatch');
      expect((await enroll(family, frogs, third)).error.details.reason).toBe('class_full');
      const { data: taken } = await enroll(other, frogs, second, taking);
      expect(taken).toMatchObject({ status: 'active', class_id: frogs.id, skipped: [] });
      expect(await reaches(other, waiting, 'accepted')).toMatchObject({ booking_id: taken.booking_id });
      expect((await enroll(other, frogs, second, taking)).status).toBe(409);
      for (const customer of [other, school])
        await until(
          async () => (await customer.get<AccountEvent[]>(`/events?object_id=${waiting.id}`)).data.length === 3,
          'the events of the entry',
        );
      const [entries, theirs] = [
        await family.readAll<WaitlistEntry>(`/waitlist?class_id=${frogs.id}`),
        await family.get(`/waitlist/${waiting.id}`),
      ];
      expect([entries.map(({ id }) => id), theirs.status]).toEqual([[behind.id], 404]);
    });
  });

  it('has options for the credit of an enrollment that was paid and ended, until one of them is booked', async () => {
    const { family } = stack;
    const [frogs, toads, member] = [await aClass(), await aClass(), await aMember(family)];
    const { data: made } = await enroll(family, frogs, member);
    const { data: booking } = await family.get<Booking>(`/bookings/${made.booking_id}`);
    expectStatus(201, await family.post('/payments', paymentBody(booking, await aCard(family))));
    const ending = { ends_on: dateIn(17), refund_as: 'credit' };
    expectStatus(200, await family.post(`/enrollments/${made.id}/end`, ending));
    const given = async () =>
      (await family.readAll<Credit>(`/accounts/${family.id}/credits`)).find(
        ({ session_id }) => session_id === booking.session_ids[2],
      );
    const credit = await until(given, 'the credit is given');
    const options = async () =>
      (await family.readAll<Lesson>(`/credits/${credit.id}/options?member_id=${member.id}`))
        .filter(({ class_id }) => class_id === frogs.id || class_id === toads.id)
        .map(({ id }) => id);
    const [frog, toad] = [(await lessonsOf(frogs))[2]!, (await lessonsOf(toads))[2]!];
    // In the first two the member is busy; they are at the same times.
    expect(new Set(await options())).toEqual(new Set([frog.id, toad.id]));
    const makeup = { member_ids: [member.id], lesson_ids: [toad.id], makeup_credit_id: credit.id };
    expect(await family.make<Booking>('/bookings', makeup)).toMatchObject({ payment_status: 'paid' });
    expect(await options()).toEqual([]);
  });

  it('gives racers whole enrollments, and no part of one more', async () => {
    const RACERS = 40;
    const frogs = await aClass({ recurrence: { ...(await aClass()).recurrence, count: 10 } });
    const members = await Promise.all(Array.from({ length: RACERS }, () => aMember(stack.family)));
    const answers = await Promise.all(
      members.map(({ id }) => decided(stack.family, `/classes/${frogs.id}/enrollments`, { member_id: id })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(6);
    for (const { status, error } of answers) if (status !== 201) expect(error.details.reason).toBe('class_full');
    for (const { places_left, sessions } of await lessonsOf(frogs))
      expect([places_left, sessions.length]).toEqual([0, 6]);
  });
});
