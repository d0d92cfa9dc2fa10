import { beforeAll, describe, expect, it } from '@jest/globals';
import type { DashboardMe, Instructor } from '@swim/contracts';
import type { Page } from 'playwright-core';
import {
  aColleague,
  anAddress,
  anInstructor,
  anOwner,
  aPupil,
  button,
  fillSignIn,
  mailbox,
  type Owner,
  open,
  PASSWORD,
  request,
  web,
} from '../../browser-fixtures.js';
import { examine } from '../../examination.js';

/** A day of which an instructor reads the roster: at most a week ahead. */
const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);

/** Invites somebody by an owner, and accepts as a new user in a page. */
async function accept(owner: Owner, page: Page, email: string, invitation: object): Promise<DashboardMe> {
  expect((await request(owner.page, 'POST', '/invitations', { email, ...invitation })).status).toBe(201);
  await page.goto('/dashboard/sign-in');
  const body = { token: await mailbox.tokenTo(email), name: 'Kim Coach', password: PASSWORD };
  const answer = await request(page, 'POST', '/invitations/accept', body);
  expect(answer.status).toBe(200);
  return answer.data as DashboardMe;
}

describe('a user of several accounts', () => {
  let school: Owner;
  let family: Owner;
  let instructor: Instructor;
  beforeAll(async () => {
    school = await anOwner();
    family = await anOwner({ kind: 'family', account_name: 'Family Wave', name: 'Paul Wave' });
    instructor = await anInstructor(school.office, { max_group_size: 4 });
    const pupils = [await aPupil(school.office, 'Ada'), await aPupil(school.office, 'Bo')];
    await school.office.make('/bookings', {
      instructor_id: instructor.id,
      member_ids: pupils.map(({ id }) => id),
      sessions: [{ date: `${day}T15:00:00Z`, duration_minutes: 60 }],
    });
  });

  it('lands as an instructor at the poolside, with nothing else in the navigation', async () => {
    const page = await web.page();
    await accept(school, page, anAddress(), { role: 'instructor', instructor_id: instructor.id });
    await open(page, 'sandbox');
    await page.getByRole('heading', { name: 'Today', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/dashboard/sandbox/today');
    expect(await page.getByRole('navigation', { name: 'Pages' }).getByRole('link').allTextContents()).toEqual([
      'Today',
      'Settings',
    ]);
    await examine(page, 'instructor-today');
    await open(page, `sandbox/today?date=${day}`);
    await page.getByText('Ada').waitFor();
    await examine(page, 'instructor-a-day');
  });

  it('switches between a school and a family, where a guardian books and pays but adds no users', async () => {
    const page = await web.page();
    const email = anAddress();
    await accept(school, page, email, { role: 'viewer' });
    await request(family.page, 'POST', '/invitations', { email, role: 'guardian' });
    await page.goto(`/dashboard/accept-invitation#token=${await mailbox.tokenTo(email, 2)}`);
    await button(page, /^Accept as Kim Coach/).click();
    await page.getByRole('heading', { name: 'Family Wave', level: 1 }).waitFor();
    await open(page, 'sandbox/home');
    await page.getByRole('link', { name: 'Book lessons for Mia Okafor' }).waitFor();
    await examine(page, 'guardian-home');
    expect(await page.getByRole('link', { name: 'API keys' }).count()).toBe(0);
    await page.getByRole('combobox', { name: 'Account' }).selectOption({ label: 'Wave Swim School' });
    await page.getByRole('heading', { name: 'Calendar', level: 1 }).waitFor();
    await examine(page, 'account-switch');
    await page.getByRole('combobox', { name: 'Account' }).selectOption({ label: 'Family Wave' });
    await page.getByRole('heading', { name: 'Family Wave', level: 1 }).waitFor();
  });

  it('claims a family that a school has made, and leaves the sandbox for it, which it lacks', async () => {
    const { page, email } = await aColleague(school, 'viewer');
    const made = { name: 'The Kims', email, members: [{ name: 'Kai', date_of_birth: '2017-05-04' }] };
    const [accountId] = await school.page.evaluate(async (body) => {
      const send = (path: string, content: object) =>
        fetch(`/v1${path}`, {
          method: 'POST',
          headers: { 'swim-dashboard': '1', 'swim-environment': 'live', 'content-type': 'application/json' },
          body: JSON.stringify(content),
        });
      const { data } = (await (await send('/families', body)).json()) as { data: { account_id: string } };
      return [data.account_id, (await send(`/families/${data.account_id}/invite`, {})).status];
    }, made);
    expect(accountId).toMatch(/^acct_/);
    const token = await mailbox.tokenTo(email, 2);
    await open(page, 'sandbox/calendar');
    await request(page, 'POST', '/sign-out');
    await page.goto(`/dashboard/accept-invitation#token=${token}`);
    await page.getByLabel('Your name').fill('Vera View');
    await page.getByLabel('Language').selectOption('de');
    await page.getByLabel('Ihr Name').waitFor();
    await page.getByLabel('Sprache').selectOption('en');
    expect(await page.getByLabel('Your name').inputValue()).toBe('Vera View');
    await page.getByRole('link', { name: 'Sign in' }).click();
    await fillSignIn(page, email);
    await button(page, /^Accept as Vera View/).click();
    await page.getByRole('heading', { name: 'The Kims', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/dashboard/live/home');
    const account = page.getByRole('combobox', { name: 'Account' });
    await account.selectOption({ label: 'Wave Swim School' });
    await page.getByRole('heading', { name: 'Calendar', level: 1 }).waitFor();
    await open(page, 'sandbox/members');
    await account.selectOption({ label: 'The Kims' });
    await page.getByRole('link', { name: 'Book lessons for Kai' }).waitFor();
    await open(page, 'sandbox/bookings');
    expect(new URL(page.url()).pathname).toBe('/dashboard/live/bookings');
  });
});
