import { describe, expect, it } from '@jest/globals';
import {
  aLesson,
  anAddress,
  anInstructor,
  anOwner,
  button,
  dragByHalfAnHour,
  lessonDay,
  lessonOf,
  mailbox,
  open,
  PASSWORD,
  stack,
  useKeyUntilRevoked,
  web,
} from './browser-fixtures.js';

describe('a new user', () => {
  it('signs up, confirms by mail, and generates a key that works until it is revoked', async () => {
    const email = anAddress();
    const page = await web.page();
    await page.goto('/dashboard/sign-up');
    expect(await web.faultsOf(page)).toEqual([]);
    await page.getByLabel('Name of the school').fill('Wave Swim School');
    await page.getByLabel('Your name').fill('Rita Wave');
    await page.getByLabel('E-mail address').fill(email);
    await button(page, 'Create account').click();
    await page.getByText('Check your e-mail').waitFor();
    await page.goto(`/dashboard/confirm#token=${await mailbox.tokenTo(email)}`);
    await page.getByLabel('Password').fill(PASSWORD);
    await button(page, 'Confirm and sign in').click();
    await page.getByRole('heading', { name: 'Calendar', level: 1 }).waitFor();
    expect(page.url()).toBe(`${stack.origin}/dashboard/live/calendar`);
    await open(page, 'live/developers/keys');
    expect(await useKeyUntilRevoked(page)).toMatch(/^swl_live_/);
    expect(await web.faultsOf(page)).toEqual([]);
  });
});

describe('the office of a school', () => {
  it('moves a lesson by drag, once the time is known to be free', async () => {
    const { page, office } = await anOwner();
    const session = await aLesson(office, await anInstructor(office), 'Mia', '09:00');
    await open(page, `sandbox/calendar?span=day&date=${lessonDay()}`);
    await dragByHalfAnHour(page, lessonOf(page, 'Mia'));
    const moved = await office.read<{ date: string }>(`/sessions/${session.id}`);
    expect(moved.date).toBe(new Date(Date.parse(session.date) + 30 * 60_000).toISOString());
    expect(await web.faultsOf(page)).toEqual([]);
    await open(page, 'sandbox/pools');
    expect(await web.faultsOf(page)).toEqual([]);
  });
});
