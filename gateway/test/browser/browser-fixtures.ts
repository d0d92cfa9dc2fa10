import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import {
  type Booking,
  type DashboardMe,
  DEMO_LESSONS,
  type Instructor,
  type Lesson,
  type Member,
  type Role,
  type Session,
} from '@swim/contracts';
import { until } from '@swim/testing';
import type { Locator, Page } from 'playwright-core';
import { Customer } from '../journeys/fixtures/customer.js';
import { Mailbox } from '../journeys/fixtures/mailbox.js';
import { Stack } from '../journeys/fixtures/stack.js';
import { WebBrowser } from './web-browser.js';

/** The password of every user. */
export const PASSWORD = 'a sentence to remember';

/** The mails of the stack. */
export let mailbox: Mailbox;
export let stack: Stack;
export let web: WebBrowser;

beforeAll(async () => {
  mailbox = await Mailbox.open();
  stack = await Stack.start({
    ...mailbox.env,
    WEBHOOK_ALLOW_PRIVATE: 'true',
    SIGN_IN_PER_NETWORK_PER_MINUTE: '100000',
  });
  web = await WebBrowser.start(stack.origin);
});
afterAll(async () => {
  await web?.stop();
  await stack?.stop();
  await mailbox?.close();
});
afterEach(() => {
  expect(web.complaints.splice(0)).toEqual([]);
});

let made = 0;
/** An address that nobody has used yet. */
export const anAddress = () => `user-${++made}@example.test`;

/** A button by its name: the whole name for a text. */
export const button = (within: Page | Locator, name: string | RegExp) =>
  within.getByRole('button', { name, exact: typeof name === 'string' });

/** Sends a request of the dashboard's own routes from a page, and returns its status and data. */
export const request = (page: Page, method: string, path: string, body?: object) =>
  page.evaluate(
    async ([verb, address, content]) => {
      const headers = { 'swim-dashboard': '1', ...(content && { 'content-type': 'application/json' }) };
      const answer = await fetch(`/dashboard/api${address}`, {
        method: verb,
        headers,
        ...(content && { body: content }),
      });
      const text = await answer.text();
      return { status: answer.status, ...(JSON.parse(text || '{}') as { data?: unknown }) };
    },
    [method, path, body && JSON.stringify(body)] as const,
  );

/** A user of an account, signed in. */
export interface User {
  page: Page;
  email: string;
  me: DashboardMe;
}

/** An account that was signed up for in a page, and its owner. */
export interface Owner extends User {
  /** A client with a sandbox key of the account that has every scope. */
  office: Customer;
}

/** Signs up for an account, and signs its owner in. */
export async function anOwner(changes: object = {}, width = 1280): Promise<Owner> {
  const email = anAddress();
  const page = await web.page(width);
  await page.goto('/dashboard/sign-in');
  const signUp = {
    email,
    name: 'Rita Wave',
    account_name: 'Wave Swim School',
    kind: 'school',
    timezone: 'Europe/Berlin',
    locale: 'en',
    currency: 'EUR',
    ...changes,
  };
  expect((await request(page, 'POST', '/sign-up', signUp)).status).toBe(202);
  const me = await enter(page, '/confirm', { token: await mailbox.tokenTo(email), password: PASSWORD });
  const office = await stack.mint(me.account.id);
  await until(() => hasDemoData(office, me.account.kind), 'the sandbox has demo data');
  return { page, email, me, office };
}

/** Whether the demo data are made, a moment after the sign-up: lists of a page would change meanwhile. */
async function hasDemoData(office: Customer, kind: DashboardMe['account']['kind']): Promise<boolean> {
  // What is made last.
  const last = kind === 'school' ? '/bookings' : `/accounts/${office.id}/payment-methods`;
  return (await office.read<unknown[]>(last)).length === (kind === 'school' ? DEMO_LESSONS.length : 1);
}

/** Invites somebody into the account of an owner, and signs the new user in. */
export async function aColleague(owner: Owner, role: Role): Promise<User> {
  const email = anAddress();
  expect((await request(owner.page, 'POST', '/invitations', { email, role })).status).toBe(201);
  const page = await web.page();
  await page.goto('/dashboard/sign-in');
  const body = { token: await mailbox.tokenTo(email), name: 'Vera View', password: PASSWORD };
  return { page, email, me: await enter(page, '/invitations/accept', body) };
}

async function enter(page: Page, path: string, body: object): Promise<DashboardMe> {
  const answer = await request(page, 'POST', path, body);
  expect(answer.status).toBe(200);
  return answer.data as DashboardMe;
}

/** Opens a page of the dashboard, and waits until its data is there. */
export async function open(page: Page, path: string): Promise<void> {
  await page.goto(`/dashboard/${path}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.locator('.loading').first().waitFor({ state: 'detached' });
}

/** Fills the form of the page to sign in, and sends it. */
export async function fillSignIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(password);
  await button(page, 'Sign in').click();
}

/** Generates a key with the scopes that are offered by default, and returns its text. */
export async function generateKey(page: Page, name: string): Promise<string> {
  await button(page, 'Generate new key').first().click();
  await page.getByLabel('Name', { exact: true }).fill(name);
  await button(page, 'Generate key').click();
  const key = await page.getByLabel(`Key “${name}”`).inputValue();
  await button(page, 'I have stored it').click();
  return key;
}

/** Generates a key that answers requests, revokes it, and waits until it is rejected. */
export async function useKeyUntilRevoked(page: Page): Promise<string> {
  const key = await generateKey(page, 'Till');
  const holder = new Customer(`${stack.origin}/v1`, '', key);
  expect((await holder.get('/sessions')).status).toBe(200);
  await button(page, 'Revoke “Till”').click();
  await button(page.getByRole('dialog'), 'Revoke').click();
  await page.getByText('Ended keys').waitFor();
  await until(async () => (await holder.once.get('/sessions')).status === 401, 'the revoked key is rejected');
  return key;
}

const DAY_MS = 86_400_000;
const day = new Date(Date.now() + 8 * DAY_MS).toISOString().slice(0, 10);
/** A day ahead on which lessons are given, as `2027-03-01`; the same if midnight comes meanwhile. */
export const lessonDay = (): string => day;

/** An instructor of a school who teaches at any time. */
export const anInstructor = (office: Customer, changes: object = {}): Promise<Instructor> =>
  office.make<Instructor>('/instructors', {
    name: 'Kim Coach',
    email: 'kim@example.test',
    timezone: 'Europe/Berlin',
    hourly_rate_cents: 4_800,
    currency: 'EUR',
    ...changes,
  });

/** A pupil of a school. */
export const aPupil = (office: Customer, name: string): Promise<Member> =>
  office.make<Member>(`/accounts/${office.id}/members`, { name, date_of_birth: '2017-05-04' });

/** Connects a family and its members with a school, as a booking does. */
export async function connect(family: Customer, school: Customer): Promise<void> {
  const members = await family.read<Member[]>(`/accounts/${family.id}/members`);
  await family.make('/connections', { school_id: school.id, member_ids: members.map(({ id }) => id) });
}

/** A lesson of a new pupil: 60 minutes on `lessonDay()` from a time of UTC. */
export async function aLesson(office: Customer, instructor: Instructor, name: string, time: string): Promise<Session> {
  const member = await aPupil(office, name);
  return office.make<Session>('/sessions', {
    instructor_id: instructor.id,
    member_id: member.id,
    date: `${lessonDay()}T${time}:00Z`,
    duration_minutes: 60,
  });
}

/** A lesson of at least six places, which pupils of a school have booked: 60 minutes on `lessonDay()` from a time of UTC. */
export async function aGroupLesson(
  office: Customer,
  instructor: Instructor,
  pupils: readonly Member[],
  time: string,
): Promise<Lesson> {
  const lesson = await office.make<Lesson>('/lessons', {
    instructor_id: instructor.id,
    date: `${lessonDay()}T${time}:00Z`,
    duration_minutes: 60,
    capacity: Math.max(6, pupils.length),
    price_cents: 1_500,
  });
  const members = pupils.map(({ id }) => id);
  if (members.length > 0) await office.make<Booking>('/bookings', { lesson_ids: [lesson.id], member_ids: members });
  return lesson;
}

/** The lesson of a pupil in the calendar. */
export const lessonOf = (page: Page, name: string): Locator =>
  page.getByRole('button', { name: new RegExp(`${name}, 60 minutes`) });

/** Drags a lesson along its hours by half of its width, which is half an hour, and keeps the move. */
export async function dragByHalfAnHour(page: Page, lesson: Locator): Promise<void> {
  const { width } = (await lesson.boundingBox())!;
  await dragBy(page, lesson, width / 2);
}

/** Drags a lesson to the right by so many pixels, and keeps the move once the time is known to be free. */
export async function dragBy(page: Page, lesson: Locator, distance: number): Promise<void> {
  const { x, y, height } = (await lesson.boundingBox())!;
  const middle = y + height / 2;
  await page.mouse.move(x + 10, middle);
  await page.mouse.down();
  await page.mouse.move(x + 10 + distance, middle, { steps: 4 });
  await page.mouse.up();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/^Free: /).waitFor();
  await button(dialog, 'Move').click();
  await page.getByText('The lesson is moved.').waitFor();
}
