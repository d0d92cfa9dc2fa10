import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeCalendar, describeParticipants, getMemberProgress, type InputOf, updateMember } from '@swim/contracts';
import { newId } from '@swim/platform';
import { type RequestOptions, until } from '@swim/testing';
import { type PeopleHarness, startPeople } from '../harness.js';

let people: PeopleHarness;
let asFamily: RequestOptions;
let asOther: RequestOptions;
let asSchool: RequestOptions;
beforeAll(async () => {
  people = await startPeople();
  asFamily = { principal: people.family };
  asOther = { principal: people.otherFamily };
  asSchool = { principal: people.school };
});
afterAll(() => people?.stop());

const update = (id: string, changes: InputOf<typeof updateMember>['changes'], options = asFamily) =>
  people.harness.call(updateMember, { member_id: id, changes }, options);

describe('progress', () => {
  const progress = (id: string) => people.harness.call(getMemberProgress, { member_id: id }, asFamily);

  it('of a new member has its level’s skills, none begun', async () => {
    const { id, created_at } = await people.aMember({ swimming_level: 'intermediate' });
    const { skills, ...rest } = await progress(id);
    expect(rest).toEqual({
      member_id: id,
      notes: [],
      swimming_level: 'intermediate',
      next_level: 'advanced_intermediate',
      percent_complete: 0,
      sessions_completed: 0,
      attendance_rate: null,
      level_history: [{ level: 'intermediate', reached_at: created_at }],
    });
    expect(skills.length).toBeGreaterThan(0);
    for (const skill of skills)
      expect(skill).toMatchObject({
        level: 'intermediate',
        status: 'not_started',
        assessed_at: null,
        assessed_by: null,
      });
  });

  it('records each level that a member reached', async () => {
    const { id } = await people.aMember();
    await update(id, { swimming_level: 'proficient' });
    const { next_level, level_history } = await progress(id);
    expect(next_level).toBeNull();
    expect(level_history.map(({ level }) => level)).toEqual(['beginner', 'proficient']);
  });
});

describe('describing participants', () => {
  const participants = (instructorId: string, memberIds: string[], options: RequestOptions) =>
    people.harness.call(describeParticipants, { instructorId, memberIds }, options);

  it('returns the instructor, the school’s policies and the members in the requested order', async () => {
    const pools = [newId('pool'), newId('pool')];
    for (const pool of pools) people.pools.add(pool);
    const area = { name: 'Centre', latitude: 1, longitude: 2, radius_km: 5, pool_ids: pools };
    const coach = await people.anInstructor({
      service_areas: [{ ...area, pool_ids: [] }, area, { ...area, pool_ids: pools.slice(1) }],
      max_group_size: 3,
      certifications: [
        { type: 'first aid', expires_at: '2027-01-31' },
        { type: 'lifeguard', expires_at: '2027-06-30' },
      ],
      levels_taught: ['advanced'],
      hourly_rate_cents: 5400,
    });
    const [one, two] = [await people.aMember(), await people.aMember()];
    expect(await participants(coach.id, [two.id, one.id], asFamily)).toEqual({
      instructor: {
        id: coach.id,
        schoolId: people.school.accountId,
        name: coach.name,
        status: 'active',
        timezone: 'Europe/Berlin',
        schedule: coach.availability_schedule,
        hourlyRateCents: 5400,
        currency: 'EUR',
        maxGroupSize: 3,
        certifiedUntil: '2027-06-30',
        levelsTaught: ['advanced'],
        defaultPoolId: pools[0],
        poolIds: pools,
        version: 1,
      },
      connection: { generation: 0, names: false, isEndedBySchool: false },
      policies: {
        freeCancellationHours: 24,
        lateFeePercent: 50,
        noShowFeePercent: 100,
        requirePrepayment: false,
        enforceAvailability: true,
        makeupCredits: true,
        progressVisible: true,
      },
      members: [
        { id: two.id, accountId: people.family.accountId, level: 'beginner' },
        { id: one.id, accountId: people.family.accountId, level: 'beginner' },
      ],
    });
    expect(await participants(coach.id, [], asFamily)).toMatchObject({ members: [] });
  });

  it('returns null for unknown ids and for members that the account may not use', async () => {
    const { id } = await people.aMember();
    expect(await participants(newId('ins'), [id, newId('mem')], asOther)).toEqual({
      instructor: null,
      policies: null,
      members: [null, null],
    });
    expect((await participants(newId('ins'), [id], asSchool)).members).toEqual([null]);
    await people.connect(id, people.school, people.family);
    await until(
      async () => (await participants(newId('ins'), [id], asSchool)).members[0],
      'the school may use the member',
    );
  });
});

describe('describing a calendar', () => {
  const calendar = (accountId: string, instructorIds: string[]) =>
    people.harness.call(describeCalendar, { accountId, instructorIds });

  it('has the language of the account, and the names of instructors that exist', async () => {
    const { id, name } = await people.anInstructor();
    expect(await calendar(people.family.accountId, [newId('ins'), id, id])).toEqual({
      locale: 'en',
      instructors: [{ id, name }],
    });
  });

  it('is null for an account that does not exist', async () => {
    expect(await calendar(newId('acct'), [])).toBeNull();
  });
});
