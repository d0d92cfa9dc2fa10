import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  confirmEmail,
  createInstructor,
  describeRecipients,
  eraseEventsOfAccount,
  type InputOf,
  type Instructor,
  issueEmailConfirmation,
  type Principal,
  sendEmailConfirmation,
  updateInstructor,
} from '@swim/contracts';
import { AppError } from '@swim/platform';
import { aPrincipal, partOf, rejectionOf, until } from '@swim/testing';
import { instructorInput, openAccounts, type PeopleHarness, startPeople } from '../harness.js';

const DAY_MS = 86_400_000;

let people: PeopleHarness;
/** The links that people requested of a fake of notification. */
const sent: InputOf<typeof sendEmailConfirmation>[] = [];
let isDown = false;
beforeAll(async () => {
  people = await startPeople();
  people.harness.serve(sendEmailConfirmation, (input) => {
    if (isDown) throw new AppError('unavailable');
    sent.push(input);
    return {};
  });
  people.harness.serve(eraseEventsOfAccount, () => ({ done: true }));
});
afterAll(() => people?.stop());

async function aSchool(env: 'live' | 'test' = 'live'): Promise<Principal> {
  const principal = aPrincipal({ kind: 'school', env });
  await openAccounts(people.service, [principal]);
  return principal;
}
const make = (principal: Principal) => people.harness.call(createInstructor, instructorInput(), { principal });
const setEmail = (principal: Principal, { id: instructor_id }: Instructor, email: string) =>
  people.harness.call(updateInstructor, { instructor_id, changes: { email } }, { principal });
const linksTo = ({ id }: Instructor) => sent.filter(({ instructorId }) => instructorId === id);
const issue = (principal: Principal, link: InputOf<typeof sendEmailConfirmation>) =>
  people.harness.call(issueEmailConfirmation, link, { principal });
/** The latest link of an instructor, once `count` were sent. */
async function linkTo(principal: Principal, instructor: Instructor, count = 1) {
  await until(() => linksTo(instructor).length >= count, 'the link is sent');
  return (await issue(principal, linksTo(instructor).at(-1)!))!;
}
const confirm = (token: string) => people.harness.call(confirmEmail, { token });
const describeOne = async (principal: Principal, recipientId: string, of: Principal = principal) => {
  const requested = { accountId: of.accountId, recipientId, memberIds: [], instructorIds: [] };
  return (await people.harness.call(describeRecipients, { recipients: [requested] }, { principal }))[0]!;
};

describe('the address of an instructor', () => {
  it('gets messages once its owner has opened the link, which names the school, and not of another school', async () => {
    const school = await aSchool();
    const instructor = await make(school);
    const { email, token, schoolName } = await linkTo(school, instructor);
    expect({ email, schoolName }).toEqual({ email: instructor.email, schoolName: 'The school' });
    expect(await describeOne(school, instructor.id)).toMatchObject({ id: school.accountId, email: null });
    await confirm(token);
    await confirm(token);
    expect(await describeOne(school, instructor.id)).toMatchObject({
      name: instructor.name,
      email: instructor.email,
      isAccounts: false,
    });
    expect(await describeOne(school, instructor.id, await aSchool())).toBeNull();
    expect(linksTo(instructor)).toHaveLength(1);
  });

  it('is to be confirmed anew when it changes, and the former link ends', async () => {
    const school = await aSchool();
    const instructor = await make(school);
    const former = await linkTo(school, instructor);
    await confirm(former.token);
    expect(await setEmail(school, instructor, instructor.email)).toMatchObject({ version: 1 });
    const changed = await setEmail(school, instructor, `new-${instructor.email}`);
    expect(await describeOne(school, instructor.id)).toMatchObject({ email: null });
    expect((await rejectionOf(confirm(former.token))).reason).toBe('resource_not_found');
    const { email, token } = await linkTo(school, instructor, 2);
    expect(email).toBe(changed.email);
    await confirm(token);
    expect(await describeOne(school, instructor.id)).toMatchObject({ email });
    expect(await issue(school, linksTo(instructor)[0]!)).toBeNull();
  });

  it('gets another link once three days have passed without, when it is sent again, and nothing else changes', async () => {
    const school = await aSchool();
    const instructor = await make(school);
    const { token } = await linkTo(school, instructor);
    await until(async () => (await stored(instructor.id))!.emailConfirmation?.sentAt, 'it is recorded');
    await setEmail(school, instructor, instructor.email);
    people.clock.advance(3 * DAY_MS);
    expect((await rejectionOf(confirm(token))).reason).toBe('resource_not_found');
    expect(await setEmail(school, instructor, instructor.email)).toMatchObject({ version: 1 });
    await confirm((await linkTo(school, instructor, 2)).token);
    people.clock.set(new Date());
    expect(linksTo(instructor)).toHaveLength(2);
  });

  it('gets no link in the sandbox, where the school gets the messages', async () => {
    const sandbox = await aSchool('test');
    const live = await aSchool();
    const [instructor, other] = [await make(sandbox), await make(live)];
    await linkTo(live, other);
    expect(linksTo(instructor)).toEqual([]);
    const own = await describeOne(sandbox, instructor.id);
    expect(own).toMatchObject({ name: instructor.name, email: null, isAccounts: false });
    const { AccountsService } = await import('../../src/identity/accounts/accounts.service.js');
    const accounts = partOf(people.service, AccountsService);
    await accounts.confirmEmail(sandbox.accountId, 'office@example.test');
    expect(await describeOne(sandbox, instructor.id)).toMatchObject({ email: 'office@example.test', isAccounts: true });
  });

  it('waits for its link once a school has sent 20 within a day, also to changed addresses', async () => {
    const school = await aSchool();
    const first = await make(school);
    await linkTo(school, first);
    await setEmail(school, first, `again-${first.email}`);
    await linkTo(school, first, 2);
    const others: Instructor[] = [];
    for (let count = 0; count < 19; count++) others.push(await make(school));
    const ofSchool = () => sent.filter(({ accountId }) => accountId === school.accountId);
    await until(() => ofSchool().length === 20, '20 links are sent');
    const waiting = await until(
      async () =>
        (
          await collection()
            .find({ schoolId: school.accountId, confirmationDueAt: { $type: 'date' } })
            .toArray()
        )[0],
      'one waits',
    );
    await until(async () => (await stored(waiting._id))!.confirmationDueAt! > people.clock.now(), 'it is put off');
    expect(ofSchool()).toHaveLength(20);
    people.clock.advance(DAY_MS);
    await until(() => ofSchool().length === 21, 'it is sent the next day');
    people.clock.set(new Date());
  });

  it('gets its link once notification is back, and none once its school is erased', async () => {
    const school = await aSchool();
    isDown = true;
    const instructor = await make(school);
    isDown = false;
    await until(() => {
      people.clock.advance(1_000);
      return linksTo(instructor).length === 1;
    }, 'the link is sent');
    people.clock.set(new Date());
    const { token } = await linkTo(school, instructor);
    const { InstructorsErasure } = await import('../../src/people/instructors/instructors-erasure.service.js');
    const { inEnvironment, systemContext } = await import('@swim/platform');
    const erasure = people.service.app.get(InstructorsErasure, { strict: false });
    await inEnvironment('live', () => erasure.erase(school.accountId, systemContext(school.accountId)));
    expect((await rejectionOf(confirm(token))).reason).toBe('resource_not_found');
    expect(await stored(instructor.id)).not.toHaveProperty('emailConfirmation');
  });
});

interface Stored {
  _id: string;
  emailConfirmation?: { sentAt?: Date };
  confirmationDueAt?: Date;
}
const collection = () => people.harness.database('people_live').collection<Stored>('instructors');
const stored = (_id: string) => collection().findOne({ _id });
