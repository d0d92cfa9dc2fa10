import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Booking, Instructor, Member, PaymentMethod, Session } from '@swim/contracts';
import { newId } from '@swim/platform';
import { type Answer, apiError, type Customer, expectStatus } from '../../fixtures/customer.js';
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

journey('dry runs', () => {
  let [family, school]: Customer[] = [];
  let instructor: Instructor;
  let member: Member;
  let session: Session;
  let booking: Booking;
  let [visa, other]: PaymentMethod[] = [];
  let before: Contents;
  const free = nextTime();
  beforeAll(async () => {
    [family, school] = [stack.family, stack.school];
    [instructor, member] = [await anInstructor(school), await aMember(family)];
    [session, booking] = [await aSession(family, instructor, member), await aBooking(family, instructor, member)];
    [visa, other] = [await aCard(family), await aCard(family)];
    before = await stack.snapshot();
  });

  interface Trial {
    who: () => Customer;
    method: 'POST' | 'PATCH' | 'DELETE';
    path: () => string;
    body?: () => object;
    /** What the data of the answer must match. */
    answer?: () => object;
  }

  const home = { name: 'Bath', address: 'Water St', latitude: 1, longitude: 2, timezone: 'UTC' };
  const own = (path: string) => `/accounts/${family!.id}${path}`;

  const TRIALS: Record<string, Trial> = {
    'a session': {
      who: () => family!,
      method: 'POST',
      path: () => '/sessions',
      body: () => sessionBody(instructor, member, free),
      answer: () => ({ date: free, status: 'scheduled', price_cents: 6_000 }),
    },
    'a move of a session': {
      who: () => family!,
      method: 'PATCH',
      path: () => `/sessions/${session.id}`,
      body: () => ({ date: free, notes: 'Tried' }),
      answer: () => ({ id: session.id, date: free, notes: 'Tried' }),
    },
    'a cancellation': {
      who: () => family!,
      method: 'POST',
      path: () => `/sessions/${session.id}/cancel`,
      body: () => ({ reason: 'Flu' }),
      answer: () => ({ id: session.id, status: 'cancelled', cancellation: { reason: 'Flu' } }),
    },
    'an instructor': {
      who: () => school!,
      method: 'POST',
      path: () => '/instructors',
      body: () => instructorBody({ name: 'Ida' }),
      answer: () => ({ name: 'Ida', account_id: school!.id }),
    },
    'a change of an instructor': {
      who: () => school!,
      method: 'PATCH',
      path: () => `/instructors/${instructor.id}`,
      body: () => ({ bio: 'Tried' }),
      answer: () => ({ id: instructor.id, bio: 'Tried' }),
    },
    'a pool': { who: () => school!, method: 'POST', path: () => '/pools', body: () => home, answer: () => home },
    'a member': {
      who: () => family!,
      method: 'POST',
      path: () => own('/members'),
      body: () => memberBody({ name: 'Tried', medical_notes: 'Asthma' }),
      answer: () => ({ name: 'Tried', medical_notes: 'Asthma' }),
    },
    'a change of a member': {
      who: () => family!,
      method: 'PATCH',
      path: () => `/members/${member.id}`,
      body: () => ({ name: 'Tried' }),
      answer: () => ({ id: member.id, name: 'Tried' }),
    },
    'the erasure of a member': { who: () => family!, method: 'DELETE', path: () => `/members/${member.id}` },
    'an assessment': {
      who: () => school!,
      method: 'POST',
      path: () => `/members/${member.id}/progress`,
      body: () => ({ skills: [{ code: 'l1_bobbing', status: 'mastered' }], note: 'Tried' }),
      answer: () => ({ member_id: member.id, percent_complete: 8, notes: [{ text: 'Tried' }] }),
    },
    'a booking': {
      who: () => family!,
      method: 'POST',
      path: () => '/bookings',
      body: () => bookingBody(instructor, [member], [free]),
      answer: () => ({
        status: 'confirmed',
        payment_status: 'unpaid',
        amount_cents: 6_000,
        sessions: [{ date: free }],
      }),
    },
    'a payment method': {
      who: () => family!,
      method: 'POST',
      path: () => own('/payment-methods'),
      body: () => ({ processor_payment_method_id: 'pm_card_mastercard', is_default: true }),
      answer: () => ({ brand: 'mastercard', is_default: true }),
    },
    'another default method': {
      who: () => family!,
      method: 'PATCH',
      path: () => `/payment-methods/${other!.id}`,
      body: () => ({ is_default: true }),
      answer: () => ({ id: other!.id, is_default: true }),
    },
    'the removal of a method': { who: () => family!, method: 'DELETE', path: () => `/payment-methods/${visa!.id}` },
    'the removal of a method by its longer path': {
      who: () => family!,
      method: 'DELETE',
      path: () => own(`/payment-methods/${visa!.id}`),
    },
    'a payment': {
      who: () => family!,
      method: 'POST',
      path: () => '/payments',
      body: () => paymentBody(booking, visa!),
      answer: () => ({ booking_id: booking.id, amount_cents: 6_000 }),
    },
  };

  const send = ({ who, method, path, body }: Trial, query = '?dry_run=true', key?: string): Promise<Answer> =>
    who().send(method, path() + query, {
      ...(body ? { body: body() } : {}),
      ...(key ? { headers: { 'idempotency-key': key } } : {}),
    });

  describe('a dry run', () => {
    it.each(Object.entries(TRIALS))('of %s is answered like the write', async (_, trial) => {
      for (const key of [undefined, newId('req'), newId('req')]) {
        const answer = expectStatus(200, await send(trial, '?dry_run=true', key));
        expect(answer.meta.dry_run).toBe(true);
        if (trial.answer) expect(answer.data).toMatchObject(trial.answer());
      }
    });

    it('is rejected for the reasons of the write', async () => {
      const rival = sessionBody(instructor, member, session.date);
      expect(await family!.post('/sessions?dry_run=true', rival)).toMatchObject(
        apiError(409, 'instructor_busy', 'date'),
      );
      const taken = bookingBody(instructor, [member], [session.date, free]);
      expect(await family!.post('/bookings?dry_run=true', taken)).toMatchObject(apiError(409, 'conflicting_dates'));
      const tooMuch = paymentBody(booking, visa!, { amount_cents: 6_001 });
      expect(await family!.post('/payments?dry_run=true', tooMuch)).toMatchObject(
        apiError(400, 'amount_exceeds_due', 'amount_cents'),
      );
      const stale = await family!.patch(`/sessions/${session.id}?dry_run=true`, {
        date: free,
        version: session.version + 7,
      });
      expect(stale).toMatchObject(apiError(409, 'stale_version', 'version'));
      expect(await family!.patch(`/members/${member.id}?dry_run=true`, {})).toMatchObject(apiError(400, 'empty_patch'));
      expect(await family!.post('/pools?dry_run=true', home)).toMatchObject(apiError(403, 'school_only'));
      expect(await family!.post('/pools?dry_run=yes', home)).toMatchObject(apiError(400, 'invalid_value', 'dry_run'));
    });

    it('stores no document and no event', async () => {
      expect(differencesBetween(before, await stack.snapshot())).toEqual([]);
    });
  });

  it('the Idempotency-Key of a dry run is accepted for the write, which is stored', async () => {
    const key = newId('req');
    const trial = TRIALS['a session']!;
    expectStatus(200, await send(trial, '?dry_run=true', key));
    const made = await send(trial, '', key);
    expect(made.status).toBe(201);
    expect(made.headers.get('idempotent-replayed')).toBeNull();
    expect(made.meta.dry_run).toBeUndefined();
    expect(differencesBetween(before, await stack.snapshot())).not.toEqual([]);
  });
});
