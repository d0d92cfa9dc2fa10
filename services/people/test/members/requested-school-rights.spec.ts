import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  assessMember,
  type BookedLesson,
  describeParticipants,
  eraseMember,
  getMember,
  getMemberProgress,
  listMembers,
  type Principal,
  updateMember,
} from '@swim/contracts';
import { newId } from '@swim/platform';
import { type PeopleHarness, startPeople } from '../harness.js';
import { consumerIn, day, eventOf, outcome, outcomeOfRead, START, scheduled } from './school-rights.fixtures.js';

let people: PeopleHarness;
beforeAll(async () => {
  people = await startPeople();
});
afterAll(() => people?.stop());
afterEach(() => people.clock.set(new Date()));

const readBy = (memberId: string, principal: Principal) => outcomeOfRead(people, memberId, principal);

describe('a right of a school that no event has brought yet', () => {
  const aBookedLesson = async (overrides: Partial<BookedLesson> = {}) => {
    const { id: memberId } = await people.aMember();
    const lesson: BookedLesson = {
      id: newId('ses'),
      accountId: people.family.accountId,
      schoolId: people.school.accountId,
      memberId,
      status: 'scheduled',
      attendance: 'pending',
      bookedUntil: day(3).toISOString(),
      ...overrides,
    };
    people.booked.push(lesson);
    return lesson;
  };
  const asSchool = () => ({ principal: people.school });

  it('is requested from scheduling before a school is answered about the member', async () => {
    people.clock.set(START);
    const skills = [{ code: 'l1_bobbing', status: 'introduced' as const }];
    const reads: ((member_id: string) => Promise<unknown>)[] = [
      (member_id) => people.harness.call(getMember, { member_id }, asSchool()),
      (member_id) => people.harness.call(getMemberProgress, { member_id }, asSchool()),
      (member_id) => people.harness.call(assessMember, { member_id, skills }, asSchool()),
    ];
    for (const read of reads) expect(await outcome(read((await aBookedLesson()).memberId))).toBe('reads');
    const { memberId } = await aBookedLesson();
    const described = { instructorId: null, memberIds: [memberId] };
    const { members } = await people.harness.call(describeParticipants, described, asSchool());
    expect(members).toEqual([{ id: memberId, accountId: people.family.accountId, level: 'beginner' }]);
    const listed = await aBookedLesson();
    const { items } = await people.harness.call(listMembers, { limit: 100 }, asSchool());
    expect(items.map(({ id }) => id)).toContain(listed.memberId);
    expect(await readBy(listed.memberId, people.otherSchool)).toBe('resource_not_found');
  });

  it('counts for the events of a change or an erasure that come first', async () => {
    people.clock.set(START);
    const { memberId: member_id } = await aBookedLesson();
    const audience = [people.family.accountId, people.school.accountId];
    await people.harness.call(updateMember, { member_id, changes: { name: 'Kim' } }, { principal: people.family });
    expect((await people.eventOf(member_id, 2)).audience).toEqual(audience);
    const { memberId: erased } = await aBookedLesson();
    await people.harness.call(eraseMember, { member_id: erased }, { principal: people.family });
    expect((await people.eventOf(erased, 2)).audience).toEqual(audience);
  });

  it('ends with the lesson, whichever of its events come afterwards', async () => {
    people.clock.set(START);
    const consume = await consumerIn(people.service);
    for (const ns of [[1, 2], [2]]) {
      const { id, memberId } = await aBookedLesson();
      expect(await readBy(memberId, people.school)).toBe('reads');
      people.booked.length = 0;
      for (const n of ns)
        await consume(
          eventOf(people, { ...scheduled(memberId, 3), id, n, status: n === 2 ? 'cancelled' : 'scheduled' }),
        );
      expect(await readBy(memberId, people.school)).toBe('resource_not_found');
    }
  });

  it('is left open while scheduling is away, and lists are answered without it', async () => {
    const { id } = await people.aMember();
    people.stopScheduling();
    expect(await readBy(id, people.school)).toBe('unavailable');
    const { items } = await people.harness.call(listMembers, {}, asSchool());
    expect(items.map((member) => member.id)).not.toContain(id);
    expect(await readBy(id, people.family)).toBe('reads');
  });
});
