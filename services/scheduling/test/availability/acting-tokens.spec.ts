import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  mintMemberCalendarToken,
  type Principal,
  readMemberCalendar,
  revokeMemberCalendarToken,
} from '@swim/contracts';
import { parseFeedToken } from '@swim/platform';
import { aPrincipal, rejectionOf } from '@swim/testing';
import { type SchedulingHarness, school, startScheduling } from '../harness.js';

let scheduling: SchedulingHarness;
let account: Principal;
let member_id: string;
beforeAll(async () => {
  scheduling = await startScheduling();
});
afterAll(() => scheduling?.stop());
beforeEach(() => {
  account = aPrincipal();
  member_id = scheduling.people.member(account.accountId);
  scheduling.people.unclaimed.add(account.accountId);
});

const mint = (principal: Principal) => scheduling.harness.call(mintMemberCalendarToken, { member_id }, { principal });
const revoke = (principal: Principal) =>
  scheduling.harness.call(revokeMemberCalendarToken, { member_id }, { principal });
const read = (text: string | null) => {
  const token = parseFeedToken(text ?? '')!.digest;
  return scheduling.harness.call(readMemberCalendar, { member_id, token, known_tags: [] });
};
const claim = () => scheduling.people.unclaimed.delete(account.accountId);
const reasonOf = async (work: Promise<unknown>) => (await rejectionOf(work)).reason;

describe('a calendar token that a school makes while it acts for an unclaimed account', () => {
  it('opens the feed until somebody claims the account', async () => {
    const { token } = await mint(school);
    await read(token);
    claim();
    expect(await reasonOf(read(token))).toBe('resource_not_found');
  });

  it('gives way to that of the account, which the school neither replaces nor ends', async () => {
    const made = await mint(school);
    claim();
    const { token } = await mint(account);
    await read(token);
    expect(await reasonOf(read(made.token))).toBe('resource_not_found');
    // As a request that began before the claim.
    scheduling.people.unclaimed.add(account.accountId);
    expect(await reasonOf(mint(school))).toBe('change_in_progress');
    expect(await reasonOf(revoke(school))).toBe('resource_not_found');
    await read(token);
    await revoke(account);
    expect(await reasonOf(read(token))).toBe('resource_not_found');
  });
});
