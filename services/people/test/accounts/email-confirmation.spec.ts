import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  confirmEmail,
  describeRecipients,
  getAccount,
  type InputOf,
  issueEmailConfirmation,
  type Principal,
  sendEmailConfirmation,
  updateAccount,
} from '@swim/contracts';
import { AppError } from '@swim/platform';
import { aPrincipal, type RequestOptions, rejectionOf, until } from '@swim/testing';
import { openAccounts, type PeopleHarness, startPeople } from '../harness.js';

const DAY_MS = 86_400_000;

let people: PeopleHarness;
/** The links that people requested of a fake of notification. */
const sent: (InputOf<typeof sendEmailConfirmation> & { env: string })[] = [];
let isDown = false;
beforeAll(async () => {
  people = await startPeople();
  people.harness.serve(sendEmailConfirmation, (input, { env }) => {
    if (isDown) throw new AppError('unavailable');
    sent.push({ ...input, env });
    return {};
  });
});
afterAll(() => people?.stop());

const anAccount = async (): Promise<Principal> => {
  const principal = aPrincipal();
  await openAccounts(people.service, [principal]);
  return principal;
};
const read = (principal: Principal) =>
  people.harness.call(getAccount, { account_id: principal.accountId }, { principal });
const setEmail = (principal: Principal, email: string, options: RequestOptions = {}) =>
  people.harness.call(
    updateAccount,
    { account_id: principal.accountId, changes: { email } },
    { principal, ...options },
  );
const linksOf = ({ accountId }: Principal) => sent.filter((each) => each.accountId === accountId);
/** The latest link of an account, once `count` were sent. */
const tokenOf = async (principal: Principal, count = 1): Promise<string> => {
  await until(() => linksOf(principal).length >= count, 'the link is sent');
  const { accountId, confirmationId } = linksOf(principal).at(-1)!;
  const issued = await people.harness.call(issueEmailConfirmation, { accountId, confirmationId }, { principal });
  return issued!.token;
};
const confirm = (token: string) => people.harness.call(confirmEmail, { token });
const recipientOf = async ({ accountId }: Principal) =>
  (
    await people.harness.call(describeRecipients, { recipients: [{ accountId, memberIds: [], instructorIds: [] }] })
  )[0]!;

describe('an address', () => {
  it('counts once it is confirmed by the link that is sent to it', async () => {
    const family = await anAccount();
    const { email } = await read(family);
    expect(await setEmail(family, 'new@example.test')).toMatchObject({ email, pending_email: 'new@example.test' });
    const token = await tokenOf(family);
    expect((await recipientOf(family)).email).toBeNull();
    await confirm(token);
    expect(await read(family)).toMatchObject({ email: 'new@example.test', pending_email: null });
    expect((await recipientOf(family)).email).toBe('new@example.test');
  });

  it('stays when its link is opened twice, and is not confirmed again once there is another', async () => {
    const family = await anAccount();
    await setEmail(family, 'first@example.test');
    const first = await tokenOf(family);
    await confirm(first);
    await confirm(first);
    await setEmail(family, 'second@example.test');
    await confirm(await tokenOf(family, 2));
    expect((await rejectionOf(confirm(first))).reason).toBe('resource_not_found');
    expect(await read(family)).toMatchObject({ email: 'second@example.test' });
  });

  it('is confirmed by the latest link only, and by none when the account has returned to its own', async () => {
    const family = await anAccount();
    await setEmail(family, 'a@example.test');
    const former = await tokenOf(family);
    await setEmail(family, 'b@example.test');
    const latest = await tokenOf(family, 2);
    expect((await rejectionOf(confirm(former))).reason).toBe('resource_not_found');
    await confirm(latest);
    await setEmail(family, 'c@example.test');
    const dropped = await tokenOf(family, 3);
    expect(await setEmail(family, 'b@example.test')).toMatchObject({ email: 'b@example.test', pending_email: null });
    expect((await rejectionOf(confirm(dropped))).reason).toBe('resource_not_found');
  });

  it('is not confirmed by a link that has expired, is cut off, or belongs to nobody', async () => {
    const family = await anAccount();
    await setEmail(family, 'late@example.test');
    const token = await tokenOf(family);
    for (const wrong of [token.slice(0, -4), `x${token}`, 'x', token.replace('test.', 'live.')])
      expect((await rejectionOf(confirm(wrong))).reason).toBe('resource_not_found');
    people.clock.advance(3 * DAY_MS);
    expect((await rejectionOf(confirm(token))).reason).toBe('resource_not_found');
    people.clock.set(new Date());
    await confirm(token);
  });

  it('that is its own and not confirmed gets a link too', async () => {
    const family = await anAccount();
    const { email } = await read(family);
    expect(await setEmail(family, email)).toMatchObject({ email, pending_email: email });
    await confirm(await tokenOf(family));
    expect((await recipientOf(family)).email).toBe(email);
    expect(await setEmail(family, email)).toMatchObject({ email, pending_email: null });
  });

  it('gets five links a day at most: limit_reached', async () => {
    const family = await anAccount();
    for (let n = 0; n < 5; n++) await setEmail(family, `n${n}@example.test`);
    for (const dryRun of [true, false])
      expect(await rejectionOf(setEmail(family, 'n6@example.test', { dryRun }))).toMatchObject({
        reason: 'limit_reached',
      });
    expect(await read(family)).toMatchObject({ pending_email: 'n4@example.test' });
    people.clock.advance(DAY_MS);
    for (const dryRun of [true, false]) await setEmail(family, 'n7@example.test', { dryRun });
    people.clock.set(new Date());
  });

  it('gets its link once notification is back, and one link for a repeated request', async () => {
    const family = await anAccount();
    isDown = true;
    try {
      const options = { idempotencyKey: 'set once' };
      await setEmail(family, 'down@example.test', options);
      await setEmail(family, 'down@example.test', options);
    } finally {
      isDown = false;
    }
    // Where the sweep ran while notification was down, it tries again later by this clock.
    await until(() => {
      people.clock.advance(1_000);
      return linksOf(family).length === 1;
    }, 'the link is sent');
    people.clock.set(new Date());
  });

  it('stays in a dry run', async () => {
    const family = await anAccount();
    const before = await read(family);
    expect(await setEmail(family, 'dry@example.test', { dryRun: true })).toMatchObject({
      pending_email: 'dry@example.test',
    });
    expect(await read(family)).toEqual(before);
  });
});

describe('recipients', () => {
  it('have the names that the account may read, and no others', async () => {
    const instructor = await people.anInstructor({ name: 'Ines' });
    const [own, other] = [
      await people.aMember({ name: 'Mia' }),
      await people.aMember(
        { account_id: people.otherFamily.accountId, name: 'Tom' },
        { principal: people.otherFamily },
      ),
    ];
    const requested = { memberIds: [own.id, other.id], instructorIds: [instructor.id] };
    const recipients = [people.family, people.school].map(({ accountId }) => ({ ...requested, accountId }));
    const [family, school] = await people.harness.call(describeRecipients, { recipients });
    expect(family).toMatchObject({
      members: [{ id: own.id, name: 'Mia' }],
      instructors: [{ id: instructor.id, name: 'Ines', school: { name: 'The school', offerUrlTemplate: null } }],
      timezone: 'Europe/Berlin',
      locale: 'en',
    });
    expect(school!.members).toEqual([]);
  });

  it('are null where the account does not exist', async () => {
    const unknown = aPrincipal();
    expect(await recipientOf(unknown)).toBeNull();
  });
});

describe('the template of a school’s link to an offer', () => {
  const set = (offer_url_template: string | null) =>
    people.harness.call(
      updateAccount,
      { account_id: people.school.accountId, changes: { policies: { offer_url_template } } },
      { principal: people.school },
    );

  it('is an https URL with at least one known placeholder', async () => {
    const template = 'https://baths.example/offers/{waitlist_id}?hold={hold_id}';
    expect((await set(template)).policies).toMatchObject({ offer_url_template: template });
    for (const wrong of [
      'http://baths.example/{hold_id}',
      'https://baths.example/',
      'https://baths.example/{name}',
      'javascript:alert({hold_id})',
      'https://baths.example/{hold_id}\r\nBcc: x@example.test',
      'https://baths.example/"><script>{hold_id}',
    ])
      expect((await rejectionOf(set(wrong))).reason).toBe('invalid_format');
    expect((await set(null)).policies).toMatchObject({ offer_url_template: null });
  });
});
