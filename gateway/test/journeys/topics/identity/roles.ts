import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Instructor, Lesson, Member, Progress, Role, Roster } from '@swim/contracts';
import { newId } from '@swim/platform';
import { daysAfter, inDays, ofSeveralTries, until } from '@swim/testing';
import { DASHBOARD_ROUTES } from '../../../../src/dashboard/routes.js';
import { ROUTES } from '../../../../src/routes.js';
import type { Browser } from '../../fixtures/browser.js';
import { apiError, type Customer, expectStatus } from '../../fixtures/customer.js';
import {
  anAddress,
  anOwner,
  browser,
  mailbox,
  PASSWORD,
  type Signed,
  stack,
  statusOfMe,
} from '../../fixtures/dashboard-fixtures.js';
import { aMember, anInstructor, lessonBody } from '../../fixtures/fixtures.js';

/** Signs somebody in by an invitation of an owner. */
async function joins(owner: Signed, role: Role, more: object = {}, page = browser()): Promise<Browser> {
  const email = anAddress();
  expectStatus(201, await owner.page.dashboard('POST', '/invitations', { email, role, ...more }));
  const accept = { token: await mailbox.tokenTo(email), name: 'Ina Instructor', password: PASSWORD };
  expectStatus(200, await page.dashboard('POST', '/invitations/accept', accept));
  return page;
}

/** What a page is answered at each route of the API with these ids and an empty body: the status, and the reason of a rejection. */
async function answersOf(page: Browser, ids: Record<string, string>): Promise<Map<string, [number, string?]>> {
  const answers = new Map<string, [number, string?]>();
  for (const { method, path, isStream } of ROUTES) {
    // A stream that is opened has no end.
    const query = isStream ? '?unknown=1' : '';
    const filled = path.replace('/v1', '').replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? newId('req'));
    const body = method === 'POST' || method === 'PATCH' ? {} : undefined;
    const { status, error } = await page.api('test', method, filled + query, body);
    answers.set(`${method} ${path}`, status < 400 ? [status] : [status, error.details.reason]);
  }
  return answers;
}

/** What every user does, whatever the role: with the own sign-in, sessions and accounts, and the names of schools. */
const OWN = /^\/(?:sign-out|me|confirmation|totp|recovery-codes|passkeys|sessions|accounts|schools|invitations\/join)/;
/** Bodies without which a route of the team is rejected before the role is asked for. */
const BODIES: Readonly<Record<string, object>> = {
  'POST /invitations': { email: 'more@example.test', role: 'viewer' },
  'PATCH /users/{user_id}': { role: 'viewer' },
};

/** All of the dashboard's own routes that concern the team and its log. */
async function expectNoTeam(page: Browser, owner: Signed): Promise<void> {
  const ids: Record<string, string> = { user_id: owner.me.user.id, invitation_id: newId('inv') };
  const routes = DASHBOARD_ROUTES.filter(({ needsSession }) => needsSession)
    .map(({ method, path }) => ({ method, path: path.replace('/dashboard/api', '') }))
    .filter(({ path }) => !OWN.test(path));
  expect(routes.length).toBeGreaterThan(5);
  for (const { method, path } of routes) {
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name]!);
    const answer = await page.dashboard(method, filled, BODIES[`${method} ${path}`]);
    expect({ method, path, ...answer }).toMatchObject({ method, path, ...apiError(403, 'missing_role') });
  }
}

describe('a user of the role instructor', () => {
  let owner: Signed;
  let office: Customer;
  let own: Instructor;
  let other: Instructor;
  let page: Browser;
  let pupil: Member;
  let stranger: Member;
  let [lesson, foreign]: Lesson[] = [];

  beforeAll(async () => {
    owner = await anOwner();
    office = await stack.mint(owner.me.account.id);
    [own, other] = [await anInstructor(office), await anInstructor(office)];
    lesson = await office.make<Lesson>('/lessons', lessonBody(own, inDays(2)));
    foreign = await office.make<Lesson>('/lessons', lessonBody(other, inDays(2)));
    [pupil, stranger] = [
      await aMember(stack.family, { medical_notes: 'Asthma' }),
      await aMember(stack.family, { medical_notes: 'Allergy' }),
    ];
    const places = [
      [own, lesson, pupil],
      [other, foreign, stranger],
    ] as const;
    for (const [{ id }, taught, member] of places)
      await stack.family.make('/bookings', {
        instructor_id: id,
        member_ids: [member.id],
        lesson_ids: [taught.id],
      });
    page = await joins(owner, 'instructor', { instructor_id: own.id });
  });

  const roster = (id: string, days: number, dayOf = inDays) =>
    page.api<Roster>('test', 'GET', `/instructors/${id}/roster?date=${dayOf(days).slice(0, 10)}`);

  it('does nothing at any route but those of its lessons and members', async () => {
    const session_id = (await roster(own.id, 2)).data.lessons[0]!.sessions[0]!.session_id;
    const ids = {
      account_id: office.id,
      instructor_id: own.id,
      lesson_id: lesson!.id,
      member_id: pupil.id,
      session_id,
    };
    const open = [...(await answersOf(page, ids))].filter(([, [status]]) => status !== 403 && status !== 404);
    expect(open).toEqual([
      ['POST /v1/sessions/{session_id}/attendance', [400, 'required']],
      ['POST /v1/lessons/{lesson_id}/attendance', [400, 'required']],
      ['GET /v1/instructors/{instructor_id}/roster', [400, 'required']],
      ['GET /v1/members/{member_id}/progress', [200]],
      ['POST /v1/members/{member_id}/progress', [400, 'required']],
    ]);
    await expectNoTeam(page, owner);
  });

  it('reads its own rosters of a week before and after today, with medical notes and contacts', async () => {
    const { data } = expectStatus(200, await roster(own.id, 2));
    expect(data.lessons.map(({ id }) => id)).toEqual([lesson!.id]);
    expect(data.lessons[0]!.sessions).toMatchObject([{ name: pupil.name, medical_notes: 'Asthma' }]);
    // Today is that of the service, also where this file has run past midnight.
    const rosterIn = (days: number) => roster(own.id, days, daysAfter(new Date()));
    for (const days of [-7, 7]) expectStatus(200, await rosterIn(days));
    for (const days of [-9, 9]) expect(await rosterIn(days)).toMatchObject(apiError(403, 'missing_scope'));
    expect(await roster(other.id, 2)).toMatchObject(apiError(404, 'resource_not_found'));
  });

  it('writes attendance and progress of its own lessons and members alone', async () => {
    const assess = ({ id }: Member, body: object) => page.api('test', 'POST', `/members/${id}/progress`, body);
    const { data } = expectStatus(200, await page.api<Progress>('test', 'GET', `/members/${pupil.id}/progress`));
    const found = { skills: [{ code: data.skills[0]!.code, status: 'introduced' }] };
    expect((await assess(pupil, found)).status).toBeLessThan(300);
    expect(await assess(stranger, found)).toMatchObject(apiError(404, 'resource_not_found'));
    expect(await page.api('test', 'GET', `/members/${stranger.id}/progress`)).toMatchObject(
      apiError(404, 'resource_not_found'),
    );
    const entries = [
      { session_id: (await roster(own.id, 2)).data.lessons[0]!.sessions[0]!.session_id, attendance: 'attended' },
    ];
    const attend = (id: string) => page.api('test', 'POST', `/lessons/${id}/attendance`, { entries });
    expectStatus(200, await attend(lesson!.id));
    expect(await attend(foreign!.id)).toMatchObject(apiError(404, 'resource_not_found'));
  });

  it('has no events, no export and no tools of assistants', async () => {
    expect(await page.api('test', 'GET', '/events/stream')).toMatchObject(apiError(403, 'missing_scope'));
    expect(await page.api('test', 'GET', `/accounts/${office.id}/export`)).toMatchObject(
      apiError(403, 'missing_scope'),
    );
    expect(await page.api('test', 'POST', '/../mcp', {})).toMatchObject({ status: 401 });
  });
});

describe('a guardian of a family', () => {
  const WRITES = [
    /^POST \/v1\/(?:sessions|bookings|enrollments|holds|waitlist|payments)/,
    /payment-methods|\/payments\/\{payment_id\}\/authenticate/,
    /^PATCH \/v1\/(?:sessions|bookings|payments)/,
    /^DELETE \/v1\/(?:holds|waitlist)/,
    // Only a school does these, whatever the role.
    /^\w+ \/v1\/(?:lessons|classes|closures|substitutions)/,
  ];
  const UNREAD = /keys|webhook-endpoints|\/requests|\/usage|\/sandbox|\/export|calendar\.ics/;

  it('books, pays and reads, and does nothing else at any route', async () => {
    const owner = await anOwner({ kind: 'family' });
    const page = await joins(owner, 'guardian');
    const denied = [...(await answersOf(page, { account_id: owner.me.account.id }))].filter(
      ([, [, reason]]) => reason === 'missing_scope' || reason === 'missing_role',
    );
    const expected = ROUTES.map(({ method, path }) => `${method} ${path}`).filter((line) =>
      line.startsWith('GET')
        ? UNREAD.test(line) && !line.includes('calendar.ics')
        : !WRITES.some((each) => each.test(line)),
    );
    expect(denied.map(([line]) => line)).toEqual(expected);
    await expectNoTeam(page, owner);
  });

  const isCutOff = async () => {
    const owner = await anOwner({ kind: 'family' });
    const page = await joins(owner, 'guardian', {}, browser(1));
    const { data } = await page.dashboard<{ user: { id: string } }>('GET', '/me');
    expectStatus(200, await page.api('test', 'GET', '/bookings'));
    expectStatus(200, await owner.page.dashboard('DELETE', `/users/${data.user.id}`));
    const removedAtMs = performance.now();
    await until(async () => (await page.with({}).api('test', 'GET', '/bookings')).status === 401, 'the session ended');
    expect(performance.now() - removedAtMs).toBeLessThan(5_000);
    expect(await statusOfMe(page)).toBe(401);
  };
  it('is cut off in the middle of a session once it is removed, at each gateway', () => ofSeveralTries(isCutOff));
});
