import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type BusEvent,
  type InputOf,
  listMembers,
  listOwnMembers,
  type Principal,
  type SessionObject,
} from '@swim/contracts';
import { aPrincipal, partOf } from '@swim/testing';
import { openAccounts, type PeopleHarness, startPeople } from '../harness.js';
import { day, eventOf, START, scheduled } from './school-rights.fixtures.js';

let people: PeopleHarness;
let consume: (event: BusEvent<SessionObject>) => Promise<void>;
beforeAll(async () => {
  people = await startPeople();
  const { SchoolRightsService } = await import('../../src/people/members/school-rights/school-rights.service.js');
  const rights = partOf(people.service, SchoolRightsService);
  consume = (event) => rights.consume(event);
});
afterAll(() => people?.stop());
afterEach(() => people.clock.set(new Date()));

describe('members › list', () => {
  const listBy = async (principal: Principal, query: InputOf<typeof listMembers> = {}) =>
    (await people.harness.call(listMembers, query, { principal })).items.map(({ id }) => id);

  it('by a school lists its own members and its pupils while their right lasts, and no others', async () => {
    const school = aPrincipal({ kind: 'school' });
    await openAccounts(people.service, [school]);
    const [pupil, stranger] = [await people.aMember({ name: 'Pia Pupil' }), await people.aMember()];
    const own = await people.aMember({ account_id: school.accountId }, { principal: school });
    people.clock.set(START);
    await consume(eventOf(people, scheduled(pupil.id, 2, { school })));
    await consume(eventOf(people, scheduled(stranger.id, 2, { school: people.otherSchool })));
    expect(await listBy(school, { account_id: school.accountId })).toEqual([own.id, pupil.id]);
    expect(await listBy(school, { search: 'pia', ids: `${pupil.id},${stranger.id}` })).toEqual([pupil.id]);
    people.clock.set(day(2 + 365));
    expect(await listBy(school)).toEqual([own.id]);
    const exported = await people.harness.call(listOwnMembers, { account_id: school.accountId }, { principal: school });
    expect(exported.items.map(({ id }) => id)).toEqual([own.id]);
  });
});
