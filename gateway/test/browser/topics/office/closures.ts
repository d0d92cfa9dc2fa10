import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Instructor, Lesson, Member, Pool } from '@swim/contracts';
import { until } from '@swim/testing';
import type { Locator } from 'playwright-core';
import type { Customer } from '../../../journeys/fixtures/customer.js';
import {
  aGroupLesson,
  anInstructor,
  anOwner,
  aPupil,
  button,
  lessonDay,
  type Owner,
  open,
} from '../../browser-fixtures.js';
import { examine } from '../../examination.js';

const MOST_CLICKS = 6;

const aPool = (office: Customer, name: string): Promise<Pool> =>
  office.make<Pool>('/pools', {
    name,
    address: 'Uferweg 1',
    latitude: 52.5,
    longitude: 13.4,
    timezone: 'Europe/Berlin',
    lanes: 3,
  });

/** A lesson at a pool: 60 minutes on `lessonDay()` from a time of UTC. */
const aLessonAt = (office: Customer, pool: Pool, instructor: Instructor, time: string): Promise<Lesson> =>
  office.make<Lesson>('/lessons', {
    instructor_id: instructor.id,
    date: `${lessonDay()}T${time}:00Z`,
    duration_minutes: 60,
    location: { type: 'pool', pool_id: pool.id },
    capacity: 4,
    price_cents: 1_500,
  });

describe('the closures of a school', () => {
  let owner: Owner;
  let instructor: Instructor;
  let mia: Member;
  beforeAll(async () => {
    owner = await anOwner();
    instructor = await anInstructor(owner.office);
    mia = await aPupil(owner.office, 'Mia');
  });

  const statusOf = async ({ id }: Lesson) => (await owner.office.read<Lesson>(`/lessons/${id}`)).status;

  it('close a pool for a day in at most six clicks, with what that cancels shown before', async () => {
    const { page, office } = owner;
    const pool = await aPool(office, 'Old Baths');
    const lesson = await aLessonAt(office, pool, instructor, '08:00');
    await office.make('/bookings', { lesson_ids: [lesson.id], member_ids: [mia.id] });
    await open(page, 'sandbox/calendar');
    let clicks = 0;
    const click = async (target: Locator) => {
      clicks += 1;
      await target.click();
    };
    const type = async (target: Locator, text: string) => {
      await click(target);
      await target.fill(text);
    };
    await click(page.getByRole('link', { name: 'Pools' }));
    await click(page.getByRole('link', { name: 'Close “Old Baths” for a time' }));
    await type(page.getByLabel('First day'), lessonDay());
    await type(page.getByLabel('Reason'), 'Burst pipe');
    await page.getByText('Lessons that are cancelled: 1. Booked places in them: 1.').waitFor();
    expect(await statusOf(lesson)).toBe('scheduled');
    await click(button(page, 'Close it now'));
    await page.getByRole('heading', { name: 'Closures', level: 1 }).waitFor();
    expect(clicks).toBeLessThanOrEqual(MOST_CLICKS);
    await page.getByText('Cancelled: 1 of 1').waitFor();
    expect(await statusOf(lesson)).toBe('cancelled');
    await examine(page, 'school-closures');
  });

  it('close some hours of an instructor, whose lessons stay, and give them back', async () => {
    const { page, office } = owner;
    const other = await anInstructor(office, { name: 'Lea Lane', email: 'lea@example.test' });
    const lesson = await aGroupLesson(office, other, [], '10:00');
    await open(page, `sandbox/instructors/${other.id}`);
    await page.getByRole('link', { name: 'Time off for “Lea Lane”' }).click();
    await page.getByLabel('First day').fill(lessonDay());
    await page.getByText('Only some hours').click();
    await page.getByLabel('Start').fill('08:00');
    await page.getByLabel('End').fill('14:00');
    await page.getByLabel('Reason').fill('Training');
    await page.getByLabel('Lessons in this time').selectOption('keep');
    await page.getByText('Lessons that stay: 1.').waitFor();
    await examine(page, 'school-close-time');
    await button(page, 'Close it now').click();
    await page.getByRole('cell', { name: 'Lea Lane' }).waitFor();
    expect(await statusOf(lesson)).toBe('scheduled');

    await open(page, `sandbox/calendar?span=day&date=${lessonDay()}`);
    await page.locator('.timeline-row', { hasText: 'Lea Lane' }).getByTitle('Training').waitFor();
    await examine(page, 'school-calendar-closed');
    await open(page, `sandbox/calendar?span=week&date=${lessonDay()}`);
    await page.locator('.timeline-row', { hasText: 'Lea Lane' }).getByTitle('Training').waitFor();

    await open(page, 'sandbox/closures');
    const row = page.getByRole('row', { name: /Lea Lane/ });
    await button(row, 'Give the time back').click();
    await examine(page, 'dialog-school-give-back');
    await button(page.getByRole('dialog'), 'Give the time back').click();
    await row.waitFor({ state: 'detached' });
  });
});

describe('a substitute', () => {
  it('takes over the lessons that fit, from the page of one; the others are named with the reason', async () => {
    const { page, office } = await anOwner();
    const absent = await anInstructor(office);
    const substitute = await anInstructor(office, { name: 'Lea Lane', email: 'lea@example.test' });
    const first = await aGroupLesson(office, absent, [], '08:00');
    const second = await aGroupLesson(office, absent, [], '10:00');
    await aGroupLesson(office, substitute, [], '10:00');
    await open(page, `sandbox/lessons/${first.id}`);
    await page.getByRole('link', { name: 'Substitute …' }).click();
    await page.getByLabel('Who takes over').selectOption(substitute.id);
    await page.getByText('Lessons that are handed over: 1.').waitFor();
    await page.getByLabel('To, time').fill('23:00');
    await page.getByText('Lessons that cannot be taken over: 1').waitFor();
    await page.getByText('The instructor is busy at this time.').waitFor();
    expect(await button(page, 'Hand the lessons over').isDisabled()).toBe(true);
    await page.getByText('Leave lessons that do not fit with their instructor').click();
    await page.getByText('Lessons that are handed over: 1.').waitFor();
    await examine(page, 'school-substitute');
    await button(page, 'Hand the lessons over').click();
    await page.getByText('Handed over: 1.').waitFor();
    const instructorOf = async ({ id }: Lesson) => (await office.read<Lesson>(`/lessons/${id}`)).instructor_id;
    await until(async () => (await instructorOf(first)) === substitute.id, 'the substitute has the first lesson');
    expect(await instructorOf(second)).toBe(absent.id);
  });
});
