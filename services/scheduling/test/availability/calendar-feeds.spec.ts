import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  cancelSession,
  createHold,
  createPool,
  describePlaces,
  eraseTimesOfAccount,
  type InputOf,
  makeSession,
  memberErased,
  mintInstructorCalendarToken,
  mintMemberCalendarToken,
  readInstructorCalendar,
  readMemberCalendar,
  revokeInstructorCalendarToken,
  revokeMemberCalendarToken,
  type Session,
  updateSession,
} from '@swim/contracts';
import { newId, parseFeedToken } from '@swim/platform';
import { aPrincipal, inDays, publishEvent, type RequestOptions, rejectionOf, until, updateAll } from '@swim/testing';
import ICAL from 'ical.js';
import { aSession, asFamily, family, type SchedulingHarness, school, startScheduling, withKey } from '../harness.js';

const ORIGIN = 'https://api.swim.example';
const BATHS = { name: 'Baths', address: 'Uferweg 1', latitude: 52.5, longitude: 13.4, timezone: 'Europe/Berlin' };
const asSchool: RequestOptions = { principal: school };
const asOther: RequestOptions = { principal: aPrincipal() };
const asOtherSchool: RequestOptions = { principal: aPrincipal({ kind: 'school' }) };

let scheduling: SchedulingHarness;
beforeAll(async () => {
  scheduling = await startScheduling({ PUBLIC_URL: `${ORIGIN}/` });
  scheduling.people.policies.enforceAvailability = false;
});
afterAll(() => scheduling?.stop());

let instructor: string;
let member: string;
beforeEach(() => {
  scheduling.clock.set(new Date());
  instructor = scheduling.people.instructor({ timezone: 'America/New_York' });
  member = scheduling.people.member();
});

const mintOfMember = (options = asFamily) =>
  scheduling.harness.call(mintMemberCalendarToken, { member_id: member }, options);
const mintOfInstructor = (options = asSchool) =>
  scheduling.harness.call(mintInstructorCalendarToken, { instructor_id: instructor }, options);
const digestOf = (token: string | null) => parseFeedToken(token ?? '')!.digest;
const feedOfMember = (token: string | null, known_tags: string[] = [], member_id = member) =>
  scheduling.harness.call(readMemberCalendar, { member_id, token: digestOf(token), known_tags });
const feedOfInstructor = (token: string | null) =>
  scheduling.harness.call(readInstructorCalendar, { instructor_id: instructor, token: digestOf(token) });
const make = (date: string, changes: Parameters<typeof aSession>[2] = {}): Promise<Session> =>
  scheduling.harness.call(makeSession, aSession(instructor, member, { date, ...changes }), asFamily);
const cancel = (session_id: string) => scheduling.harness.call(cancelSession, { session_id }, asFamily);
const reasonOf = async (work: Promise<unknown>) => (await rejectionOf(work)).reason;

/** The entries of a calendar as an independent library reads them. */
function entriesIn(text: string | null) {
  const calendar = new ICAL.Component(ICAL.parse(text!));
  return calendar.getAllSubcomponents('vevent').map((component) => {
    const event = new ICAL.Event(component);
    return {
      uid: event.uid,
      sequence: event.sequence,
      summary: event.summary,
      location: event.location,
      status: component.getFirstPropertyValue('status'),
      start: event.startDate.toJSDate().toISOString(),
    };
  });
}

it('a feed is not made, or its URL shown again, with a key that may not read sessions: missing_scope', async () => {
  const keyed = withKey(newId('req'));
  const limited = (options: RequestOptions, more: RequestOptions = {}): RequestOptions => ({
    ...more,
    principal: { ...options.principal!, scopes: ['members:write', 'instructors:write'] },
  });
  expect(await reasonOf(mintOfMember(limited(asFamily)))).toBe('missing_scope');
  expect(await reasonOf(mintOfInstructor(limited(asSchool)))).toBe('missing_scope');
  const made = await mintOfMember(keyed);
  expect(await reasonOf(mintOfMember(limited(asFamily, keyed)))).toBe('idempotency_key_reused');
  expect(await mintOfMember(keyed)).toEqual(made);
});

describe('a feed of a member', () => {
  it('has the lessons in the language of the account, with instructor and place', async () => {
    const { id: pool_id } = await scheduling.harness.call(createPool, BATHS, asSchool);
    const session = await make(inDays(10), { location: { type: 'pool', pool_id } });
    const { token, url, created_at } = await mintOfMember();
    expect(url).toBe(`${ORIGIN}/v1/members/${member}/calendar.ics?token=${token}`);
    expect(Math.abs(Date.parse(created_at) - Date.now())).toBeLessThan(60_000);
    const { text } = await feedOfMember(token);
    expect(text).toContain('REFRESH-INTERVAL;VALUE=DURATION:PT60M');
    expect(entriesIn(text)).toEqual([
      {
        uid: session.id,
        sequence: 0,
        summary: 'Schwimmstunde mit Ines',
        location: 'Baths, Uferweg 1',
        status: 'CONFIRMED',
        start: session.date,
      },
    ]);
  });

  it('shares its places with messages: the pool, or the kind of place', async () => {
    const { id: pool_id } = await scheduling.harness.call(createPool, BATHS, asSchool);
    const inPool = await make(inDays(17), { location: { type: 'pool', pool_id } });
    const atHome = await make(inDays(18), { location: { type: 'home' } });
    const sessionIds = [inPool.id, newId('ses'), atHome.id];
    const sessions = [{ date: inDays(19), duration_minutes: 30 }];
    const hold = { instructor_id: instructor, member_ids: [member], sessions, location: inPool.location };
    const held = await scheduling.harness.call(createHold, hold as InputOf<typeof createHold>, asFamily);
    const places = await scheduling.harness.call(describePlaces, { sessionIds, holdId: held.id });
    expect(new Map(places.map(({ id, ...place }) => [id, place]))).toEqual(
      new Map([
        [inPool.id, { type: 'pool', pool: 'Baths, Uferweg 1' }],
        [atHome.id, { type: 'home', pool: null }],
        [held.id, { type: 'pool', pool: 'Baths, Uferweg 1' }],
      ]),
    );
  });

  it('keeps the UID of a lesson and counts its changes, its cancellation among them', async () => {
    const { id } = await make(inDays(11));
    const { token } = await mintOfMember();
    const [before] = entriesIn((await feedOfMember(token)).text);
    const moved = { session_id: id, changes: { date: inDays(12) } };
    await scheduling.harness.call(updateSession, moved, asFamily);
    const [after] = entriesIn((await feedOfMember(token)).text);
    expect(after).toMatchObject({ uid: id, start: inDays(12) });
    expect(after!.sequence).toBeGreaterThan(before!.sequence);
    await cancel(id);
    const [cancelled] = entriesIn((await feedOfMember(token)).text);
    expect(cancelled).toMatchObject({ uid: id, status: 'CANCELLED', summary: 'Abgesagt: Schwimmstunde mit Ines' });
    expect(cancelled!.sequence).toBeGreaterThan(after!.sequence);
  });

  it('has what begins from 90 days back to 365 ahead, and nothing else', async () => {
    const far = await make(inDays(300));
    const { token } = await mintOfMember();
    const dayMs = 86_400_000;
    const uidsAt = async (days: number) => {
      scheduling.clock.set(new Date(Date.parse(far.date) + days * dayMs));
      return entriesIn((await feedOfMember(token)).text).map(({ uid }) => uid);
    };
    expect(await uidsAt(-366)).toEqual([]);
    expect(await uidsAt(-364)).toEqual([far.id]);
    expect(await uidsAt(89)).toEqual([far.id]);
    expect(await uidsAt(91)).toEqual([]);
  });

  it('omits its text for a reader that has it, until a lesson changes', async () => {
    const { id } = await make(inDays(13));
    const { token } = await mintOfMember();
    const { tag } = await feedOfMember(token);
    expect(await feedOfMember(token, ['x', tag])).toEqual({ tag, text: null });
    await cancel(id);
    expect(await feedOfMember(token, [tag])).toMatchObject({ text: expect.stringContaining('CANCELLED') });
  });

  it('takes no line from a name with separators', async () => {
    scheduling.people.instructors.get(instructor)!.name = 'Ines; B, \\n C\r\nATTENDEE:mailto:x@example.test';
    await make(inDays(14));
    const { token } = await mintOfMember();
    const { text } = await feedOfMember(token);
    expect(text).not.toContain('\r\nATTENDEE');
    expect(entriesIn(text)[0]!.summary).toContain('Ines; B, ');
  });
});

describe('a feed of an instructor', () => {
  it('has an entry for each lesson with the number of its members, and names nobody', async () => {
    const first = await make(inDays(15));
    member = scheduling.people.member();
    const second = await make(inDays(16));
    const { token, url } = await mintOfInstructor();
    expect(url).toBe(`${ORIGIN}/v1/instructors/${instructor}/calendar.ics?token=${token}`);
    const { text } = await feedOfInstructor(token);
    expect(text).not.toContain('Ines');
    expect(entriesIn(text).map(({ uid }) => uid)).toEqual([first.lesson_id, second.lesson_id]);
    expect(entriesIn(text).map(({ summary }) => summary)).toEqual(Array(2).fill('Schwimmstunde (1/1)'));
  });

  it('ends when the instructor no longer exists', async () => {
    const { token } = await mintOfInstructor();
    expect(entriesIn((await feedOfInstructor(token)).text)).toEqual([]);
    scheduling.people.instructors.delete(instructor);
    expect(await reasonOf(feedOfInstructor(token))).toBe('resource_not_found');
  });
});

describe('a token', () => {
  it('ends when another is made, and when it is revoked', async () => {
    const [first, second] = [await mintOfMember(), await mintOfMember()];
    expect(await reasonOf(feedOfMember(first.token))).toBe('resource_not_found');
    await feedOfMember(second.token);
    const revoke = () => scheduling.harness.call(revokeMemberCalendarToken, { member_id: member }, asFamily);
    await revoke();
    expect(await reasonOf(feedOfMember(second.token))).toBe('resource_not_found');
    expect(await reasonOf(revoke())).toBe('resource_not_found');
    await feedOfMember((await mintOfMember()).token);
  });

  it('opens the feed of no other member, and not that of an instructor', async () => {
    const { token } = await mintOfMember();
    const other = scheduling.people.member();
    expect(await reasonOf(feedOfMember(token, [], other))).toBe('resource_not_found');
    await mintOfInstructor();
    expect(await reasonOf(feedOfInstructor(token))).toBe('resource_not_found');
  });

  it('is made and revoked by the owner alone', async () => {
    expect(await reasonOf(mintOfMember(asOther))).toBe('resource_not_found');
    expect(await reasonOf(mintOfMember(asSchool))).toBe('resource_not_found');
    expect(await reasonOf(mintOfInstructor(asFamily))).toBe('school_only');
    expect(await reasonOf(mintOfInstructor(asOtherSchool))).toBe('resource_not_found');
    const { token } = await mintOfInstructor();
    const revoke = scheduling.harness.call(revokeInstructorCalendarToken, { instructor_id: instructor }, asOtherSchool);
    expect(await reasonOf(revoke)).toBe('resource_not_found');
    await feedOfInstructor(token);
  });

  it('is stored as a keyed hash: neither token nor digest', async () => {
    const { token } = await mintOfMember();
    const stored = JSON.stringify(await storedToken());
    expect(stored).not.toContain(token);
    expect(stored).not.toContain(digestOf(token));
  });

  it('is the same for a request that is repeated with its Idempotency-Key', async () => {
    const once = withKey(`mint ${member}`);
    const { token } = await mintOfMember(once);
    expect((await mintOfMember(once)).token).toBe(token);
    await feedOfMember(token);
  });

  it('is not made or ended by a dry run', async () => {
    expect(await mintOfMember({ ...asFamily, dryRun: true })).toMatchObject({ token: null, url: null });
    expect(await storedToken()).toBeNull();
    const { token } = await mintOfMember();
    await scheduling.harness.call(revokeMemberCalendarToken, { member_id: member }, { ...asFamily, dryRun: true });
    await feedOfMember(token);
  });

  it('is the same when its request is repeated under its key, as after a crash', async () => {
    const options = withKey(newId('req'));
    const made = await mintOfMember(options);
    const records = scheduling.harness.database('scheduling_test').collection('idempotency');
    await updateAll(records, { accountId: family.accountId }, { state: 'running', leaseUntil: new Date(0) });
    expect(await mintOfMember(options)).toEqual(made);
    await feedOfMember(made.token);
  });
});

describe('an erasure', () => {
  const erase = () =>
    publishEvent(scheduling.harness, memberErased, {
      object: { id: member, account_id: family.accountId, erased_at: new Date().toISOString() },
      audience: [family.accountId],
    });

  it('of the member ends its feed, and one whose token is stored afterwards', async () => {
    const { token } = await mintOfMember();
    const stored = (await storedToken())!;
    await erase();
    await until(async () => (await storedToken()) === null, 'the token is removed');
    await until(
      () =>
        scheduling.harness
          .database('scheduling_test')
          .collection<{ _id: string }>('erased_members')
          .findOne({ _id: member }),
      'the member is marked',
    );
    await tokens().insertOne(stored);
    expect(await reasonOf(feedOfMember(token))).toBe('resource_not_found');
  });

  it('of the account ends its feeds, and removes their tokens', async () => {
    const account = aPrincipal();
    member = scheduling.people.member(account.accountId);
    const { token } = await mintOfMember({ principal: account });
    scheduling.people.erasedAccounts.add(account.accountId);
    expect(await reasonOf(feedOfMember(token))).toBe('resource_not_found');
    const eraseTimes = () =>
      scheduling.harness.call(eraseTimesOfAccount, { accountId: account.accountId }, { principal: account });
    await until(async () => (await eraseTimes()).done, 'nothing is left');
    expect(await storedToken()).toBeNull();
  });
});

const tokens = () => scheduling.harness.database('scheduling_test').collection<{ _id: string }>('calendar_tokens');
const storedToken = () => tokens().findOne({ _id: member });
