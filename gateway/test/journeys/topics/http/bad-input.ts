import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Booking, Instructor, Member, PaymentMethod, Session } from '@swim/contracts';
import { inDays } from '@swim/testing';
import { apiError, type Customer, type SendOptions } from '../../fixtures/customer.js';
import {
  aBooking,
  aCard,
  aMember,
  anInstructor,
  aSession,
  bookingBody,
  instructorBody,
  memberBody,
  nextTime,
  paymentBody,
  sessionBody,
} from '../../fixtures/fixtures.js';
import { journey, stack } from '../../fixtures/shared-stack.js';
import { type Contents, differencesBetween } from '../../fixtures/snapshot.js';
import { WRONG_ASSESSMENTS, WRONG_MEMBERS } from '../../fixtures/wrong-members.js';
import { WRONG_RECURRENCES, WRONG_SESSIONS } from '../../fixtures/wrong-sessions.js';

journey('invalid input', () => {
  let family: Customer;
  let instructor: Instructor;
  let member: Member;
  let crowd: Member[];
  let session: Session;
  let booking: Booking;
  let visa: PaymentMethod;
  let before: Contents;
  const free = nextTime();
  beforeAll(async () => {
    family = stack.family;
    instructor = await anInstructor(stack.school);
    crowd = await Promise.all(Array.from({ length: 5 }, () => aMember(family)));
    member = crowd[0]!;
    [session, booking, visa] = [
      await aSession(family, instructor, member),
      await aBooking(family, instructor, member),
      await aCard(family),
    ];
    before = await stack.snapshot();
  });
  afterAll(async () => {
    // No request below may write anything.
    expect(differencesBetween(before, await stack.snapshot())).toEqual([]);
  });

  type Case = [what: string, changes: object, reason: string, field: string];
  const QUERY = { $ne: null };

  describe('POST /sessions rejects', () => {
    it.each(WRONG_SESSIONS)('%s', async (_, changes, reason, field) => {
      const answer = await family.post('/sessions', { ...sessionBody(instructor, member, free), ...changes });
      expect(answer).toMatchObject({ ...apiError(400, reason, field), error: { code: 'VALIDATION_ERROR' } });
      expect(answer.error.details.errors).toEqual(expect.arrayContaining([expect.objectContaining({ field, reason })]));
    });

    it.each(['instructor_id', 'member_id', 'date', 'duration_minutes'])('a body without %s', async (field) => {
      const answer = await family.post('/sessions', { ...sessionBody(instructor, member, free), [field]: undefined });
      expect(answer).toMatchObject(apiError(400, 'required', field));
    });
  });

  describe('POST /bookings rejects', () => {
    const times = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ date: inDays(100 + index), duration_minutes: 30 }));
    it.each<[what: string, changes: () => object, reason: string, field: string]>([
      [
        'times that overlap each other',
        () => ({ sessions: [...times(1), { date: inDays(100, 10, 20), duration_minutes: 30 }] }),
        'overlapping_sessions',
        'sessions',
      ],
      ['the same member twice', () => ({ member_ids: [member.id, member.id] }), 'duplicate_value', 'member_ids'],
      ['53 sessions', () => ({ sessions: times(53) }), 'too_long', 'sessions'],
      ['no sessions', () => ({ sessions: [] }), 'too_short', 'sessions'],
      ['no members', () => ({ member_ids: [] }), 'too_short', 'member_ids'],
      [
        'eleven members',
        () => ({ member_ids: Array.from({ length: 11 }, (_, index) => member.id.slice(0, -2) + String(10 + index)) }),
        'too_long',
        'member_ids',
      ],
      [
        'one time in the past',
        () => ({ sessions: [...times(1), { date: '2020-01-01T10:00:00Z', duration_minutes: 30 }] }),
        'in_past',
        'sessions.1.date',
      ],
      [
        'an invalid time',
        () => ({ sessions: [{ date: 'x', duration_minutes: 30 }] }),
        'invalid_format',
        'sessions.0.date',
      ],
      [
        'a field within a time',
        () => ({ sessions: [{ ...times(1)[0], price: 1 }] }),
        'unknown_field',
        'sessions.0.price',
      ],
      ['an operator among the members', () => ({ member_ids: [QUERY] }), 'invalid_id', 'member_ids.0'],
      ['an unknown way to treat conflicts', () => ({ on_conflict: 'overwrite' }), 'invalid_value', 'on_conflict'],
      ['notes that are too long', () => ({ notes: 'x'.repeat(2_001) }), 'too_long', 'notes'],
    ])('%s', async (_, changes, reason, field) => {
      const answer = await family.post('/bookings', { ...bookingBody(instructor, [member], [free]), ...changes() });
      expect(answer).toMatchObject(apiError(400, reason, field));
    });

    it.each(WRONG_RECURRENCES)('a recurrence with %s', async (_, changes, reason, field) => {
      const mondays = { start_local: '2100-03-01T16:00', timezone: 'UTC', weekdays: ['mon'], count: 3 };
      const { sessions: _sessions, ...body } = bookingBody(instructor, [member], []);
      const answer = await family.post('/bookings', {
        ...body,
        recurrence: { ...mondays, duration_minutes: 30, ...changes },
      });
      expect(answer).toMatchObject(apiError(400, reason, field));
    });

    it('a group that is larger than the instructor teaches', async () => {
      const answer = await family.post('/bookings', bookingBody(instructor, crowd, [free]));
      expect(answer).toMatchObject(apiError(400, 'group_too_large', 'member_ids'));
    });
  });

  describe('POST /payments rejects', () => {
    it.each<Case>([
      ['a negative amount', { amount_cents: -1 }, 'too_small', 'amount_cents'],
      ['nothing', { amount_cents: 0 }, 'too_small', 'amount_cents'],
      ['a part of a cent', { amount_cents: 1.5 }, 'invalid_type', 'amount_cents'],
      ['2^53 cents', { amount_cents: 2 ** 53 }, 'invalid_type', 'amount_cents'],
      ['more than is due', { amount_cents: 6_001 }, 'amount_exceeds_due', 'amount_cents'],
      ['an amount as text', { amount_cents: '6000' }, 'invalid_type', 'amount_cents'],
      ['a currency in small letters', { currency: 'usd' }, 'invalid_format', 'currency'],
      ['no ISO 4217 currency', { currency: 'XXX' }, 'invalid_value', 'currency'],
      ['another currency', { currency: 'EUR' }, 'currency_mismatch', 'currency'],
      ['an operator for a booking', { booking_id: QUERY }, 'invalid_id', 'booking_id'],
    ])('%s', async (_, changes, reason, field) => {
      expect(await family.post('/payments', { ...paymentBody(booking, visa), ...changes })).toMatchObject(
        apiError(400, reason, field),
      );
    });

    it('a card number in any field, which the error does not repeat', async () => {
      const number = '4242 4242 4242 4242';
      for (const changes of [
        { payment_method_id: number },
        { card: { number } },
        { [number]: 1 },
        { card: 4242424242424242 },
      ]) {
        const answer = await family.post('/payments', { ...paymentBody(booking, visa), ...changes });
        expect(answer).toMatchObject(apiError(400, 'card_number'));
        expect(answer.text.replace(/\D/g, '')).not.toContain('42424242');
      }
    });
  });

  describe('members and instructors reject', () => {
    it.each(WRONG_MEMBERS)('%s, in POST and in PATCH', async (_, changes, reason, field) => {
      expect(await family.post(`/accounts/${family.id}/members`, memberBody(changes))).toMatchObject(
        apiError(400, reason, field),
      );
      expect(await family.patch(`/members/${member.id}`, changes)).toMatchObject(apiError(400, reason, field));
    });

    it.each<Case>([
      ['an unknown zone', { timezone: 'Mars/Olympus' }, 'unknown_timezone', 'timezone'],
      ['an invalid address', { email: 'coach' }, 'invalid_format', 'email'],
      ['a negative rate', { hourly_rate_cents: -1 }, 'too_small', 'hourly_rate_cents'],
      [
        'hours that end before they start',
        { availability_schedule: { weekly: [{ day: 'mon', start: '10:00', end: '09:00' }] } },
        'range_reversed',
        'availability_schedule.weekly.0.end',
      ],
      ['a rating of its own', { rating: { average: 5, count: 1 } }, 'unknown_field', 'rating'],
    ])('%s, in POST and in PATCH', async (_, changes, reason, field) => {
      expect(await stack.school.post('/instructors', instructorBody(changes))).toMatchObject(
        apiError(400, reason, field),
      );
      // Instructors have the field, though none can be made with it.
      const ofPatch = reason === 'unknown_field' ? 'read_only' : reason;
      expect(await stack.school.patch(`/instructors/${instructor.id}`, changes)).toMatchObject(
        apiError(400, ofPatch, field),
      );
    });
  });

  describe('POST /members/{member_id}/progress rejects', () => {
    it.each(WRONG_ASSESSMENTS)('%s', async (_, body, reason, field) => {
      expect(await stack.school.post(`/members/${member.id}/progress`, body)).toMatchObject(
        apiError(400, reason, field),
      );
    });
  });

  describe('a PATCH rejects', () => {
    it.each<[what: string, path: () => string, body: object, reason: string, field: string | undefined]>([
      ['nothing to change', () => `/sessions/${session.id}`, {}, 'empty_patch', undefined],
      ['a state', () => `/sessions/${session.id}`, { status: 'completed' }, 'read_only', 'status'],
      ['an id', () => `/sessions/${session.id}`, { id: 'ses_1' }, 'read_only', 'id'],
      [
        'the wrapping that services use',
        () => `/sessions/${session.id}`,
        { changes: { notes: 'x' } },
        'unknown_field',
        'changes',
      ],
      ['a version of text', () => `/sessions/${session.id}`, { notes: 'x', version: '1' }, 'invalid_type', 'version'],
      ['nothing of a member', () => `/members/${member.id}`, {}, 'empty_patch', undefined],
      ['an account of a member', () => `/members/${member.id}`, { account_id: 'acct_1' }, 'read_only', 'account_id'],
      [
        'the only default to go',
        () => `/payment-methods/${visa.id}`,
        { is_default: 'no' },
        'invalid_type',
        'is_default',
      ],
    ])('%s', async (_, path, body, reason, field) => {
      expect(await family.patch(path(), body)).toMatchObject(apiError(400, reason, field));
    });
  });

  const json = { 'content-type': 'application/json' };
  const good = () => JSON.stringify(sessionBody(instructor, member, free));

  describe('a body is rejected', () => {
    it.each<[what: string, pending: () => SendOptions, status: number, reason: string]>([
      [
        'as plain text',
        () => ({ raw: good(), headers: { 'content-type': 'text/plain' } }),
        415,
        'unsupported_media_type',
      ],
      [
        'as a form',
        () => ({ raw: 'a=1', headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
        415,
        'unsupported_media_type',
      ],
      [
        'in another character set',
        () => ({ raw: good(), headers: { 'content-type': 'application/json; charset=latin1' } }),
        415,
        'unsupported_media_type',
      ],
      [
        'compressed',
        () => ({ raw: good(), headers: { ...json, 'content-encoding': 'gzip' } }),
        415,
        'unsupported_media_type',
      ],
      ['broken', () => ({ raw: good().slice(0, -3), headers: json }), 400, 'invalid_json'],
      ['with a comma too many', () => ({ raw: '{"a":1,}', headers: json }), 400, 'invalid_json'],
      ['that is a list', () => ({ raw: `[${good()}]`, headers: json }), 400, 'invalid_body'],
      ['that is null', () => ({ raw: 'null', headers: json }), 400, 'invalid_body'],
      ['that is a text', () => ({ raw: '"x"', headers: json }), 400, 'invalid_body'],
      [
        'of 300 KB',
        () => ({ raw: JSON.stringify({ notes: 'x'.repeat(300_000) }), headers: json }),
        413,
        'body_too_large',
      ],
      [
        '10,000 objects deep',
        () => ({ raw: `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`, headers: json }),
        400,
        'too_deep',
      ],
      ['10,000 lists deep', () => ({ raw: '['.repeat(10_000), headers: json }), 400, 'too_deep'],
      [
        'with a prototype',
        () => ({ raw: `{"__proto__":{"admin":true},${good().slice(1)}`, headers: json }),
        400,
        'unknown_field',
      ],
      [
        'with a constructor',
        () => ({ raw: `{"constructor":{"prototype":{}},${good().slice(1)}`, headers: json }),
        400,
        'unknown_field',
      ],
    ])('%s', async (_, pending, status, reason) => {
      expect(await family.send('POST', '/sessions', pending())).toMatchObject(apiError(status, reason));
    });

    it('when it is missing', async () => {
      for (const path of ['/sessions', '/bookings', '/payments', `/accounts/${family.id}/members`]) {
        expect((await family.send('POST', path)).status).toBe(400);
      }
    });
  });
});
