import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import {
  advanceSandboxClock,
  assessMember,
  getMember,
  listMembers,
  type Principal,
  updateMember,
} from '@swim/contracts';
import { aPrincipal, type RequestOptions, rejectionOf, until } from '@swim/testing';
import { openAccounts, type PeopleHarness, startPeople } from '../harness.js';
import { ClockParts } from '../lifecycle/clock-parts.js';

const DAY_MS = 86_400_000;

let people: PeopleHarness;
let family: Principal;

beforeAll(async () => {
  people = await startPeople();
  new ClockParts(people.harness);
});
afterAll(() => people?.stop());
beforeEach(async () => {
  family = aPrincipal();
  await openAccounts(people.service, [family]);
});

const advance = (ms: number, options: RequestOptions = {}) => {
  const advance_to = new Date(people.clock.now().getTime() + ms).toISOString();
  return people.harness.call(advanceSandboxClock, { advance_to }, { principal: family, ...options });
};

it('the right of a school to a member ends with the later clock of the two', async () => {
  const own = { principal: family };
  const member = await people.aMember({ account_id: family.accountId }, own);
  const school = aPrincipal({ kind: 'school' });
  await openAccounts(people.service, [school]);
  await people.publishSession(member.id, school, family);
  const readBySchool = () => people.harness.call(getMember, { member_id: member.id }, { principal: school });
  const listBySchool = async () => {
    const { items, pagination } = await people.harness.call(listMembers, {}, { principal: school });
    expect(pagination.total).toBe(items.length);
    return items.map(({ id }) => id);
  };
  const ofSchool = await people.aMember({ account_id: school.accountId }, { principal: school });
  await until(() => readBySchool().catch(() => null), 'the school may read the member');
  await advance(364 * DAY_MS);
  expect(await readBySchool()).toMatchObject({ id: member.id });
  expect(await listBySchool()).toEqual([ofSchool.id, member.id]);
  await advance(370 * DAY_MS);
  expect((await rejectionOf(readBySchool())).reason).toBe('resource_not_found');
  expect(await listBySchool()).toEqual([ofSchool.id]);
  expect(await people.harness.call(getMember, { member_id: member.id }, own)).toMatchObject({ id: member.id });
});

it('a change of a member reaches no school whose right has ended by its own clock, and one whose right has not', async () => {
  const own = { principal: family };
  const member = await people.aMember({ account_id: family.accountId }, own);
  const [lapsed, current] = [aPrincipal({ kind: 'school' }), aPrincipal({ kind: 'school' })];
  await openAccounts(people.service, [lapsed, current]);
  for (const school of [lapsed, current]) await people.publishSession(member.id, school, family);
  const isReadBy = (principal: Principal) =>
    people.harness.call(getMember, { member_id: member.id }, { principal }).catch(() => null);
  await until(async () => (await isReadBy(lapsed)) && (await isReadBy(current)), 'both schools may read the member');
  for (const days of [364, 400]) await advance(days * DAY_MS, { principal: lapsed });
  await people.harness.call(updateMember, { member_id: member.id, changes: { swimming_level: 'advanced' } }, own);
  const found = { member_id: member.id, skills: [{ code: 'l1_bobbing', status: 'mastered' as const }] };
  await people.harness.call(assessMember, found, { principal: current });
  for (const n of [2, 3])
    expect((await people.eventOf(member.id, n)).audience).toEqual([family.accountId, current.accountId]);
});
