import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Booking, Instructor, Member } from '@swim/contracts';
import type { Locator, Page } from 'playwright-core';
import {
  aColleague,
  anInstructor,
  anOwner,
  aPupil,
  button,
  lessonDay,
  type Owner,
  open,
} from '../../browser-fixtures.js';
import { examine } from '../../examination.js';

const WEEK = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

describe('the office of a school that books lessons', () => {
  let owner: Owner;
  let instructor: Instructor;
  beforeAll(async () => {
    owner = await anOwner();
    instructor = await anInstructor(owner.office);
    for (const name of ['Mia Wave', 'Noah Brook']) await aPupil(owner.office, name);
  });

  const bookings = () => owner.office.read<Booking[]>(`/bookings?status=confirmed&instructor_id=${instructor.id}`);

  async function addMember(page: Page, typed: string, name: string): Promise<void> {
    const field = page.getByRole('combobox', { name: 'Add a member' });
    await field.fill(typed);
    await page.getByRole('option', { name }).waitFor();
    await field.press('ArrowDown');
    await field.press('Enter');
    await button(page, `Remove ${name}`).waitFor();
    expect(await field.inputValue()).toBe('');
  }

  it('comes from the calendar, chooses members by keyboard, books a lesson each week, and comes back to the booking', async () => {
    const { page } = owner;
    await open(page, `sandbox/calendar?date=${lessonDay()}`);
    await page.getByRole('link', { name: 'Book lessons' }).click();
    await page.getByRole('heading', { name: 'Book lessons', level: 1 }).waitFor();
    expect(await page.getByLabel('First day').inputValue()).toBe(lessonDay());
    await addMember(page, 'noah', 'Noah Brook');
    await addMember(page, 'mia', 'Mia Wave');
    await button(page, 'Remove Noah Brook').click();
    await page.getByText('Type another time').click();
    await page.getByLabel('Instructor').selectOption({ label: 'Kim Coach' });
    await page.getByLabel('Time', { exact: true }).fill('10:00');
    await page.getByLabel('Length').selectOption('60');
    await page.getByLabel('Weeks').fill('4');
    await page.getByText('Free. Lessons: 4. Price: €192.00.').waitFor();
    await page.getByText('Set another price').click();
    await page.getByLabel('Price of each lesson and child (EUR)').fill('40');
    await page.getByLabel('Reason').fill('Sibling');
    await page.getByText('Free. Lessons: 4. Price: €160.00.').waitFor();
    await examine(page, 'new-booking');
    expect(await bookings()).toEqual([]);
    await button(page, 'Book').click();
    await page.getByText('Booked.').waitFor();
    const [booking] = await bookings();
    expect(booking).toMatchObject({ instructor_id: instructor.id, amount_cents: 16_000 });
    expect(booking!.sessions.map(({ duration_minutes: minutes }) => minutes)).toEqual([60, 60, 60, 60]);
    await page.getByRole('link', { name: 'Show in the calendar' }).click();
    await page.getByRole('button', { name: /^10:00 Mia Wave, 60 minutes/ }).click();
    await page.getByRole('dialog').getByRole('link', { name: 'Show the booking' }).click();
    await page.getByRole('heading', { name: 'Booking', level: 1 }).waitFor();
  });

  it('sees which dates are not free, takes a suggestion, or leaves them out', async () => {
    const { page } = owner;
    await open(page, `sandbox/bookings/new?date=${lessonDay()}&time=10:00&instructor=${instructor.id}`);
    await addMember(page, 'noah', 'Noah Brook');
    await page.getByText('Not every date is free.').waitFor();
    await page.getByText('The instructor is busy at this time.').waitFor();
    expect(await button(page, 'Book').isDisabled()).toBe(true);
    await examine(page, 'new-booking-conflict');
    await page.getByLabel('Weeks').fill('5');
    await page.getByText('Leave out dates that are not free').click();
    await page.getByText('Free. Lessons: 1.').waitFor();
    await page.getByText('Left out:').waitFor();
    await page.getByLabel('Weeks').fill('1');
    await page.getByText('Free nearby:').waitFor();
    await page
      .getByRole('main')
      .getByRole('listitem')
      .filter({ hasText: 'Free nearby:' })
      .getByRole('button')
      .first()
      .click();
    await page.getByText('Free. Lessons: 1.').waitFor();
    expect(await page.getByLabel('Time', { exact: true }).inputValue()).not.toBe('10:00');
    await button(page, 'Book').click();
    await page.getByText('Booked.').waitFor();
    expect((await bookings()).length).toBe(2);
  });

  it('books an empty hour of the calendar with three clicks and a name', async () => {
    const { page } = owner;
    await open(page, `sandbox/calendar?span=day&date=${lessonDay()}`);
    const row = page.locator('.timeline-row', { hasText: 'Kim Coach' }).locator('.timeline-lessons');
    const { width } = (await page.locator('.timeline-day').boundingBox())!;
    await row.click({ position: { x: width - 10, y: 20 } });
    await page.getByRole('heading', { name: 'Book lessons', level: 1 }).waitFor();
    await page.getByRole('combobox', { name: 'Add a member' }).fill('noah');
    await page.getByRole('option', { name: 'Noah Brook' }).click();
    await page.getByText('Free. Lessons: 1.').waitFor();
    await examine(page, 'school-book-an-hour');
    await button(page, 'Book').click();
    await page.getByText('Booked.').waitFor();
  });

  it('books a weekly course of ten lessons for two children with at most nine clicks', async () => {
    const { page, office } = owner;
    const [mia] = await office.read<Member[]>(`/accounts/${office.id}/members?search=Mia`);
    const lea = await anInstructor(office, {
      ...{ name: 'Lea Lane', email: 'lea@example.test', max_group_size: 4 },
      availability_schedule: { weekly: WEEK.map((day) => ({ day, start: '09:00', end: '18:00' })) },
    });
    let clicks = 0;
    const click = async (target: Locator) => {
      clicks += 1;
      await target.click();
    };
    await open(page, `sandbox/members/${mia!.id}`);
    await click(page.getByRole('link', { name: 'Book lessons for Mia Wave' }));
    await button(page, 'Remove Mia Wave').waitFor();
    const field = page.getByRole('combobox', { name: 'Add a member' });
    await click(field);
    await field.fill('noah');
    await click(page.getByRole('option', { name: 'Noah Brook' }));
    await click(page.getByLabel('Weeks'));
    await page.getByLabel('Weeks').fill('10');
    const times = page.getByRole('region', { name: 'Lea Lane' }).getByRole('button');
    await click(times.last());
    await page.getByText('Free. Lessons: 20.').waitFor();
    await examine(page, 'school-book-a-course');
    await click(button(page, 'Book'));
    await page.getByText('Booked.').waitFor();
    expect(clicks).toBeLessThanOrEqual(9);
    const [made] = await office.read<Booking[]>(`/bookings?instructor_id=${lea.id}`);
    expect([made!.member_ids.length, made!.sessions.length]).toEqual([2, 20]);
  });

  it('cannot book more weeks than a booking has, nor as a viewer', async () => {
    const { page } = owner;
    await open(page, 'sandbox/bookings/new');
    await page.getByLabel('Weeks').fill('53');
    await page.getByText('Enter a number from 1 to 52.').waitFor();
    expect(await button(page, 'Book').isDisabled()).toBe(true);
    const viewer = await aColleague(owner, 'viewer');
    await open(viewer.page, 'sandbox/bookings/new');
    await viewer.page.getByText('Your role does not include this.').waitFor();
    expect(await button(viewer.page, 'Book').count()).toBe(0);
  });
});
