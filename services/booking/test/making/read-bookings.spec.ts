import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type Booking,
  createBooking,
  getBooking,
  type InputOf,
  listBookings,
  type Principal,
  updateBooking,
} from '@swim/contracts';
import { AppError, newId } from '@swim/platform';
import { aPrincipal, type RequestOptions, rejectionOf, until } from '@swim/testing';
import { type BookingFixture, type BookingInput, startFixture, times } from '../harness.js';

let fixture: BookingFixture;
let coach: string;
let kids: string[];
/** Newest first: even ones for the first child, odd ones for both; the third is pending. */
let made: Booking[];

const create = (changes: Partial<BookingInput>, principal: Principal = fixture.family): Promise<Booking> =>
  fixture.harness.call(createBooking, fixture.bookingInput(changes), { principal });

const list = (query: InputOf<typeof listBookings> = {}, principal: Principal = fixture.family) =>
  fixture.harness.call(listBookings, query, { principal });

const ids = (bookings: Booking[]) => bookings.map(({ id }) => id);

beforeAll(async () => {
  fixture = await startFixture();
  coach = fixture.people.anInstructor(fixture.school.accountId);
  kids = [1, 2].map(() => fixture.people.aMember(fixture.family.accountId, [fixture.school.accountId]));
  made = [];
  for (let day = 1; day <= 5; day++) {
    const member_ids = day % 2 ? kids : kids.slice(0, 1);
    made.unshift(await create({ instructor_id: coach, member_ids, sessions: times(day) }));
  }
});
beforeEach(() => fixture.calendar.calm());
afterAll(() => fixture.stop());

describe('a booking is read', () => {
  it('by its account and by its instructor’s school, the same way', async () => {
    const input = { booking_id: made[0]!.id };
    expect(await fixture.harness.call(getBooking, input, { principal: fixture.family })).toEqual(made[0]);
    expect(await fixture.harness.call(getBooking, input, { principal: fixture.school })).toEqual(made[0]);
  });

  it('by no other account: a foreign booking is rejected like an unknown one', async () => {
    const read = (id: string, principal: Principal) =>
      rejectionOf(fixture.harness.call(getBooking, { booking_id: id }, { principal }));
    for (const kind of ['family', 'school'] as const) {
      const foreign = await read(made[0]!.id, aPrincipal({ kind }));
      expect(foreign.toBody()).toEqual((await read(newId('bkg'), fixture.family)).toBody());
      expect(foreign).toMatchObject({ code: 'NOT_FOUND', reason: 'resource_not_found' });
    }
    const live = aPrincipal({ ...fixture.family, env: 'live' });
    expect((await read(made[0]!.id, live)).reason).toBe('resource_not_found');
  });

  it('with its sessions as they are now', async () => {
    const [session] = fixture.calendar.confirmedSessions(made[4]!.id);
    session!.status = 'completed';
    const now = await fixture.harness.call(getBooking, { booking_id: made[4]!.id }, { principal: fixture.family });
    expect(now.sessions[0]).toMatchObject({ id: session!.id, status: 'completed' });
    session!.status = 'scheduled';
  });

  it('never while scheduling is down', async () => {
    fixture.calendar.disturb('sessions', {
      before: () => {
        throw new AppError('unavailable', { retryAfterSeconds: 1 });
      },
    });
    const error = await rejectionOf(
      fixture.harness.call(getBooking, { booking_id: made[0]!.id }, { principal: fixture.family }),
    );
    expect(error).toMatchObject({ code: 'SERVER_ERROR', reason: 'unavailable', retryAfterSeconds: 1 });
  });
});

describe('a list of bookings', () => {
  it('has all that the account or the school may see, newest first, each complete', async () => {
    for (const principal of [fixture.family, fixture.school]) {
      const { items, pagination } = await list({}, principal);
      expect(items).toEqual(made);
      expect(pagination).toEqual({ has_more: false, next_cursor: null, total: 5 });
    }
    expect(await list({}, aPrincipal())).toEqual({
      items: [],
      pagination: { has_more: false, next_cursor: null, total: 0 },
    });
  });

  it('of an account has its own, and of a school those with it', async () => {
    expect((await list({ account_id: fixture.family.accountId })).items).toEqual(made);
    expect((await list({ account_id: fixture.school.accountId }, fixture.school)).items).toEqual(made);
  });

  it('of another account is rejected, also to its school', async () => {
    for (const [account_id, principal] of [
      [fixture.school.accountId, fixture.family],
      [fixture.family.accountId, fixture.school],
      [newId('acct'), fixture.family],
    ] as const) {
      const error = await rejectionOf(list({ account_id }, principal));
      expect(error).toMatchObject({ code: 'AUTHORIZATION_ERROR', reason: 'foreign_account' });
    }
  });

  it('is filtered by status, instructor and member, alone and together', async () => {
    const other = await create({ member_ids: kids.slice(1), sessions: times(9) });
    const found = async (query: InputOf<typeof listBookings>) => ids((await list(query)).items);
    expect(await found({ instructor_id: coach })).toEqual(ids(made));
    expect(await found({ instructor_id: other.instructor_id })).toEqual([other.id]);
    const ofSecond = ids(made.filter(({ member_ids }) => member_ids.includes(kids[1]!)));
    expect(await found({ member_id: kids[1]! })).toEqual([other.id, ...ofSecond]);
    expect(await found({ member_id: kids[1]!, instructor_id: coach, status: 'confirmed' })).toEqual(ofSecond);
    expect(await found({ status: 'cancelled' })).toEqual([]);
  });

  it('with several statuses has the bookings of each, and with ids only those', async () => {
    expect(ids((await list({ instructor_id: coach, status: 'confirmed,pending' })).items)).toEqual(ids(made));
    const [newest, , oldest] = made;
    expect(ids((await list({ ids: `${oldest!.id},${newest!.id}` })).items)).toEqual([newest!.id, oldest!.id]);
    const foreign = await list({ ids: newest!.id }, aPrincipal());
    expect(foreign.pagination.total).toBe(0);
  });

  it('with date_from and date_to has the bookings of which a session starts in the range, its end excluded', async () => {
    const dates = made.map(({ sessions }) => sessions[0]!.date);
    const found = async (query: InputOf<typeof listBookings>) =>
      ids((await list({ instructor_id: coach, ...query })).items);
    expect(await found({ date_from: dates[3]!, date_to: dates[1]! })).toEqual(ids(made.slice(2, 4)));
    expect(await found({ date_from: dates[0]! })).toEqual([made[0]!.id]);
    expect(await found({ date_to: dates[4]! })).toEqual([]);
  });

  it('with updated_from has the bookings that changed since', async () => {
    const [newest] = made;
    expect(ids((await list({ instructor_id: coach, updated_from: newest!.updated_at })).items)).toEqual([newest!.id]);
    expect(ids((await list({ instructor_id: coach, updated_to: newest!.updated_at })).items)).toEqual(
      ids(made.slice(1)),
    );
  });

  it('is paged by cursor and by offset, with an exact total', async () => {
    const walked: Booking[] = [];
    let cursor: string | undefined;
    do {
      const page = await list({ instructor_id: coach, limit: 2, ...(cursor ? { cursor } : {}) });
      expect(page.pagination.total).toBe(5);
      walked.push(...page.items);
      cursor = page.pagination.next_cursor ?? undefined;
    } while (cursor);
    expect(ids(walked)).toEqual(ids(made));
    expect(ids((await list({ instructor_id: coach, limit: 2, offset: 3 })).items)).toEqual(ids(made).slice(3));
  });

  it('rejects a cursor of other filters or of another account', async () => {
    const cursor = (await list({ instructor_id: coach, limit: 2 })).pagination.next_cursor!;
    for (const attempt of [list({ cursor, limit: 2 }), list({ instructor_id: coach, cursor }, fixture.school)]) {
      const error = await rejectionOf(attempt);
      expect(error).toMatchObject({ code: 'VALIDATION_ERROR', details: { reason: 'invalid_cursor', field: 'cursor' } });
    }
  });

  it('sends one request to scheduling for a page, and more only when the sessions would not fit into one reply', async () => {
    const { accountId } = fixture.family;
    const reads = () => fixture.calendar.sessionReaders.filter((reader) => reader === accountId);
    // A read with less than the default budget is sent once: the reads of a repetition would count too.
    const options = { principal: fixture.family, budgetMs: 2_900 };
    const listed = (query: InputOf<typeof listBookings>) =>
      until(async () => {
        fixture.calendar.calm();
        return (await fixture.harness.attempt(listBookings, query, options))?.value.items;
      }, 'the list is answered');
    await listed({ instructor_id: coach });
    expect(reads()).toHaveLength(1);
    const sessions = times(...Array.from({ length: 52 }, (_, day) => day + 20));
    const large = Array.from({ length: 14 }, () => create({ sessions, notes: 'ü'.repeat(2_000) }));
    const largeIds = ids(await Promise.all(large));
    const items = await listed({ limit: 100 });
    expect(reads()).toHaveLength(2);
    const answered = items.filter(({ id }) => largeIds.includes(id));
    expect(answered.map((booking) => booking.sessions.length)).toEqual(largeIds.map(() => 52));
  });
});

describe('PATCH of a booking', () => {
  const update = (
    booking_id: string,
    changes: InputOf<typeof updateBooking>['changes'],
    options: RequestOptions = {},
  ) => fixture.harness.call(updateBooking, { booking_id, changes }, { principal: fixture.family, ...options });
  const read = (booking_id: string) => fixture.harness.call(getBooking, { booking_id }, { principal: fixture.family });

  it('changes notes and merges metadata, as the next version, and filters lists by them', async () => {
    const value = newId('req');
    const booked = await create({ sessions: times(60), notes: 'Bring fins', metadata: { crm: value, 'a.b': '1' } });
    expect(booked.metadata).toEqual({ crm: value, 'a.b': '1' });
    const changed = await update(booked.id, { notes: null, metadata: { 'a.b': null, term: 'May' } });
    expect(changed).toMatchObject({ notes: null, metadata: { crm: value, term: 'May' }, version: booked.version + 1 });
    expect(await read(booked.id)).toEqual(changed);
    const dry = await update(booked.id, { notes: 'x' }, { dryRun: true });
    expect(dry).toMatchObject({ notes: 'x', metadata: { crm: value }, version: changed.version + 1 });
    expect((await update(booked.id, { notes: null }, { dryRun: true })).version).toBe(changed.version);
    expect((await update(booked.id, { metadata: { term: 'May' } })).version).toBe(changed.version);
    expect(ids((await list({ metadata: { crm: value, term: 'May' } })).items)).toEqual([booked.id]);
    expect(ids((await list({ metadata: { 'a.b': '1' } })).items)).toEqual([]);
  });

  it('rejects a booking that the account does not see, and a 51st key', async () => {
    const metadata = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`k${at}`, 'x']));
    const { id } = await create({ sessions: times(61), metadata });
    expect(await rejectionOf(update(id, { notes: 'x' }, { principal: aPrincipal() }))).toMatchObject({
      reason: 'resource_not_found',
    });
    expect(await rejectionOf(update(id, { metadata: { more: 'x' } }))).toMatchObject({
      reason: 'too_long',
      details: { field: 'metadata' },
    });
  });
});
