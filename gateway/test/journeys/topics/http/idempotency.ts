import { beforeAll, describe, expect, it } from '@jest/globals';
import type { AccountEvent, Booking, Instructor, Member, Payment, Session } from '@swim/contracts';
import { newId } from '@swim/platform';
import { until } from '@swim/testing';
import { type Answer, apiError, type Customer, expectStatus, payloadOf } from '../../fixtures/customer.js';
import {
  aBooking,
  aCard,
  aMember,
  anInstructor,
  aSession,
  bookingBody,
  memberBody,
  nextTime,
  paymentBody,
  sessionBody,
} from '../../fixtures/fixtures.js';
import { journey, stack } from '../../fixtures/shared-stack.js';

journey('Idempotency-Key', () => {
  const RACERS = 20;
  let family: Customer;
  let instructor: Instructor;
  let member: Member;
  beforeAll(async () => {
    family = stack.family;
    [instructor, member] = [await anInstructor(stack.school), await aMember(family)];
  });

  const aKey = () => ({ 'idempotency-key': `journey ${newId('req')}` });
  const isReplay = ({ headers }: Answer) => headers.get('idempotent-replayed') === 'true';

  /** Retries while a request with the same key is in progress. */
  async function untilAnswered<T>(attempt: () => Promise<Answer<T>>): Promise<Answer<T>> {
    return until(async () => {
      const answer = await attempt();
      if (answer.status !== 409 || answer.error.details.reason !== 'idempotency_in_progress') return answer;
      expect(answer.headers.get('retry-after')).toBe('1');
      return null;
    }, 'the request is answered');
  }

  describe(`${RACERS} requests at once with one key`, () => {
    it('make one booking, with the same bytes in every answer', async () => {
      const [key, body] = [aKey(), bookingBody(instructor, [member], [nextTime(), nextTime()])];
      const race = Array.from({ length: RACERS }, () =>
        untilAnswered(() => family.post<Booking>('/bookings', body, key)),
      );
      const answers = await Promise.all(race);
      expect(answers.every(({ status }) => status === 201)).toBe(true);
      expect(new Set(answers.map(payloadOf)).size).toBe(1);
      const fresh = answers.filter((answer) => !isReplay(answer));
      expect(fresh.length).toBeLessThanOrEqual(1);
      if (answers.every(({ attempts }) => attempts === 1)) expect(fresh).toHaveLength(1);
      expect(new Set(answers.map(({ meta }) => meta.request_id)).size).toBe(RACERS);
      expect(await family.readAll<Booking>(`/bookings?instructor_id=${instructor.id}`)).toHaveLength(1);
      expect(await family.readAll<Session>(`/sessions?instructor_id=${instructor.id}`)).toHaveLength(2);
    });

    it('take one payment', async () => {
      const [booking, card, key] = [await aBooking(family, instructor, member), await aCard(family), aKey()];
      const body = paymentBody(booking, card, { amount_cents: 1_000 });
      const race = Array.from({ length: RACERS }, () =>
        untilAnswered(() => family.post<Payment>('/payments', body, key)),
      );
      const answers = await Promise.all(race);
      expect(new Set(answers.map(payloadOf)).size).toBe(1);
      expect(answers[0]).toMatchObject({ status: 201, data: { status: 'succeeded' } });
      expect(await family.read<Booking>(`/bookings/${booking.id}`)).toMatchObject({ amount_paid_cents: 1_000 });
      expect(await family.readAll(`/accounts/${family.id}/payments`)).toHaveLength(1);
    });

    it('move a session once', async () => {
      const [session, date, key] = [await aSession(family, instructor, member), nextTime(), aKey()];
      const race = Array.from({ length: RACERS }, () =>
        untilAnswered(() => family.patch<Session>(`/sessions/${session.id}`, { date }, key)),
      );
      const answers = await Promise.all(race);
      expect(new Set(answers.map(payloadOf)).size).toBe(1);
      expect(answers[0]).toMatchObject({ status: 200, data: { date, version: session.version + 1 } });
      const moves = await until(async () => {
        const events = await family.read<AccountEvent[]>(`/events?type=session.rescheduled&object_id=${session.id}`);
        return events.length > 0 ? events : null;
      }, 'the move has its event');
      expect(moves).toMatchObject([{ request: { idempotency_key: key['idempotency-key'] } }]);
    });
  });

  it('a key is named by the events that its request causes in every service', async () => {
    const [made, ended] = [aKey(), aKey()];
    const body = bookingBody(instructor, [member], [nextTime()]);
    const { id, sessions } = (await family.post<Booking>('/bookings', body, made)).data;
    expectStatus(200, await family.post(`/bookings/${id}/cancel`, {}, ended));
    const ids = [id, ...sessions.map((session) => session.id)];
    const events = await until(async () => {
      const listed = await Promise.all(ids.map((each) => family.readAll<AccountEvent>(`/events?object_id=${each}`)));
      return listed.every((each) => each.some(({ type }) => type.endsWith('.cancelled'))) ? listed.flat() : null;
    }, 'all have been cancelled');
    for (const { type, request } of events)
      expect([type, request?.idempotency_key]).toEqual([
        type,
        (type.endsWith('.cancelled') ? ended : made)['idempotency-key'],
      ]);
  });

  describe('a request repeated with its key', () => {
    const WRITES: [name: string, send: (key: Record<string, string>) => Promise<Answer>][] = [
      [
        'a member',
        (key) =>
          family.post(
            `/accounts/${family.id}/members`,
            { name: 'Mia', date_of_birth: '2017-05-04', medical_notes: 'Asthma' },
            key,
          ),
      ],
      ['a change of a member', (key) => family.patch(`/members/${member.id}`, { swimming_level: 'advanced' }, key)],
      [
        'a payment method',
        (key) =>
          family.post(`/accounts/${family.id}/payment-methods`, { processor_payment_method_id: 'pm_card_visa' }, key),
      ],
      [
        'an instructor',
        (key) =>
          stack.school.post('/instructors', { name: 'Ida', email: 'ida@example.test', hourly_rate_cents: 5_000 }, key),
      ],
      [
        'a change of an instructor',
        (key) => stack.school.patch(`/instructors/${instructor.id}`, { bio: 'Thirty years' }, key),
      ],
      [
        'a pool',
        (key) =>
          stack.school.post(
            '/pools',
            { name: 'Bath', address: 'Water St', latitude: 1, longitude: 2, timezone: 'UTC' },
            key,
          ),
      ],
    ];

    it.each(WRITES)('is answered with the bytes of the first answer, for %s', async (_, send) => {
      const key = aKey();
      const [first, second] = [await send(key), await send(key)];
      expect([200, 201]).toContain(first.status);
      expect(isReplay(first) && first.attempts === 1).toBe(false);
      expect(isReplay(second)).toBe(true);
      expect([second.status, payloadOf(second)]).toEqual([first.status, payloadOf(first)]);
      expect(second.meta.request_id).not.toBe(first.meta.request_id);
    });

    it('returns the first answer though the data has changed since', async () => {
      const [date, key] = [nextTime(), aKey()];
      const body = sessionBody(instructor, member, date);
      const session = await family.make<Session>('/sessions', body, key);
      const rival = await aMember(family);
      const otherKey = aKey();
      const rejected = await family.post('/sessions', sessionBody(instructor, rival, date), otherKey);
      expect(rejected).toMatchObject(apiError(409, 'instructor_busy'));
      await family.post(`/sessions/${session.id}/cancel`, {}, aKey());
      expect(await family.post('/sessions', body, key)).toMatchObject({ status: 201, data: session });
      const repeated = await family.post('/sessions', sessionBody(instructor, rival, date), otherKey);
      expect([repeated.status, payloadOf(repeated), isReplay(repeated)]).toEqual([409, payloadOf(rejected), true]);
    });

    it('returns a decline without another charge of the card', async () => {
      const [booking, bad, key] = [
        await aBooking(family, instructor, member),
        await aCard(family, 'pm_card_declined'),
        aKey(),
      ];
      const send = () => family.post('/payments', paymentBody(booking, bad), key);
      const [first, second] = [await send(), await send()];
      expect(first).toMatchObject(apiError(402, 'card_declined'));
      expect([second.status, payloadOf(second), isReplay(second)]).toEqual([402, payloadOf(first), true]);
      expect(await family.readAll(`/accounts/${family.id}/payments?booking_id=${booking.id}`)).toHaveLength(1);
    });

    it('is rejected with another body, but not with the same body in another spelling', async () => {
      const key = aKey();
      const [body, path] = [memberBody(), `/accounts/${family.id}/members`];
      const first = await family.post<Member>(path, body, key);
      const other = await family.post(path, { ...body, name: 'Another' }, key);
      expect(other).toMatchObject({
        ...apiError(422, 'idempotency_key_reused', 'Idempotency-Key'),
        error: { code: 'VALIDATION_ERROR' },
      });
      const raw = JSON.stringify(Object.fromEntries(Object.entries(body).reverse()), null, 3);
      const respelt = await family.send('POST', path, { raw, headers: { ...key, 'content-type': 'application/json' } });
      expect([respelt.status, payloadOf(respelt)]).toEqual([201, payloadOf(first)]);
      const [one, two] = [await aSession(family, instructor, member), await aSession(family, instructor, member)];
      expect((await family.patch(`/sessions/${one.id}`, { notes: 'Back' }, key)).status).toBe(200);
      expect(await family.patch(`/sessions/${two.id}`, { notes: 'Back' }, key)).toMatchObject(
        apiError(422, 'idempotency_key_reused'),
      );
    });

    it('is another request when another account sends it', async () => {
      const [stranger, key] = [await stack.open('family'), aKey()];
      const body = memberBody();
      const own = await family.make<Member>(`/accounts/${family.id}/members`, body, key);
      const others = await stranger.make<Member>(`/accounts/${stranger.id}/members`, body, key);
      expect(others).toMatchObject({ account_id: stranger.id, name: own.name });
      expect(others.id).not.toBe(own.id);
    });
  });

  describe('a key', () => {
    it('is usable when the request was rejected before execution', async () => {
      const key = aKey();
      const path = `/accounts/${family.id}/members`;
      expect((await family.post(path, memberBody({ date_of_birth: '2017-02-30' }), key)).status).toBe(400);
      expect(
        (await family.post('/sessions', sessionBody(instructor, member, '2020-01-01T10:00:00Z'), key)).status,
      ).toBe(400);
      const foreign = await aMember(await stack.open('family'));
      expect((await family.post('/sessions', sessionBody(instructor, foreign, nextTime()), key)).status).toBe(400);
      expect((await family.post(path, memberBody(), key)).status).toBe(201);
      expect((await family.post('/sessions', sessionBody(instructor, member, nextTime()), key)).status).toBe(201);
    });

    it('of a request in progress answers 409 with Retry-After, and once that has ended its answer', async () => {
      const [key, date] = [aKey(), nextTime()];
      const body = bookingBody(instructor, [member], [date]);
      const send = () => family.post<Booking>('/bookings', body, key);
      stack.freeze('scheduling');
      const first = send();
      try {
        const second = await until(async () => {
          const started = await stack.stored('booking', 'drafts', { 'times.slots.date': date });
          return started.length > 0 ? family.once.post('/bookings', body, key) : null;
        }, 'the booking is under way');
        expect(second).toMatchObject({ ...apiError(409, 'idempotency_in_progress'), error: { code: 'CONFLICT' } });
        expect(second.headers.get('retry-after')).toBe('1');
      } finally {
        stack.thaw('scheduling');
      }
      const made = expectStatus(201, await first);
      const replay = await send();
      expect([replay.status, payloadOf(replay), isReplay(replay)]).toEqual([201, payloadOf(made), true]);
    });

    it.each([
      ['of 256 characters', 400, 'k'.repeat(256)],
      ['of 255 characters', 201, 'k'.repeat(255)],
      ['with letters that are not printable ASCII', 400, 'clé'],
    ])('%s is answered %d', async (_, status, key) => {
      const answer = await family.post(`/accounts/${family.id}/members`, memberBody(), { 'idempotency-key': key });
      expect(answer.status).toBe(status);
      if (status === 400) expect(answer).toMatchObject(apiError(400, 'invalid_idempotency_key', 'Idempotency-Key'));
    });
  });
});
