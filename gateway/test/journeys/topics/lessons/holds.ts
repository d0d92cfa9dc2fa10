import { beforeAll, describe, expect, it } from '@jest/globals';
import type { AccountEvent, Booking, Hold, Instructor, Lesson, Member, Session, WaitlistEntry } from '@swim/contracts';
import { newId } from '@swim/platform';
import { inDays, until } from '@swim/testing';
import { apiError, type Customer } from '../../fixtures/customer.js';
import { aBooking, aMember, anInstructor, bookingBody, nextTime, sessionBody } from '../../fixtures/fixtures.js';
import { journey, stack } from '../../fixtures/shared-stack.js';

journey('holds and the waitlist', () => {
  let [ruiz, okafor]: Customer[] = [];
  let [mia, ada]: Member[] = [];
  let instructor: Instructor;
  beforeAll(async () => {
    [ruiz, okafor] = [stack.family, await stack.open('family')];
    [mia, ada] = [await aMember(ruiz), await aMember(okafor)];
    instructor = await anInstructor(stack.school);
  });

  const holdBody = (member: Member, date: string, changes: object = {}) => ({
    ...bookingBody(instructor, [member], [date]),
    ...changes,
  });

  describe('a hold', () => {
    it('keeps a time from other families, and its family books it', async () => {
      const date = nextTime();
      const held = await ruiz!.make<Hold>('/holds', holdBody(mia!, date, { expires_in_minutes: 10 }));
      expect(held).toMatchObject({
        account_id: ruiz!.id,
        status: 'active',
        sessions: [{ date, duration_minutes: 60 }],
      });
      expect(await okafor!.post('/sessions', sessionBody(instructor, ada!, date))).toMatchObject(
        apiError(409, 'instructor_busy', 'date'),
      );
      expect(await okafor!.post('/holds', holdBody(ada!, date))).toMatchObject(apiError(409, 'conflicting_dates'));
      expect(await okafor!.get(`/holds/${held.id}`)).toMatchObject(apiError(404, 'resource_not_found'));

      const input = { ...bookingBody(instructor, [mia!], [date]), hold_id: held.id };
      const other = { ...bookingBody(instructor, [mia!], [nextTime()]), hold_id: held.id };
      expect(await ruiz!.post('/bookings', other)).toMatchObject(apiError(400, 'hold_mismatch', 'hold_id'));
      const foreign = { ...bookingBody(instructor, [ada!], [date]), hold_id: held.id };
      expect(await okafor!.post('/bookings', foreign)).toMatchObject(apiError(400, 'not_found', 'hold_id'));
      const validated = await ruiz!.post('/bookings?dry_run=true', input);
      expect(validated).toMatchObject({ status: 200, meta: { dry_run: true }, data: { sessions: [{ date }] } });

      const booking = await ruiz!.make<Booking>('/bookings', input);
      expect(booking).toMatchObject({
        status: 'confirmed',
        amount_cents: 6_000,
        sessions: [{ date, member_id: mia!.id }],
      });
      expect(await ruiz!.read<Hold>(`/holds/${held.id}`)).toMatchObject({
        status: 'converted',
        booking_id: booking.id,
      });
      expect(await ruiz!.post('/bookings', input)).toMatchObject(apiError(409, 'invalid_state', 'hold_id'));
      expect(await ruiz!.delete(`/holds/${held.id}`)).toMatchObject(apiError(409, 'invalid_state', 'hold_id'));
      const [session] = booking.sessions;
      expect(await ruiz!.post(`/sessions/${session!.id}/cancel`, {})).toMatchObject({ status: 200 });
    });

    it('keeps places in lessons, of which another family sees what is left, until its family books them', async () => {
      const lesson = await stack.school.make<Lesson>('/lessons', {
        ...{ instructor_id: instructor.id, date: nextTime(), duration_minutes: 45, capacity: 1, price_cents: 1_800 },
      });
      const wanted = (member: Member) => ({ lesson_ids: [lesson.id], member_ids: [member.id] });
      const held = await ruiz!.make<Hold>('/holds', wanted(mia!));
      expect(held).toMatchObject({ status: 'active', lesson_ids: [lesson.id], instructor_id: instructor.id });
      expect(await okafor!.read<Lesson>(`/lessons/${lesson.id}`)).toMatchObject({ places_left: 0, sessions: [] });
      const full = apiError(409, 'lesson_full', 'lesson_ids.0');
      expect(await okafor!.post('/bookings', wanted(ada!))).toMatchObject(full);
      expect(await okafor!.post('/holds', wanted(ada!))).toMatchObject(full);
      const foreign = { ...wanted(ada!), hold_id: held.id };
      expect(await okafor!.post('/bookings', foreign)).toMatchObject(apiError(400, 'not_found', 'hold_id'));
      const timed = { ...bookingBody(instructor, [mia!], [lesson.date]), hold_id: held.id };
      expect(await ruiz!.post('/bookings', timed)).toMatchObject(apiError(400, 'hold_mismatch', 'hold_id'));
      const booking = await ruiz!.make<Booking>('/bookings', { ...wanted(mia!), hold_id: held.id });
      expect(booking).toMatchObject({
        amount_cents: 1_800,
        sessions: [{ lesson_id: lesson.id, member_id: mia!.id, date: lesson.date }],
      });
      const converted = { status: 'converted', booking_id: booking.id, lesson_ids: [lesson.id] };
      expect(await ruiz!.read<Hold>(`/holds/${held.id}`)).toMatchObject(converted);
    });

    it('that is deleted frees its time', async () => {
      const date = nextTime();
      const held = await ruiz!.make<Hold>('/holds', holdBody(mia!, date));
      expect((await ruiz!.delete(`/holds/${held.id}`)).status).toBe(204);
      expect(await ruiz!.delete(`/holds/${held.id}`)).toMatchObject(apiError(404, 'resource_not_found'));
      await aBooking(okafor!, instructor, ada!, date);
    });

    it.each([
      [{ expires_in_minutes: 31 }, 'too_large', 'expires_in_minutes'],
      [{ expires_in_minutes: 0 }, 'too_small', 'expires_in_minutes'],
      [{ sessions: [] }, 'too_short', 'sessions'],
      [{ payment_method_id: 'pm_1' }, 'unknown_field', 'payment_method_id'],
      [{ instructor_id: { $ne: null } }, 'invalid_id', 'instructor_id'],
      [{ member_ids: [] }, 'too_short', 'member_ids'],
      [{ lesson_ids: [newId('lsn')] }, 'mutually_exclusive', 'lesson_ids'],
      [{ lesson_ids: [newId('lsn')], sessions: undefined, location: undefined }, 'not_found', 'lesson_ids.0'],
      [{ instructor_id: undefined }, 'required', 'instructor_id'],
    ])('is rejected for %j', async (changes, reason, field) => {
      expect(await ruiz!.post('/holds', holdBody(mia!, nextTime(), changes))).toMatchObject(
        apiError(400, reason, field),
      );
    });
  });

  describe('a waitlist entry', () => {
    it('is offered the time once it is free, emits its events, and is accepted by a booking', async () => {
      const coach = await anInstructor(stack.school);
      const date = nextTime();
      const taken = await okafor!.make<Session>('/sessions', sessionBody(coach, ada!, date));
      const entry = await ruiz!.make<WaitlistEntry>('/waitlist', {
        instructor_id: coach.id,
        member_id: mia!.id,
        date_from: new Date(Date.parse(date) - 3_600_000).toISOString(),
        date_to: new Date(Date.parse(date) + 2 * 3_600_000).toISOString(),
        duration_minutes: 60,
      });
      expect((await ruiz!.readAll<WaitlistEntry>(`/waitlist?instructor_id=${coach.id}`)).map(({ id }) => id)).toEqual([
        entry.id,
      ]);
      expect(await okafor!.get(`/waitlist/${entry.id}`)).toMatchObject(apiError(404, 'resource_not_found'));
      expect((await okafor!.post(`/sessions/${taken.id}/cancel`, {})).status).toBe(200);
      const offered = await until(async () => {
        const now = await ruiz!.read<WaitlistEntry>(`/waitlist/${entry.id}`);
        return now.status === 'waiting' ? null : now;
      }, 'the time is offered');
      expect(offered).toMatchObject({ status: 'offered', offer: { date } });
      expect(await okafor!.post('/sessions', sessionBody(coach, ada!, date))).toMatchObject(
        apiError(409, 'instructor_busy'),
      );
      const booking = await ruiz!.make<Booking>('/bookings', {
        ...bookingBody(coach, [mia!], [date]),
        hold_id: offered.offer!.hold_id,
      });
      expect(await ruiz!.read<WaitlistEntry>(`/waitlist/${entry.id}`)).toMatchObject({
        status: 'accepted',
        booking_id: booking.id,
      });
      const types = await until(async () => {
        const events = await ruiz!.read<AccountEvent[]>(`/events?object_id=${entry.id}`);
        return events.length >= 3 ? events.map(({ type }) => type) : null;
      }, 'all three events are there');
      expect(types).toEqual(['waitlist.accepted', 'waitlist.offered', 'waitlist.joined']);
    });

    it('is deleted by its family, and rejected for a duplicate and for invalid input', async () => {
      const input = {
        instructor_id: instructor.id,
        member_id: mia!.id,
        date_from: inDays(20),
        date_to: inDays(21),
        duration_minutes: 30,
      };
      const entry = await ruiz!.make<WaitlistEntry>('/waitlist', input);
      expect(await ruiz!.post('/waitlist', input)).toMatchObject(apiError(409, 'already_exists'));
      expect((await ruiz!.delete(`/waitlist/${entry.id}`)).status).toBe(204);
      expect(await ruiz!.get(`/waitlist/${entry.id}`)).toMatchObject(apiError(404, 'resource_not_found'));
      const rejected = async (changes: object) => {
        const { status, error } = await ruiz!.post('/waitlist', { ...input, ...changes });
        return [status, error.details.reason, error.details.field];
      };
      expect(await rejected({ date_to: inDays(20) })).toEqual([400, 'range_reversed', 'date_to']);
      expect(await rejected({ date_to: inDays(400) })).toEqual([400, 'range_too_long', 'date_to']);
      expect(await rejected({ date_from: '2027-01-01T10:00:00' })).toEqual([400, 'offset_required', 'date_from']);
      expect(await rejected({ member_id: ada!.id })).toEqual([400, 'not_found', 'member_id']);
      expect(await rejected({ duration_minutes: 10 })).toEqual([400, 'too_small', 'duration_minutes']);
    });
  });
});
