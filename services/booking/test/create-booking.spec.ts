import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Booking, createBooking, getBooking, listBookings } from '@swim/contracts';
import { derivedId, newId } from '@swim/platform';
import { aPrincipal, inDays, refusalOfCall } from '@swim/testing';
import { startWorld, times, type WantedBooking, type World } from './booking-world.js';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
beforeEach(() => world.calendar.calm());
afterAll(() => world.stop());

const create = (wanted: WantedBooking, caller = {}): Promise<Booking> =>
  world.parts.call(createBooking, wanted, { principal: world.family, ...caller });
const refused = (wanted: WantedBooking, caller = {}) => refusalOfCall(create(wanted, caller));
const listed = async (memberId: string) =>
  (await world.parts.call(listBookings, { member_id: memberId }, { principal: world.family })).items;

describe('a booking', () => {
  it('is answered whole: dates, sessions, price, status, and nobody else need be asked', async () => {
    const wanted = world.wanted({ sessions: times(3, 2), notes: 'First lessons', payment_method_id: world.method });
    const second = world.people.aMember(world.family.accountId);
    const member_ids = [...wanted.member_ids, second];
    const made = await create({ ...wanted, member_ids });
    expect(made).toMatchObject({
      account_id: world.family.accountId,
      instructor_id: wanted.instructor_id,
      member_ids,
      payment_method_id: wanted.payment_method_id,
      notes: 'First lessons',
      status: 'confirmed',
      payment_status: 'unpaid',
      amount_cents: 20_000,
      amount_paid_cents: 0,
      currency: 'USD',
      expires_at: null,
      version: 1,
    });
    expect(made.skipped).toBeUndefined();
    const order = [2, 3].flatMap((day) => member_ids.map((member_id) => [inDays(day), member_id]));
    expect(made.sessions.map(({ date, member_id }) => [date, member_id])).toEqual(order);
    expect(made.sessions[0]).toEqual({
      id: derivedId('ses', made.id, `1/${member_ids[0]}`),
      member_id: member_ids[0],
      date: inDays(2),
      end_date: inDays(2, 11),
      duration_minutes: 60,
      status: 'scheduled',
    });
    expect([...made.session_ids].sort()).toEqual(made.sessions.map(({ id }) => id).sort());
    expect(await world.parts.call(getBooking, { booking_id: made.id }, { principal: world.family })).toEqual(made);
  });

  it('is told as created, then as confirmed, to its account and its school, without its notes', async () => {
    const made = await create(world.wanted({ notes: 'a canary of notes' }), { requestId: 'req_test' });
    const events = await world.hearing.atLeast(2, made.id);
    expect(events.map(({ type, n }) => [type, n])).toEqual([
      ['booking.created', 1],
      ['booking.confirmed', 2],
    ]);
    for (const event of events) {
      expect(event.audience).toEqual([world.family.accountId, world.school.accountId]);
      const { notes: _, ...object } = made;
      expect(event.object).toEqual(object);
      expect(event.cause).toEqual({
        requestId: 'req_test',
        idempotencyKey: null,
        actor: world.family.keyId,
        accountId: world.family.accountId,
      });
    }
    expect(JSON.stringify(events)).not.toContain('canary');
  });

  it('can be made by the school for a member that it may read, and belongs to the member’s account', async () => {
    const made = await create(world.wanted(), { principal: world.school });
    expect(made.account_id).toBe(world.family.accountId);
    expect((await world.parts.call(getBooking, { booking_id: made.id }, { principal: world.family })).id).toBe(made.id);
  });

  it('waits for its money where the school asks for prepayment, and is told as created only', async () => {
    const instructor_id = world.people.anInstructor(world.school.accountId, {}, { requirePrepayment: true });
    const made = await create(world.wanted({ instructor_id }));
    expect(made).toMatchObject({ status: 'pending', payment_status: 'unpaid', amount_cents: 5_000 });
    expect(Date.parse(made.expires_at!)).toBeGreaterThan(Date.parse(made.created_at));
    const [event] = await world.hearing.atLeast(1, made.id);
    expect(event).toMatchObject({ type: 'booking.created', object: { status: 'pending' } });
  });

  it('skips what is taken when asked to, answers what it skipped, and costs what it has', async () => {
    const taken = await create(world.wanted({ sessions: times(5) }));
    const wanted = world.wanted({ instructor_id: taken.instructor_id, sessions: times(4, 5, 6), on_conflict: 'skip' });
    const made = await create(wanted);
    expect(made.sessions.map(({ date }) => date)).toEqual([inDays(4), inDays(6)]);
    expect(made.skipped).toEqual([{ date: inDays(5), reason: 'instructor_busy' }]);
    expect(made.amount_cents).toBe(10_000);
    expect(await world.parts.call(getBooking, { booking_id: made.id }, { principal: world.family })).toEqual(made);
  });

  it('that could skip but need not answers that nothing was skipped', async () => {
    expect((await create(world.wanted({ on_conflict: 'skip' }))).skipped).toEqual([]);
  });

  it('tried out is answered as it would be made, and nothing is kept', async () => {
    const wanted = world.wanted({ sessions: times(7, 8) });
    const tried = await create(wanted, { dryRun: true, idempotencyKey: 'a dry run' });
    expect(tried).toMatchObject({
      status: 'confirmed',
      amount_cents: 10_000,
      member_ids: wanted.member_ids,
      version: 1,
    });
    expect(tried.sessions).toHaveLength(2);
    expect(await world.stored(tried.id)).toBeNull();
    expect(world.calendar.confirmedSessions(tried.id)).toEqual([]);
    expect(world.calendar.calls).toEqual(['claim']);
    expect(await create(wanted)).toMatchObject({ amount_cents: 10_000 });
  });
});

describe('a booking is refused', () => {
  it('for an instructor who does not exist', async () => {
    const error = await refused(world.wanted({ instructor_id: newId('ins') }));
    expect(error).toMatchObject({ code: 'VALIDATION_ERROR', details: { reason: 'not_found', field: 'instructor_id' } });
  });

  it('for a payment method that is not in the wallet of who books', async () => {
    const error = await refused(world.wanted({ payment_method_id: newId('pm') }));
    expect(error).toMatchObject({ details: { reason: 'not_found', field: 'payment_method_id' } });
  });

  it('for an instructor who takes no new sessions', async () => {
    const instructor_id = world.people.anInstructor(world.school.accountId, { status: 'inactive' });
    const error = await refused(world.wanted({ instructor_id }));
    expect(error).toMatchObject({ details: { reason: 'inactive_instructor', field: 'instructor_id' } });
  });

  it('for a member of another account, as for one who does not exist', async () => {
    const stranger = world.people.aMember(newId('acct'));
    const own = world.people.aMember(world.family.accountId);
    const foreign = await refused(world.wanted({ member_ids: [own, stranger] }));
    const absent = await refused(world.wanted({ member_ids: [own, newId('mem')] }));
    expect(foreign.toBody()).toEqual(absent.toBody());
    expect(foreign).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { reason: 'not_found', field: 'member_ids.1' },
    });
  });

  it('for members of several accounts', async () => {
    const readers = [world.school.accountId];
    const member_ids = [newId('acct'), newId('acct')].map((account) => world.people.aMember(account, readers));
    const error = await refused(world.wanted({ member_ids }), { principal: world.school });
    expect(error).toMatchObject({ details: { reason: 'members_of_several_accounts', field: 'member_ids' } });
  });

  it('for a group larger than the instructor teaches', async () => {
    const member_ids = [1, 2, 3, 4].map(() => world.people.aMember(world.family.accountId));
    const error = await refused(world.wanted({ member_ids }));
    expect(error).toMatchObject({ details: { reason: 'group_too_large', field: 'member_ids' } });
  });

  it('for a date in the past', async () => {
    const error = await refused(world.wanted({ sessions: times(1, -1) }));
    expect(error).toMatchObject({ details: { reason: 'in_past', field: 'sessions.1.date' } });
  });

  it('for a school that books another school’s instructor for a member it merely reads', async () => {
    const other = aPrincipal({ kind: 'school' });
    const member_ids = [world.people.aMember(world.family.accountId, [other.accountId])];
    const error = await refused(world.wanted({ member_ids }), { principal: other });
    expect(error).toMatchObject({ code: 'AUTHORIZATION_ERROR', details: { reason: 'school_only' } });
  });

  it('for a date that is taken, one or many: 409 that names each, and nothing remains', async () => {
    const taken = await create(world.wanted({ sessions: times(10) }));
    for (const days of [[10], [9, 10, 11]]) {
      const wanted = world.wanted({ instructor_id: taken.instructor_id, sessions: times(...days) });
      const error = await refused(wanted);
      expect(error).toMatchObject({
        code: 'CONFLICT',
        details: {
          reason: 'conflicting_dates',
          conflicts: [{ date: inDays(10), reason: 'instructor_busy', suggestions: [] }],
        },
      });
      expect(await listed(wanted.member_ids[0]!)).toEqual([]);
    }
    expect(world.calendar.allSessions.filter((each) => each.instructor_id === taken.instructor_id)).toHaveLength(1);
  });

  it('when every date that could be skipped is taken', async () => {
    const taken = await create(world.wanted({ sessions: times(12) }));
    const wanted = world.wanted({ instructor_id: taken.instructor_id, sessions: times(12), on_conflict: 'skip' });
    expect(await refused(wanted)).toMatchObject({ code: 'CONFLICT', details: { reason: 'conflicting_dates' } });
  });

  it.each<[string, Partial<WantedBooking>, string, string]>([
    ['no session', { sessions: [] }, 'sessions', 'too_short'],
    [
      'fifty-three sessions',
      { sessions: times(...Array.from({ length: 53 }, (_, day) => day + 1)) },
      'sessions',
      'too_long',
    ],
    ['sessions that overlap each other', { sessions: times(1, 1) }, 'sessions', 'overlapping_sessions'],
    ['no member', { member_ids: [] }, 'member_ids', 'too_short'],
    [
      'a duration of zero',
      { sessions: [{ date: inDays(1), duration_minutes: 0 }] },
      'sessions.0.duration_minutes',
      'too_small',
    ],
  ])('with %s', async (_, changes, field, reason) => {
    expect(await refused(world.wanted(changes))).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { field, reason },
    });
  });

  it('with the same member twice', async () => {
    const member = world.people.aMember(world.family.accountId);
    const error = await refused(world.wanted({ member_ids: [member, member] }));
    expect(error).toMatchObject({ details: { field: 'member_ids', reason: 'duplicate_value' } });
  });
});
