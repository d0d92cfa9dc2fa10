import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Booking, Closure, Enrollment, Instructor, Member, SwimClass } from '@swim/contracts';
import type { Locator } from 'playwright-core';
import { anInstructor, anOwner, aPupil, button, lessonDay, type Owner, open } from '../../browser-fixtures.js';
import { examine, examineOpened } from '../../examination.js';

const WEEK_MS = 7 * 86_400_000;
const weeksOn = (weeks: number) => new Date(Date.parse(lessonDay()) + weeks * WEEK_MS).toISOString().slice(0, 10);

let school: Owner;
let family: Owner;
let instructor: Instructor;

const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const recurrenceAt = (time: string) => ({
  start_local: `${lessonDay()}T${time}`,
  timezone: 'Europe/Berlin',
  weekdays: [DAYS[new Date(lessonDay()).getUTCDay()]],
  count: 10,
});
const aClass = async (changes: object = {}) => {
  const made = await school.office.make<SwimClass>('/classes', {
    name: 'Sharks',
    instructor_id: instructor.id,
    recurrence: recurrenceAt('10:00'),
    duration_minutes: 45,
    capacity: 6,
    price_cents: 1_800,
    ...changes,
  });
  await school.office.post(`/classes/${made.id}/open`, {});
  return made;
};

beforeAll(async () => {
  school = await anOwner();
  // Its demo data have two children, a beginner and an intermediate, and a card.
  family = await anOwner({ kind: 'family', account_name: 'Family Wave', name: 'Paul Wave' });
  instructor = await anInstructor(school.office);
});

describe('the office of a school', () => {
  it('makes a class, sees what is in the way of its dates, and opens it', async () => {
    const { page, office } = school;
    const closed = { instructor_ids: [instructor.id], lessons: 'cancel', reason: 'Maintenance' };
    const from = `${weeksOn(1)}T00:00:00Z`;
    await office.post<Closure>('/closures', { ...closed, from, to: `${weeksOn(1)}T23:00:00Z` });
    await open(page, 'sandbox/classes');
    await examine(page, 'school-no-classes');
    await page.getByRole('link', { name: 'New class' }).first().click();
    await page.getByLabel('Name').fill('Little Rays');
    await page.getByRole('combobox', { name: /^Instructor/ }).selectOption({ label: 'Kim Coach' });
    await page.getByLabel('First day').fill(lessonDay());
    await page.getByLabel('Time', { exact: true }).fill('16:00');
    await page.getByLabel('Number of dates').fill('4');
    await page.getByLabel('Price of a place (EUR)').fill('18');
    await page.getByText('Dates: 4').waitFor();
    await page.locator('.class-dates label').nth(3).click();
    await page.getByText('Dates: 3').waitFor();
    await examine(page, 'school-new-class');
    await button(page, 'Create as a draft').click();
    await page.getByText('Lessons that are made: 2. Dates that are left out: 1.').waitFor();
    await page.getByText('This time is closed.').waitFor();
    await examine(page, 'school-a-draft');
    await button(page, 'Open for families').click();
    await page.getByText('Nobody yet').waitFor();
    const [stored] = await office.read<SwimClass[]>(`/classes?account_id=${office.id}`);
    expect(stored).toMatchObject({ name: 'Little Rays', status: 'open', places_left: 6 });
    expect(stored!.recurrence.except).toEqual([weeksOn(3)]);
    await examine(page, 'school-a-class');
    await examineOpened(page, 'Edit', 'school-edit-a-class');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Time', { exact: true }).fill('17:00');
    await dialog.getByText('Lessons to come that change: 2').waitFor();
    await button(dialog, 'Save').click();
    await page.getByText(/17:00/).first().waitFor();
    await examineOpened(page, 'Close …', 'school-close-a-class');
    await page.getByText('Lessons that are cancelled for everyone: 2.').waitFor();
    await button(dialog, 'Close the class').click();
    await page.getByText('Closed', { exact: true }).waitFor();
  });
});

describe('a family', () => {
  let clicks = 0;
  const click = async (target: Locator) => {
    clicks += 1;
    await target.click();
  };
  const enroll = async (child: string) => {
    const { page } = family;
    await click(page.getByRole('link', { name: child }));
    await click(button(page, 'Enroll in Sharks'));
    await page.getByText('Lessons: 10. Price: €180.00.').waitFor();
    await page.getByRole('dialog').getByRole('listitem').nth(9).waitFor();
    await examine(page, 'dialog-family-enroll');
    await click(button(page, 'Enroll for €180.00'));
    await page.getByText('Enrolled.').waitFor();
  };

  beforeAll(async () => {
    instructor = await anInstructor(school.office, { email: 'lou@example.test', name: 'Lou Lane' });
  });

  it('enrolls two children in a course of ten weeks with at most nine clicks, seeing dates and price before', async () => {
    const { page, office } = family;
    const sharks = await aClass();
    await aClass({ name: 'Grown Whales', min_age_years: 18, recurrence: recurrenceAt('12:00') });
    await open(page, 'sandbox/home');
    await click(page.getByRole('link', { name: 'Classes', exact: true }));
    await enroll('Jonas Okafor');
    await enroll('Mia Okafor');
    expect(clicks).toBeLessThanOrEqual(9);
    expect(await page.getByText('Grown Whales').count()).toBe(0);
    await page.getByText('Enrolled', { exact: true }).waitFor();
    await examine(page, 'family-classes');
    const enrollments = await office.read<Enrollment[]>(`/enrollments?class_id=${sharks.id}`);
    expect(enrollments.map(({ status }) => status)).toEqual(['active', 'active']);
    const [booking] = await office.read<Booking[]>(`/accounts/${office.id}/bookings`);
    expect(booking!.amount_cents).toBe(18_000);
  });

  it('waits for a place in a full class, and takes the one that is offered', async () => {
    const { page } = family;
    const { id } = await aClass({ name: 'Tiny Otters', capacity: 1, recurrence: recurrenceAt('14:00') });
    const { id: stranger } = await aPupil(school.office, 'Zora Stranger');
    const taken = await school.office.make<Enrollment>(`/classes/${id}/enrollments`, { member_id: stranger });
    await open(page, 'sandbox/classes');
    await page.getByRole('link', { name: 'Mia Okafor' }).click();
    await button(page, 'Join the line of Tiny Otters').click();
    await page.getByText('In line').waitFor();
    await open(school.page, `sandbox/classes/${id}`);
    const line = school.page.getByRole('region', { name: 'Waiting for a place' });
    await line.getByRole('row').filter({ hasText: 'Waiting' }).getByText('Mia Okafor').waitFor();
    await examine(school.page, 'school-line-of-a-class');
    await open(school.page, 'sandbox/waitlist');
    await school.page.getByRole('link', { name: 'Tiny Otters' }).waitFor();
    await examine(school.page, 'school-waitlist-of-a-class');
    const today = new Date().toISOString().slice(0, 10);
    await school.office.post(`/enrollments/${taken.id}/end`, { ends_on: today });
    await page.getByText('A place is held').waitFor();
    await examine(page, 'family-class-place-held');
    await button(page, 'Enroll in Tiny Otters').click();
    await button(page, 'Enroll for €180.00').click();
    await page.getByText('Enrolled.').waitFor();
  });

  it('ends an enrollment, and its school sees who is in the class', async () => {
    const { page } = family;
    await open(page, 'sandbox/classes');
    await page.getByRole('link', { name: 'Mia Okafor' }).click();
    await examineOpened(page, 'End the enrollment: Sharks', 'family-end-an-enrollment');
    await button(page.getByRole('dialog'), 'End the enrollment').click();
    await button(page, 'Enroll in Sharks').waitFor();
    await open(school.page, 'sandbox/classes');
    await school.page.getByText('1 of 6').waitFor();
    await examine(school.page, 'school-classes');
    await school.page.getByRole('link', { name: 'Sharks' }).click();
    await school.page.getByRole('link', { name: 'Jonas Okafor' }).waitFor();
    await examine(school.page, 'school-children-of-a-class');
    const [mia] = await family.office.read<Member[]>(`/accounts/${family.office.id}/members?search=Mia`);
    await school.page.getByRole('combobox', { name: 'Add a member' }).fill('Mia O');
    await school.page.getByRole('option', { name: mia!.name }).click();
    await button(school.page, 'Enroll').click();
    await school.page.getByRole('row').filter({ hasText: 'Mia Okafor' }).filter({ hasText: 'Enrolled' }).waitFor();
  });
});
