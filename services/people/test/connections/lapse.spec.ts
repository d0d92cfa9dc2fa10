import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  advanceSandboxClock,
  createConnection,
  createReview,
  getConnection,
  getMember,
  type Principal,
  type SessionObject,
  sessionCreated,
  sessionRescheduled,
  updateConnection,
} from '@swim/contracts';
import { newId } from '@swim/platform';
import { aPrincipal, publishEvent, until } from '@swim/testing';
import { openAccounts, type PeopleHarness, startPeople } from '../harness.js';
import { KnownSessions } from '../known-sessions.js';
import { ClockParts } from '../lifecycle/clock-parts.js';

const DAY_MS = 86_400_000;

let people: PeopleHarness;
let sessions: KnownSessions;
let [family, school]: [Principal, Principal] = [aPrincipal(), aPrincipal({ kind: 'school' })];
let member = '';
let connection_id = '';
beforeAll(async () => {
  people = await startPeople();
  new ClockParts(people.harness);
  sessions = new KnownSessions(people.harness);
});
afterAll(() => people?.stop());
beforeEach(async () => {
  [family, school] = [aPrincipal(), aPrincipal({ kind: 'school' })];
  await openAccounts(people.service, [family, school]);
  member = (await people.aMember({ account_id: family.accountId }, { principal: family })).id;
  connection_id = (await people.connect(member, school, family)).id;
});

const read = () => people.harness.call(getConnection, { connection_id }, { principal: school });
const advance = async (days: number, principal = family) => {
  const advance_to = new Date(people.clock.now().getTime() + days * DAY_MS).toISOString();
  await people.harness.call(advanceSandboxClock, { advance_to }, { principal });
};
const connections = () =>
  people.harness.database('people_test').collection<{ _id: string; endsAt: Date | null }>('connections');
const stored = () => connections().findOne({ _id: connection_id });

/** Publishes a session in so many days, as scheduling does when `by` books or moves it; waits until it is stored. Returns its date. */
async function choose(
  days: number,
  { accountId, keyId, actingSchoolId }: Principal,
  type = sessionCreated,
  actor = keyId,
) {
  const date = new Date(Date.now() + days * DAY_MS).toISOString();
  const object: SessionObject = {
    id: newId('ses'),
    account_id: family.accountId,
    booking_id: null,
    lesson_id: newId('lsn'),
    instructor_id: newId('ins'),
    member_id: member,
    date,
    end_date: date,
    duration_minutes: 30,
    location: null,
    status: 'scheduled',
    attendance: 'pending',
    cancellation: null,
    price_cents: 0,
    currency: 'USD',
    version: 1,
    created_at: date,
    updated_at: date,
  };
  const audience = [family.accountId, school.accountId];
  const acting = actingSchoolId === undefined ? {} : { actingSchoolId };
  await publishEvent(people.harness, type, { object, audience, by: { accountId, actor, ...acting } });
  const lessons = people.harness.database('people_test').collection<{ _id: string }>('lessons');
  await until(() => lessons.findOne({ _id: object.id }), 'the session is stored');
  return date;
}

describe('a connection', () => {
  it('ends by itself 365 days after the last that the family has done with the school, with the same effect as an end by the school', async () => {
    await advance(364);
    expect(await read()).toMatchObject({ status: 'active' });
    await advance(366);
    expect(await read()).toMatchObject({ status: 'ended', ended_by: 'time' });
    expect((await people.eventOf(connection_id, 2)).type).toBe('connection.ended');
    // The sweep may have ended it before the request did.
    const cancelled = () => people.unconnected.find(({ accountId }) => accountId === family.accountId);
    expect(await until(cancelled, 'its lessons are cancelled')).toMatchObject({ end: { by: 'school' } });
    const gone = people.harness.call(getMember, { member_id: member }, { principal: school });
    await expect(gone).rejects.toMatchObject({ reason: 'resource_not_found' });
    expect(await people.connect(member, school, family)).toMatchObject({ status: 'active', ended_by: null });
  });

  it("lasts until 365 days after the family's last change of a booking, for which there is no event", async () => {
    await advance(300);
    people.ownChanges.set(family.accountId, new Date(people.clock.now().getTime() + 300 * DAY_MS).toISOString());
    for (const days of [366, 664]) await advance(days);
    expect(await read()).toMatchObject({ status: 'active' });
    await advance(666);
    expect(await read()).toMatchObject({ status: 'ended', ended_by: 'time' });
  });

  it("ends by the later of two sandbox clocks, the family's and the school's", async () => {
    await advance(300);
    expect(await read()).toMatchObject({ status: 'active' });
    for (const days of [364, 366]) await advance(days, school);
    expect(await read()).toMatchObject({ status: 'ended', ended_by: 'time' });
  });

  it('lasts until 365 days after the date of a lesson that the family has booked or moved', async () => {
    await choose(30, family);
    const last = Date.parse(await choose(60, family, sessionRescheduled));
    await until(async () => (await stored())!.endsAt!.getTime() === last + 365 * DAY_MS, 'the connection is prolonged');
    for (const days of [364, 424]) await advance(days);
    expect(await read()).toMatchObject({ status: 'active' });
    await advance(426);
    expect(await read()).toMatchObject({ status: 'ended', ended_by: 'time' });
  });

  it('is prolonged by a review that the family writes', async () => {
    const endsAt = (await stored())!.endsAt!.getTime();
    const earlier = { $set: { endsAt: new Date(endsAt - 100 * DAY_MS) } };
    await connections().updateOne({ _id: connection_id }, earlier);
    const instructor = await people.anInstructor({}, { principal: school });
    const session_id = sessions.add(instructor, family);
    const input = { instructor_id: instructor.id, session_id, stars: 5 };
    await people.harness.call(createReview, input, { principal: family });
    expect((await stored())!.endsAt!.getTime()).toBeGreaterThan(endsAt - DAY_MS);
  });

  it('stays active when it is prolonged at the moment at which it would end', async () => {
    const { ConnectionsRepository } = await import('../../src/people/connections/connections.repository.js');
    const repository = people.service.app.get(ConnectionsRepository, { strict: false });
    const storing = repository as unknown as { commit: (now: object, ...rest: unknown[]) => Promise<object | null> };
    const commit = storing.commit.bind(repository);
    const { promise: outcomeOf, resolve } = Promise.withResolvers<object | null>();
    const ending = jest.spyOn(storing, 'commit').mockImplementationOnce(async (...decided) => {
      const pair = { schoolId: school.accountId, accountId: family.accountId };
      await repository.prolong(pair, new Date(), false);
      const outcome = await commit(...decided);
      resolve(outcome);
      return outcome;
    });
    await connections().updateOne({ _id: connection_id }, { $set: { endsAt: new Date(0) } });
    expect(await outcomeOf).toBeNull();
    ending.mockRestore();
    expect(await read()).toMatchObject({ status: 'active' });
  });

  it('is not prolonged by what the school does, also for the family, or the service by itself', async () => {
    const { endsAt } = (await stored())!;
    await choose(30, school);
    await choose(90, family, sessionRescheduled, 'system');
    const changes = { external_id: newId('req') };
    await people.harness.call(updateConnection, { connection_id, changes }, { principal: school });
    const acting = { ...family, actingSchoolId: school.accountId };
    await choose(120, acting);
    const { id } = await people.aMember({ account_id: family.accountId }, { principal: family });
    const joining = { school_id: school.accountId, member_ids: [id] };
    await people.harness.call(createConnection, joining, { principal: acting });
    expect((await stored())!.endsAt).toEqual(endsAt);
  });
});
