import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import {
  assessMember,
  type BusEvent,
  describeParticipants,
  eraseMember,
  getMemberProgress,
  type Principal,
  type SessionObject,
  sessionCancelled,
  sessionCreated,
  updateMember,
} from '@swim/contracts';
import { startService } from '@swim/messaging';
import { newId } from '@swim/platform';
import { aPrincipal, partOf, publishEvent, until } from '@swim/testing';
import fc from 'fast-check';
import { openAccounts, type PeopleHarness, startPeople } from '../harness.js';
import {
  consumerIn,
  day,
  eventOf,
  outcome,
  outcomeOfRead,
  START,
  scheduled,
  sessionOf,
} from './school-rights.fixtures.js';

let people: PeopleHarness;
let consume: (event: BusEvent<SessionObject>) => Promise<void>;
beforeAll(async () => {
  people = await startPeople();
  consume = await consumerIn(people.service);
});
afterAll(() => people?.stop());
afterEach(() => people.clock.set(new Date()));

/** A second replica of the service on the same database. */
async function aReplica() {
  const { config } = await import('../../src/config.js');
  const { AppModule } = await import('../../src/app.module.js');
  const { freePort } = await import('@swim/testing');
  const replica = await startService('people', AppModule, { ...config, HEALTH_PORT: await freePort() }, people.clock);
  return { consume: await consumerIn(replica), stop: () => replica.stop() };
}

const readBy = (memberId: string, principal: Principal) => outcomeOfRead(people, memberId, principal);

describe('a school with a future lesson', () => {
  it('reads and assesses the member and gets its events until the lesson is cancelled', async () => {
    const { id: member_id } = await people.aMember();
    const asSchool = { principal: people.school };
    const skills = [{ code: 'l1_bobbing', status: 'introduced' as const }];
    const instructorId = (await people.anInstructor()).id;
    const outcomes = async () => [
      await readBy(member_id, people.school),
      await outcome(people.harness.call(getMemberProgress, { member_id }, asSchool)),
      await outcome(people.harness.call(assessMember, { member_id, skills }, asSchool)),
      (await people.harness.call(describeParticipants, { instructorId, memberIds: [member_id] }, asSchool))
        .members[0] === null,
    ];
    const nothing = ['resource_not_found', 'resource_not_found', 'resource_not_found', true];
    expect(await outcomes()).toEqual(nothing);
    const seed = scheduled(member_id, 3);
    const audience = [people.family.accountId, people.school.accountId];
    await publishEvent(people.harness, sessionCreated, {
      object: sessionOf(people, seed),
      audience,
      n: 1,
      facts: { bookedUntil: day(3).toISOString() },
    });
    await until(async () => (await readBy(member_id, people.school)) === 'reads', 'the school reads');
    people.clock.set(START);
    expect(await outcomes()).toEqual(['reads', 'reads', 'reads', false]);
    expect((await people.eventOf(member_id, 2)).audience).toEqual(audience);
    const cancelled = sessionOf(people, { ...seed, status: 'cancelled' });
    await publishEvent(people.harness, sessionCancelled, {
      object: cancelled,
      audience,
      n: 2,
      facts: { bookedUntil: day(3).toISOString() },
    });
    await until(async () => (await readBy(member_id, people.school)) !== 'reads', 'the school reads no more');
    expect(await outcomes()).toEqual(nothing);
    await people.harness.call(updateMember, { member_id, changes: { name: 'Kim' } }, { principal: people.family });
    expect((await people.eventOf(member_id, 3)).audience).toEqual([people.family.accountId]);
  });
});

describe('the right of a school', () => {
  it('is not renewed by lessons that the school books itself, for however long it does', async () => {
    const { id } = await people.aMember();
    await consume(eventOf(people, scheduled(id, 2)));
    for (const endsInDays of [90, 300, 360, 500])
      await consume(eventOf(people, scheduled(id, endsInDays, { isBySchool: true, status: 'completed' })));
    people.clock.set(day(2 + 364));
    expect(await readBy(id, people.school)).toBe('reads');
    people.clock.set(day(2 + 365));
    expect(await readBy(id, people.school)).toBe('resource_not_found');
  });

  it('lapses 365 days after the end of its last lesson, to the millisecond, without any process running', async () => {
    const { id } = await people.aMember();
    await consume(eventOf(people, scheduled(id, 2)));
    await consume(eventOf(people, scheduled(id, 5, { status: 'completed' })));
    await consume(eventOf(people, scheduled(id, 40, { status: 'cancelled' })));
    people.clock.set(new Date(day(5 + 365).getTime() - 1));
    expect(await readBy(id, people.school)).toBe('reads');
    people.clock.set(day(5 + 365));
    expect(await readBy(id, people.school)).toBe('resource_not_found');
    expect(await readBy(id, people.family)).toBe('reads');
  });

  it('is limited to the lesson’s school: another school may not read, nor an account that is no school', async () => {
    const { id } = await people.aMember();
    people.clock.set(START);
    await consume(eventOf(people, scheduled(id, 2)));
    for (const stranger of [people.otherSchool, people.otherFamily])
      expect(await readBy(id, stranger)).toBe('resource_not_found');
  });

  it('still delivers the event of an erasure after it has lapsed, since the school may have stored data', async () => {
    const { id: member_id } = await people.aMember();
    await consume(eventOf(people, scheduled(member_id, 2, { status: 'cancelled' })));
    await people.harness.call(eraseMember, { member_id }, { principal: people.family });
    expect((await people.eventOf(member_id, 2)).audience).toEqual([people.family.accountId, people.school.accountId]);
  });

  it('is written once for the sessions of one request, and each of them counts', async () => {
    const { id } = await people.aMember();
    await consume(eventOf(people, scheduled(id, 1)));
    const members = people.harness.database('people_test').collection<{ _id: string; rev: number }>('members');
    const { rev: revBefore } = (await members.findOne({ _id: id }))!;
    await Promise.all([8, 2, 5].map((endsInDays) => consume(eventOf(people, scheduled(id, endsInDays)))));
    expect(await members.findOne({ _id: id })).toMatchObject({
      rev: revBefore + 1,
      schools: [{ id: people.school.accountId, until: day(8 + 365) }],
    });
    const lessons = people.harness.database('people_test').collection<{ memberId: string }>('lessons');
    expect(await lessons.countDocuments({ memberId: id })).toBe(4);
  });

  it('does not return through a late event once the erasure of its school has begun', async () => {
    const erased = aPrincipal({ kind: 'school' });
    await openAccounts(people.service, [erased]);
    const { AccountLifeService } = await import('../../src/lifecycle/erasure/account-life.service.js');
    await partOf(people.service, AccountLifeService).beginErasing(erased.accountId);
    const { id } = await people.aMember();
    await consume(eventOf(people, scheduled(id, 9, { school: erased })));
    await consume(eventOf(people, scheduled(id, 9)));
    const stored = await people.harness
      .database('people_test')
      .collection<{ _id: string }>('members')
      .findOne({ _id: id });
    expect(stored).toMatchObject({ schools: [{ id: people.school.accountId }] });
  });

  it('reflects every event when several replicas compute concurrently', async () => {
    const other = await aReplica();
    try {
      people.clock.set(START);
      for (let round = 0; round < 8; round++) {
        const { id } = await people.aMember();
        const gone = scheduled(id, 9);
        await consume(eventOf(people, gone));
        await Promise.all([
          consume(eventOf(people, { ...gone, n: 2, status: 'cancelled' })),
          other.consume(eventOf(people, scheduled(id, 4))),
          other.consume(eventOf(people, scheduled(id, 6, { school: people.otherSchool }))),
          consume(eventOf(people, scheduled(id, 8, { school: people.otherSchool, status: 'cancelled' }))),
        ]);
        people.clock.set(new Date(day(5 + 365).getTime()));
        expect([await readBy(id, people.school), await readBy(id, people.otherSchool)]).toEqual([
          'resource_not_found',
          'reads',
        ]);
        people.clock.set(START);
        expect(await readBy(id, people.school)).toBe('reads');
      }
    } finally {
      await other.stop();
    }
  });

  it('is not granted again by a run that stalled before the lesson was cancelled', async () => {
    const { LessonsRepository } = await import('../../src/people/members/school-rights/lessons.repository.js');
    const lessons = partOf(people.service, LessonsRepository);
    const keepLatest = lessons.keepLatest.bind(lessons);
    const [kept, resumed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const stopped = jest.spyOn(lessons, 'keepLatest').mockImplementationOnce(async (...given) => {
      const isNew = await keepLatest(...given);
      kept.resolve();
      await resumed.promise;
      return isNew;
    });
    const { id } = await people.aMember();
    people.clock.set(START);
    const seed = scheduled(id, 4);
    const late = consume(eventOf(people, seed));
    await kept.promise;
    const replica = await aReplica();
    try {
      await replica.consume(eventOf(people, { ...seed, n: 2, status: 'cancelled' }));
      resumed.resolve();
      await late;
      expect(await readBy(id, people.school)).toBe('resource_not_found');
    } finally {
      stopped.mockRestore();
      await replica.stop();
    }
  });

  const change = fc.record({
    endsInDays: fc.integer({ min: -400, max: 30 }),
    status: fc.constantFrom('scheduled' as const, 'scheduled' as const, 'completed' as const, 'cancelled' as const),
  });
  const history = fc.record({
    sessions: fc.array(
      fc.record({ isOther: fc.boolean(), changes: fc.array(change, { minLength: 1, maxLength: 4 }) }),
      { maxLength: 6 },
    ),
    order: fc.array(fc.nat(), { minLength: 24, maxLength: 24 }),
    repeats: fc.array(fc.nat(), { maxLength: 8 }),
    atDays: fc.array(fc.integer({ min: -60, max: 420 }), { minLength: 3, maxLength: 3 }),
  });

  it('follows from the latest event of each session, for any order and number of deliveries', async () => {
    const property = fc.asyncProperty(history, async ({ sessions, order, repeats, atDays }) => {
      const { id: memberId } = await people.aMember();
      const seed = sessions.map(({ isOther, changes }) => {
        const [id, school] = [newId('ses'), isOther ? people.otherSchool : people.school];
        return changes.map((each, index) => ({ id, memberId, n: index + 1, school, ...each }));
      });
      const all = seed.flat();
      const repeated = all.length === 0 ? [] : repeats.map((index) => all[index % all.length]!);
      const arriving = [...all, ...repeated]
        .map((each, index) => ({ each, place: order[index % order.length]! }))
        .sort((a, b) => a.place - b.place);
      await Promise.all(arriving.map(({ each }) => consume(eventOf(people, each))));
      for (const at of atDays) {
        people.clock.set(new Date(day(at).getTime() + 1));
        for (const school of [people.school, people.otherSchool]) {
          const counts = seed.map((changes) => changes.at(-1)!).filter((last) => last.school === school);
          const may = counts.some(({ status, endsInDays }) => status !== 'cancelled' && endsInDays + 365 > at);
          expect(await readBy(memberId, school)).toBe(may ? 'reads' : 'resource_not_found');
        }
      }
    });
    await fc.assert(property, { numRuns: 15 });
  });
});
