import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Booking, Instructor, Lesson, Member, PaymentMethod, Pool } from '@swim/contracts';
import { until } from '@swim/testing';
import type { Page } from 'playwright-core';
import { anInstructor, anOwner, aPupil, button, lessonDay, type Owner, open } from '../../browser-fixtures.js';
import { examine, examineOpened } from '../../examination.js';

const STRANGER = 'Zora Stranger';
const DAY_MS = 86_400_000;

let school: Owner;
let family: Owner;
let page: Page;
let stranger: Member;
let instructor: Instructor;
let pool: Pool;
let tests = 0;

const aLessonAt = (time: string, changes: object = {}) =>
  school.office.make<Lesson>('/lessons', {
    instructor_id: instructor.id,
    date: new Date(Date.parse(`${lessonDay()}T${time}:00Z`) - tests * DAY_MS).toISOString(),
    duration_minutes: 45,
    location: { type: 'pool', pool_id: pool.id },
    capacity: 6,
    levels: ['beginner'],
    price_cents: 1_800,
    ...changes,
  });

const fill = ({ id }: Lesson) =>
  school.office.make<Booking>('/bookings', { lesson_ids: [id], member_ids: [stranger.id], notify_participants: false });

const aBooking = async (...lessons: Lesson[]): Promise<Booking> => {
  const members = await family.office.read<Member[]>(`/accounts/${family.office.id}/members?search=Mia`);
  const body = { lesson_ids: lessons.map(({ id }) => id), member_ids: [members[0]!.id] };
  return family.office.make<Booking>('/bookings', body);
};

const openLessons = async (child: string) => {
  await open(page, `sandbox/open-lessons?pool=${pool.id}`);
  await page.getByRole('link', { name: child }).click();
};

const bookingShown = async (): Promise<Booking> => {
  await page.getByText('Booked.').waitFor();
  const path = await page.getByRole('link', { name: 'Show the booking' }).getAttribute('href');
  return family.office.read<Booking>(`/bookings/${path!.split('/').at(-1)}`);
};

const lessonsOf = ({ sessions }: Booking) => sessions.map(({ lesson_id: id }) => id);

describe('a family', () => {
  beforeAll(async () => {
    school = await anOwner();
    // Its demo data have two children, a beginner and an intermediate, and a card.
    family = await anOwner({ kind: 'family', account_name: 'Family Wave', name: 'Paul Wave', timezone: 'UTC' });
    ({ page } = family);
    stranger = await aPupil(school.office, STRANGER);
  });

  /** Each test has a day of its own, and a pool by which its pages are filtered. */
  beforeEach(async () => {
    tests += 1;
    const place = { address: '1 Water Street', latitude: 52.5, longitude: 13.4, timezone: 'UTC' };
    pool = await school.office.make<Pool>('/pools', { name: 'Wave Pool', ...place });
    instructor = await anInstructor(school.office, { email: `kim-${pool.id}@example.test` });
  });

  describe('the open lessons of a family', () => {
    it('are booked in three clicks: the child, the lesson, and its price with the payment method', async () => {
      const lesson = await aLessonAt('15:00');
      await open(page, `sandbox/open-lessons?pool=${pool.id}`);
      await page.getByRole('link', { name: 'Mia Okafor' }).click();
      await button(page, /^Book .* 15:00/).click();
      await examine(page, 'dialog-family-book-a-lesson');
      await button(page, 'Book for €18.00').click();
      const booking = await bookingShown();
      const [card] = await family.office.read<PaymentMethod[]>(`/accounts/${family.office.id}/payment-methods`);
      expect(lessonsOf(booking)).toEqual([lesson.id]);
      expect(booking).toMatchObject({ payment_method_id: card!.id, amount_cents: 1_800, status: 'confirmed' });
      await page.getByRole('row').getByText('Booked').waitFor();
    });

    it('are booked together once several are picked, and the notice of that comes into view', async () => {
      const lessons = [await aLessonAt('09:00'), await aLessonAt('10:00', { price_cents: 2_050 })];
      await openLessons('Mia Okafor');
      for (const time of ['09:00', '10:00'])
        await page
          .locator('label')
          .filter({ has: page.getByRole('checkbox', { name: new RegExp(time) }) })
          .click();
      await page.getByText('Lessons: 2. Price: €38.50.').waitFor();
      await examine(page, 'family-picked-lessons');
      await page.setViewportSize({ width: 390, height: 420 });
      await button(page, 'Book together').click();
      await button(page, 'Book for €38.50').click();
      expect(lessonsOf(await bookingShown())).toEqual(lessons.map(({ id }) => id));
      await until(async () => {
        const { y, height } = (await page.locator('.notice-success').boundingBox())!;
        return y >= 48 && y + height <= 420;
      }, 'the notice is in view');
      await page.setViewportSize({ width: 1280, height: 860 });
    });

    it('are those of level and age of the child; of another level the list says why they are not for it', async () => {
      await aLessonAt('09:00', { levels: ['intermediate'] });
      await aLessonAt('10:00', { max_age_years: 4 });
      await aLessonAt('11:00');
      await openLessons('Mia Okafor');
      await button(page, /^Book .* 11:00/).waitFor();
      expect(await button(page, /^Book .* \d\d:00/).count()).toBe(1);
      await page.getByRole('combobox', { name: 'Level' }).selectOption('intermediate');
      await page.getByText('The child’s level does not fit this lesson.').waitFor();
      await page.getByRole('link', { name: 'Jonas Okafor' }).click();
      await button(page, /^Book .* 09:00/).waitFor();
    });

    it('name lessons with a place when one fills up meanwhile, and nobody who has taken it', async () => {
      const lesson = await aLessonAt('09:00', { capacity: 1 });
      const other = await aLessonAt('11:00', { price_cents: 2_500 });
      await openLessons('Mia Okafor');
      await button(page, /^Book .* 09:00/).click();
      await button(page, 'Book for €18.00').waitFor();
      await fill(lesson);
      await button(page, 'Book for €18.00').click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('The lesson is full.').waitFor();
      await examine(page, 'dialog-family-full-lesson');
      await button(dialog, /11:00/).first().click();
      await button(page, 'Book for €25.00').click();
      expect(lessonsOf(await bookingShown())).toEqual([other.id]);
      await page.getByRole('row').getByText('Full').waitFor();
      expect(await page.content()).not.toContain(STRANGER);
    });
  });

  describe('the line of a full lesson', () => {
    it('is joined by a child, which books the place that becomes free', async () => {
      const lesson = await aLessonAt('09:00', { capacity: 1 });
      const { id } = await fill(lesson);
      await openLessons('Mia Okafor');
      await button(page, /^Join the line of .* 09:00/).click();
      await page.getByRole('row').getByText('In line').waitFor();
      await examine(page, 'family-in-line');
      await school.office.post(`/bookings/${id}/cancel`, {});
      await page.getByRole('row').getByText('A place is held').waitFor();
      await button(page, /^Book .* 09:00/).click();
      await button(page, 'Book for €18.00').click();
      expect(lessonsOf(await bookingShown())).toEqual([lesson.id]);
    });
  });

  describe('one lesson of a booking', () => {
    it('changes to another lesson of the school, once the difference of the price is seen', async () => {
      const [own, target] = [await aLessonAt('09:00'), await aLessonAt('12:00', { price_cents: 2_300 })];
      const full = await aLessonAt('14:00', { capacity: 1 });
      await fill(full);
      const booking = await aBooking(own);
      await open(page, `sandbox/bookings/${booking.id}`);
      await examineOpened(page, /^Change the lesson/, 'family-change-a-lesson');
      const dialog = page.getByRole('dialog');
      const choice = dialog.getByRole('combobox');
      expect(await choice.locator(`option[value="${full.id}"]`).count()).toBe(0);
      await choice.selectOption(target.id);
      await dialog.getByText('€5.00 more: the lesson costs €23.00.').waitFor();
      await button(dialog, 'Change the lesson').click();
      await dialog.waitFor({ state: 'detached' });
      await page.getByRole('row').getByText(/12:00/).waitFor();
      expect(lessonsOf(await family.office.read<Booking>(`/bookings/${booking.id}`))).toEqual([target.id]);
    });

    it('is cancelled from the page of the child, once its cost is seen', async () => {
      const lessons = [await aLessonAt('16:00'), await aLessonAt('17:00')];
      const booking = await aBooking(...lessons);
      await open(page, `sandbox/members/${booking.member_ids[0]}`);
      await examineOpened(page, /^Cancel the lesson on .* 17:00/, 'family-cancel-a-lesson');
      const dialog = page.getByRole('dialog');
      await dialog.getByText('Free until').waitFor();
      await button(dialog, 'Cancel the lesson').click();
      await dialog.waitFor({ state: 'detached' });
      await button(page, /^Cancel the lesson on .* 17:00/).waitFor({ state: 'detached' });
      await until(async () => {
        const { sessions } = await family.office.read<Booking>(`/bookings/${booking.id}`);
        return sessions.map(({ status }) => status).join() === 'scheduled,cancelled';
      }, 'the booking follows its session');
    });
  });
});
