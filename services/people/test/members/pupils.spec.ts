import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { endConnection, type InputOf, listMembers, listOwnMembers, type Principal } from '@swim/contracts';
import { aPrincipal } from '@swim/testing';
import { openAccounts, type PeopleHarness, startPeople } from '../harness.js';

let people: PeopleHarness;
beforeAll(async () => {
  people = await startPeople();
});
afterAll(() => people?.stop());

describe('members › list', () => {
  const listBy = async (principal: Principal, query: InputOf<typeof listMembers> = {}) =>
    (await people.harness.call(listMembers, query, { principal })).items.map(({ id }) => id);

  it('by a school lists its own members and those that a connection names, and no others', async () => {
    const school = aPrincipal({ kind: 'school' });
    await openAccounts(people.service, [school]);
    const [pupil, stranger] = [await people.aMember({ name: 'Pia Pupil' }), await people.aMember()];
    const own = await people.aMember({ account_id: school.accountId }, { principal: school });
    const { id: connection_id } = await people.connect(pupil.id, school, people.family);
    await people.connect(stranger.id, people.otherSchool, people.family);
    expect(await listBy(school, { account_id: school.accountId })).toEqual([own.id, pupil.id]);
    expect(await listBy(school, { search: 'pia', ids: `${pupil.id},${stranger.id}` })).toEqual([pupil.id]);
    await people.harness.call(endConnection, { connection_id }, { principal: school });
    expect(await listBy(school)).toEqual([own.id]);
    const exported = await people.harness.call(listOwnMembers, { account_id: school.accountId }, { principal: school });
    expect(exported.items.map(({ id }) => id)).toEqual([own.id]);
  });
});
