import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  type Booking,
  type BusEvent,
  createBooking,
  type ErasedMember,
  getBooking,
  memberErased,
  updateBooking,
} from '@swim/contracts';
import { AppError, newId, TooEarly } from '@swim/platform';
import { everythingStored, ofSeveralTries, partOf, publishEvent, rejectionOf, until } from '@swim/testing';
import { type BookingFixture, type BookingInput, gate, type StoredDraft, startFixture, times } from '../harness.js';
import { moneyIn } from '../money/money.js';

const CANARY = 'canary';
let fixture: BookingFixture;
beforeAll(async () => {
  fixture = await startFixture();
});
beforeEach(() => {
  jest.restoreAllMocks();
  fixture.calendar.calm();
});
afterAll(() => fixture.stop());

const create = (input: BookingInput, options = {}): Promise<Booking> =>
  fixture.harness.call(createBooking, input, { principal: fixture.family, ...options });
const read = (booking_id: string) => fixture.harness.call(getBooking, { booking_id }, { principal: fixture.family });
const noted = () => fixture.bookingInput({ notes: CANARY, metadata: { by: CANARY } });
const collection = (name: string) => fixture.harness.database('booking_test').collection<{ _id: string }>(name);
const erase = (id: string) =>
  publishEvent(fixture.harness, memberErased, {
    object: { id, account_id: fixture.family.accountId, erased_at: new Date().toISOString() },
    audience: [fixture.family.accountId, fixture.school.accountId],
  });
/** The event of a member's erasure, as it is delivered. */
const erasureOf = (id: string): BusEvent<ErasedMember> => ({
  ...{ id: newId('evt'), n: 1, type: 'member.erased', env: 'test', occurredAt: new Date().toISOString(), objectId: id },
  audience: [fixture.family.accountId, fixture.school.accountId],
  object: { id, account_id: fixture.family.accountId, erased_at: new Date().toISOString() },
  cause: { requestId: null, idempotencyKey: null, actor: 'system', accountId: fixture.family.accountId },
});
const hasNotes = async (id: string) => (await fixture.stored(id))?.notes !== null;

describe('when a member is erased', () => {
  it('its bookings stay, without their notes, also those of groups; other members’ bookings keep theirs', async () => {
    const input = noted();
    const second = fixture.people.aMember(fixture.family.accountId);
    const alone = await create(input);
    const group = await create({ ...noted(), member_ids: [second, ...input.member_ids], sessions: times(2) });
    const others = await create({ ...noted(), member_ids: [second] });
    await erase(input.member_ids[0]!);
    for (const { id, updated_at } of [alone, group]) {
      await until(async () => !(await hasNotes(id)), 'the notes are gone');
      const erased = await read(id);
      expect(erased).toMatchObject({ status: 'confirmed', notes: null, metadata: {}, version: 1 });
      expect(Date.parse(erased.updated_at)).toBeGreaterThan(Date.parse(updated_at));
      const changes = { notes: CANARY, metadata: { by: CANARY } };
      const late = fixture.harness.call(updateBooking, { booking_id: id, changes }, { principal: fixture.family });
      expect(await late).toMatchObject({ notes: null, metadata: {} });
    }
    expect(await read(others.id)).toMatchObject({ notes: CANARY });
  });

  it('a change of its booking stores no texts, also when the process is killed right after the write', async () => {
    const { BookingsRepository } = await import('../../src/bookings/storage/bookings.repository.js');
    const bookings = fixture.service.app.get(BookingsRepository, { strict: false });
    const input = noted();
    const { id } = await create(input);
    await erase(input.member_ids[0]!);
    await until(async () => !(await hasNotes(id)), 'the notes are gone');
    const write = bookings.changeOwn.bind(bookings);
    jest.spyOn(bookings, 'changeOwn').mockImplementation(async (...given) => {
      await write(...given);
      throw new AppError('unavailable');
    });
    const changes = { notes: CANARY, metadata: { by: CANARY } };
    const late = fixture.harness.call(updateBooking, { booking_id: id, changes }, { principal: fixture.family });
    await late.catch(() => undefined);
    expect(await fixture.stored(id)).toMatchObject({ notes: null, metadata: [], version: 1 });
  });

  it('payment removes what was written to the payments of its bookings, and is requested until it has', async () => {
    const input = noted();
    const [paid, unpaid] = [
      await create(input),
      await create({ ...noted(), member_ids: input.member_ids, sessions: times(3) }),
    ];
    await moneyIn(() => fixture).pay(paid);
    fixture.payment.unfinishedErasures = 1;
    await erase(input.member_ids[0]!);
    const erasures = () => fixture.payment.erasures.filter(({ bookingIds }) => bookingIds.includes(paid.id));
    await until(() => erasures().length === 2, 'payment is requested again');
    const accountIds = [fixture.family.accountId, fixture.school.accountId];
    for (const request of erasures()) expect(request).toMatchObject({ bookingIds: [paid.id], accountIds });
    await until(async () => !(await hasNotes(unpaid.id)), 'the notes are gone');
    const isForgotten = async () =>
      (await collection('idempotency').countDocuments({ subjects: input.member_ids[0]! })) === 0;
    await until(isForgotten, 'the erasure is through');
    expect(erasures()).toHaveLength(2);
  });

  it('stored answers that contain it are removed', async () => {
    const input = noted();
    const retry = () => create(input, { idempotencyKey: `book ${input.member_ids[0]}` });
    const { id } = await retry();
    const before = fixture.calendar.calls.length;
    await erase(input.member_ids[0]!);
    await until(
      async () => (await collection('idempotency').countDocuments({ subjects: input.member_ids[0] })) === 0,
      'gone',
    );
    expect((await rejectionOf(retry())).reason).toBe('resource_not_found');
    expect(fixture.calendar.calls.slice(before)).not.toContain('claim');
    expect(await read(id)).toMatchObject({ status: 'confirmed' });
  });

  it('a booking stored afterwards is rejected as if the member did not exist, without a claim', async () => {
    const input = noted();
    const [member] = input.member_ids;
    await erase(member!);
    await until(() => collection('erased_members').findOne({ _id: member! }), 'it is marked');
    const before = fixture.calendar.calls.length;
    expect((await rejectionOf(create(input))).details).toMatchObject({ reason: 'not_found', field: 'member_ids.0' });
    expect(fixture.calendar.calls.slice(before)).not.toContain('claim');
    expect((await fixture.allStored()).filter(({ memberIds }) => (memberIds as string[]).includes(member!))).toEqual(
      [],
    );
    expect(JSON.stringify(await fixture.allDrafts())).not.toContain(member);
  });

  const losesAnswer = async () => {
    const input = noted();
    const [member] = input.member_ids;
    const { passed, reached, open } = gate();
    fixture.calendar.disturb('claim', { before: passed });
    const making = create(input, { idempotencyKey: `book ${member}` });
    await Promise.race([reached, making]);
    await erase(member!);
    await until(() => collection('erased_members').findOne({ _id: member! }), 'it is marked');
    open();
    const { id } = await making;
    // The answer was stored before the request was answered.
    const areForgotten = async () => (await collection('idempotency').countDocuments({ subjects: member! })) === 0;
    await until(async () => (await areForgotten()) && !(await hasNotes(id)), 'nothing about the member is left');
  };
  it('a booking in progress under a key is finished, and loses its notes and its stored answer', () =>
    ofSeveralTries(losesAnswer));

  it('a booking under a key that is stored and made while the erasure runs loses its notes and metadata', async () => {
    const { BookingsRepository } = await import('../../src/bookings/storage/bookings.repository.js');
    const { ErasureService } = await import('../../src/bookings/following/erasure.service.js');
    const { DraftsRepository } = await import('../../src/bookings/drafts/drafts.repository.js');
    const bookings = fixture.service.app.get(BookingsRepository, { strict: false });
    const drafts = fixture.service.app.get(DraftsRepository, { strict: false });
    const erasure = partOf(fixture.service, ErasureService);
    const input = noted();
    const [member] = input.member_ids;
    // It has read its participants, and waits before it is stored.
    const { passed, reached, open } = gate();
    const begin = drafts.begin.bind(drafts);
    jest.spyOn(drafts, 'begin').mockImplementation(async (...given) => {
      await passed();
      return begin(...given);
    });
    const making = create(input, { idempotencyKey: `book ${member}` });
    await Promise.race([reached, making]);
    const find = bookings.findIdsWithNotes.bind(bookings);
    jest.spyOn(bookings, 'findIdsWithNotes').mockImplementation(async (...given) => {
      const found = await find(...given);
      open();
      await making;
      return found;
    });
    const event = erasureOf(member!);
    // As after each delivery of the event: until then it is delivered again.
    const isThrough = async () => {
      const error = await erasure.erase(event).catch((thrown: unknown) => thrown);
      if (error !== undefined && !(error instanceof TooEarly)) throw error;
      open();
      await making;
      return error === undefined;
    };
    await until(isThrough, 'the erasure is through');
    const { id } = await making;
    expect(await read(id)).toMatchObject({ status: 'confirmed', notes: null });
    expect((await read(id)).metadata).toEqual({});
    expect(await collection('idempotency').countDocuments({ subjects: member! })).toBe(0);
  });

  const losesNotes = async () => {
    const input = noted();
    const { passed, reached, open } = gate();
    fixture.calendar.disturb('claim', { before: passed });
    const making = create(input);
    // By then it has checked whether its members were erased.
    await Promise.race([reached, making]);
    const draft = () => collection('drafts').findOne({ 'booking.memberIds': input.member_ids[0] } as object);
    const { _id } = (await draft())!;
    await erase(input.member_ids[0]!);
    await until(async () => ((await draft()) as unknown as StoredDraft).textsErased, 'the notes are gone');
    open();
    expect(await making).toMatchObject({ id: _id, status: 'confirmed', notes: null });
  };
  // The event must arrive before the deadline of the request.
  it('a booking in progress loses its notes', () => ofSeveralTries(losesNotes));
});

describe('the notes of a booking', () => {
  const keys = () =>
    fixture.harness.database('booking_keys_test').collection<{ _id: string; wrapped?: string }>('personal_keys');

  it('are returned in clear and in no document or stream, nor is the key of their request', async () => {
    const input = { ...noted(), notes: 'oriolusnotes' };
    const { id } = await create(input, { idempotencyKey: 'oriolusrequest' });
    expect(await read(id)).toMatchObject({ notes: 'oriolusnotes' });
    const isPublished = async () => !(await fixture.stored(id))?.relayAt;
    await until(isPublished, 'its events have left its outbox');
    expect(await everythingStored(fixture.harness)).not.toContain('oriolusnotes');
    expect(JSON.stringify(await fixture.stored(id))).not.toContain('oriolusrequest');
    expect(await keys().findOne({ _id: fixture.family.accountId })).toHaveProperty('wrapped');
  });

  it('are unreadable without the key of the account', async () => {
    const { id } = await create(noted());
    const { DataKeys } = await import('@swim/mongo');
    await partOf(fixture.service, DataKeys).destroy(fixture.family.accountId);
    expect(await read(id)).toMatchObject({ notes: null, status: 'confirmed' });
  });
});
