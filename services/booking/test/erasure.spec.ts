import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Booking, createBooking, getBooking, memberErased } from '@swim/contracts';
import { refusalOfCall, tell, until } from '@swim/testing';
import { gate, startWorld, times, type WantedBooking, type World } from './booking-world.js';

const CANARY = 'canary';
let world: World;
beforeAll(async () => {
  world = await startWorld();
});
beforeEach(() => world.calendar.calm());
afterAll(() => world.stop());

const create = (wanted: WantedBooking, caller = {}): Promise<Booking> =>
  world.parts.call(createBooking, wanted, { principal: world.family, ...caller });
const read = (booking_id: string) => world.parts.call(getBooking, { booking_id }, { principal: world.family });
const noted = () => world.wanted({ notes: CANARY });
const collection = (name: string) => world.parts.database('booking_test').collection<{ _id: string }>(name);
const erase = (id: string) =>
  tell(world.parts, memberErased, {
    object: { id, account_id: world.family.accountId, erased_at: new Date().toISOString() },
    audience: [world.family.accountId, world.school.accountId],
  });
const hasNotes = async (id: string) => (await world.stored(id))?.notes !== null;

describe('when a member is erased', () => {
  it('its bookings stay, without their notes, also those of groups; those of others keep theirs', async () => {
    const wanted = noted();
    const second = world.people.aMember(world.family.accountId);
    const alone = await create(wanted);
    const group = await create({ ...noted(), member_ids: [second, ...wanted.member_ids], sessions: times(2) });
    const others = await create({ ...noted(), member_ids: [second] });
    await erase(wanted.member_ids[0]!);
    for (const { id } of [alone, group]) {
      await until(async () => !(await hasNotes(id)), 'the notes are gone');
      expect(await read(id)).toMatchObject({ status: 'confirmed', notes: null, version: 1 });
    }
    expect(await read(others.id)).toMatchObject({ notes: CANARY });
  });

  it('the stored answers that tell of it go', async () => {
    const wanted = noted();
    const again = () => create(wanted, { idempotencyKey: `book ${wanted.member_ids[0]}` });
    const { id } = await again();
    const before = world.calendar.calls.length;
    await erase(wanted.member_ids[0]!);
    await until(
      async () => (await collection('idempotency').countDocuments({ subjects: wanted.member_ids[0] })) === 0,
      'gone',
    );
    expect((await refusalOfCall(again())).reason).toBe('resource_not_found');
    expect(world.calendar.calls.slice(before)).not.toContain('claim');
    expect(await read(id)).toMatchObject({ status: 'confirmed' });
  });

  it('a booking stored only then is refused as if the member were not there, and asks scheduling for nothing', async () => {
    const wanted = noted();
    const [member] = wanted.member_ids;
    await erase(member!);
    await until(() => collection('erased_members').findOne({ _id: member! }), 'it is marked');
    const before = world.calendar.calls.length;
    expect((await refusalOfCall(create(wanted))).details).toMatchObject({ reason: 'not_found', field: 'member_ids.0' });
    expect(world.calendar.calls.slice(before)).not.toContain('claim');
    const [stored] = (await world.allStored()).filter(({ memberIds }) => (memberIds as string[]).includes(member!));
    expect(stored).toMatchObject({ status: 'failed', notes: null });
  });

  it('a booking that is being made loses its notes', async () => {
    const wanted = noted();
    const { passed, open } = gate();
    world.calendar.disturb('claim', { before: passed });
    const making = create(wanted);
    const ofMember = { memberIds: wanted.member_ids[0] };
    const { _id } = await until(() => collection('bookings').findOne(ofMember), 'it is stored');
    await erase(wanted.member_ids[0]!);
    await until(async () => !(await hasNotes(_id)), 'the notes are gone');
    open();
    expect(await making).toMatchObject({ id: _id, status: 'confirmed', notes: null });
  });
});
