import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Instructor, Lesson, Member } from '@swim/contracts';
import { until } from '@swim/testing';
import type { Page } from 'playwright-core';
import {
  aGroupLesson,
  anInstructor,
  anOwner,
  aPupil,
  button,
  dragByHalfAnHour,
  lessonDay,
  lessonOf,
  type Owner,
  open,
} from '../../browser-fixtures.js';
import { examine, examineOpened } from '../../examination.js';

const HALF_HOUR_MS = 30 * 60_000;

/** Chooses a member in the form that adds one to a lesson. */
async function choose(page: Page, name: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Add a member' }).fill(name);
  await page.getByRole('option', { name: new RegExp(name) }).click();
}

describe('a lesson of several families', () => {
  let owner: Owner;
  let instructor: Instructor;
  let mia: Member;
  let noah: Member;
  beforeAll(async () => {
    owner = await anOwner();
    instructor = await anInstructor(owner.office);
    mia = await aPupil(owner.office, 'Mia');
    noah = await aPupil(owner.office, 'Noah');
  });

  const stored = ({ id }: Lesson) => owner.office.read<Lesson>(`/lessons/${id}`);

  it('is moved whole by drag, and says whose other lesson is in the way', async () => {
    const { page, office } = owner;
    const lesson = await aGroupLesson(office, instructor, [mia, noah], '08:00');
    const other = await anInstructor(office, { name: 'Lea Lane', email: 'lea@example.test' });
    await aGroupLesson(office, other, [noah], '10:00');
    await open(page, `sandbox/calendar?span=day&date=${lessonDay()}`);
    await dragByHalfAnHour(page, lessonOf(page, '2 of 6, Mia, Noah'));
    const moved = await stored(lesson);
    expect(Date.parse(moved.date) - Date.parse(lesson.date)).toBe(HALF_HOUR_MS);
    expect(moved.sessions.map(({ member_id: id }) => id).toSorted()).toEqual([mia.id, noah.id].toSorted());

    await button(page, 'Close').click();
    await page.getByRole('button', { name: /2 of 6/ }).click();
    await button(page, 'Move …').click();
    const dialog = page.getByRole('dialog');
    const time = await dialog.getByLabel('Time').inputValue();
    await dialog.getByLabel('Time').fill(`${String(Number(time.slice(0, 2)) + 1).padStart(2, '0')}:30`);
    await dialog.getByText('Noah already has a lesson at this time.').waitFor();
    expect(await button(dialog, 'Move').isDisabled()).toBe(true);
  });

  it('is made by a click on an empty hour, and takes in a child', async () => {
    const { page } = owner;
    await open(page, `sandbox/calendar?span=day&date=${lessonDay()}`);
    const row = page.locator('.timeline-row', { hasText: 'Kim Coach' }).locator('.timeline-lessons');
    const { width } = (await page.locator('.timeline-day').boundingBox())!;
    await row.click({ position: { x: width - 10, y: 20 } });
    await page.getByRole('link', { name: 'Lesson with places' }).click();
    await page.getByRole('heading', { name: 'New lesson' }).waitFor();
    expect(await page.getByLabel('Date').inputValue()).toBe(lessonDay());
    expect(await page.getByLabel('Time').inputValue()).toMatch(/^\d\d:30$/);
    await page.getByLabel('Places', { exact: true }).fill('1');
    await page.getByLabel('Price of a place (EUR)').fill('12,50');
    await page.getByLabel('Youngest age').fill('14');
    await page.getByText('This can be done.').waitFor();
    await examine(page, 'school-new-lesson');
    await button(page, 'Create the lesson').click();
    await page.getByText('Nobody yet').waitFor();

    await choose(page, 'Mia');
    await page.getByText('The child is too young for this lesson.').waitFor();
    await page.getByText('Price of the place: €12.50').waitFor();
    await button(page, 'Add to the lesson').click();
    await page.getByRole('link', { name: 'Mia' }).waitFor();
    await choose(page, 'Noah');
    await page.getByText('The lesson is full.').waitFor();
    expect(await button(page, 'Add to the lesson').isDisabled()).toBe(true);
    await examine(page, 'school-a-lesson');
  });

  it('lets a child go to another lesson with a place, or leave, and is cancelled with a reason', async () => {
    const { page, office } = owner;
    const ada = await aPupil(office, 'Ada');
    const lesson = await aGroupLesson(office, instructor, [ada], '11:00');
    const later = await aGroupLesson(office, instructor, [], '12:30');
    await open(page, `sandbox/lessons/${lesson.id}`);
    await examineOpened(page, 'Move Ada', 'move-a-child');
    await page.getByLabel('Lesson with a free place').selectOption(later.id);
    await page.getByText('This can be done.').waitFor();
    await button(page, 'Move').click();
    await page.getByText('Nobody yet').waitFor();
    expect((await stored(later)).sessions).toMatchObject([{ member_id: ada.id, status: 'scheduled' }]);

    await open(page, `sandbox/lessons/${later.id}`);
    await button(page, 'Remove Ada').click();
    await page.getByRole('dialog').getByText('Refund').waitFor();
    await button(page, 'Cancel the lesson').click();
    await page.getByText('Nobody yet').waitFor();
    expect((await stored(later)).status).toBe('scheduled');

    await examineOpened(page, 'Cancel the lesson …', 'cancel-a-lesson');
    await page.getByLabel('Reason (optional)').fill('Storm');
    await button(page, 'Cancel the lesson').click();
    await until(async () => (await stored(later)).status === 'cancelled', 'the lesson is cancelled');
  });

  it('is changed by its form, which opens with what it is', async () => {
    const { page, office } = owner;
    const lesson = await aGroupLesson(office, instructor, [], '14:00');
    await open(page, `sandbox/lessons/${lesson.id}`);
    await examineOpened(page, 'Edit', 'edit-a-lesson');
    expect(await button(page, 'Save').isDisabled()).toBe(true);
    await page.getByLabel('Places', { exact: true }).fill('4');
    await page.getByLabel('Oldest age').fill('9');
    await page.getByText('This can be done.').waitFor();
    await button(page, 'Save').click();
    await page.getByText('up to 9 years').waitFor();
    expect(await stored(lesson)).toMatchObject({ capacity: 4, max_age_years: 9, date: lesson.date });
  });
});
