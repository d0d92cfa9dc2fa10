import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Session } from '@swim/contracts';
import { until } from '@swim/testing';
import { advance } from '../../../journeys/fixtures/sandbox-clock.js';
import {
  aLesson,
  anInstructor,
  anOwner,
  button,
  dragBy,
  dragByHalfAnHour,
  lessonDay,
  lessonOf,
  type Owner,
  open,
} from '../../browser-fixtures.js';

const DAY_MS = 86_400_000;

describe('the calendar of a school', () => {
  let owner: Owner;
  let session: Session;
  let other: Session;
  beforeAll(async () => {
    owner = await anOwner();
    const instructor = await anInstructor(owner.office);
    session = await aLesson(owner.office, instructor, 'Mia', '09:00');
    other = await aLesson(owner.office, instructor, 'Noah', '11:00');
  });
  beforeEach(() => open(owner.page, `sandbox/calendar?span=day&date=${lessonDay()}`));

  const stored = () => owner.office.read<Session>(`/sessions/${session.id}`);

  it('moves a lesson by keyboard: a conflict is shown before it is kept, a suggestion taken, the move undone', async () => {
    const { page } = owner;
    await lessonOf(page, 'Mia').focus();
    await page.keyboard.press('ArrowRight');
    expect(await page.locator(':focus').getAttribute('aria-label')).toMatch(/Noah/);
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
    await button(page, 'Move …').focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    const at = await dialog.getByLabel('Time').inputValue();
    await dialog.getByLabel('Time').fill(`${String(Number(at.slice(0, 2)) + 2).padStart(2, '0')}:00`);
    await dialog.getByText('Free times nearby').waitFor();
    expect(await button(dialog, 'Move').isDisabled()).toBe(true);
    expect((await stored()).date).toBe(session.date);
    await dialog.locator('.verdict').getByRole('button').first().click();
    await dialog.getByText(/^Free: /).waitFor();
    await button(dialog, 'Move').click();
    await page.getByText('The lesson is moved.').waitFor();
    expect((await stored()).date).not.toBe(session.date);
    await button(page, 'Undo').click();
    await until(async () => (await stored()).date === session.date, 'the move is undone');
  });

  it('shows a move that another client makes, without a reload', async () => {
    const { page, office } = owner;
    await page.getByText('Updates by itself').waitFor();
    const before = await lessonOf(page, 'Noah').getAttribute('aria-label');
    await office.patch(`/sessions/${other.id}`, { date: `${lessonDay()}T14:00:00Z` });
    await until(
      async () => (await lessonOf(page, 'Noah').getAttribute('aria-label')) !== before,
      'the lesson is at another time',
    );
  });

  it('drags a lesson by half an hour', async () => {
    await dragByHalfAnHour(owner.page, lessonOf(owner.page, 'Mia'));
    expect((await stored()).date).toBe(new Date(Date.parse(session.date) + 30 * 60_000).toISOString());
  });

  it('drags a lesson of a week to the list of another day, where it keeps its time', async () => {
    const { page, office } = owner;
    const lesson = await aLesson(office, await anInstructor(office, { email: 'zoe@example.test' }), 'Zoe', '15:00');
    await open(page, `sandbox/calendar?span=week&date=${lessonDay()}`);
    const { width } = (await page.locator('.timeline-day').first().boundingBox())!;
    const isSunday = new Date(lesson.date).getUTCDay() === 0;
    await dragBy(page, lessonOf(page, 'Zoe'), isSunday ? -width : width);
    const { date } = await office.read<Session>(`/sessions/${lesson.id}`);
    expect(Date.parse(date) - Date.parse(lesson.date)).toBe(isSunday ? -DAY_MS : DAY_MS);
  });

  it('cancels a lesson, with what that costs', async () => {
    const { page } = owner;
    await lessonOf(page, 'Mia').click();
    await button(page, 'Cancel …').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Refund').waitFor();
    await button(dialog, 'Cancel the lesson').click();
    await page.getByRole('button', { name: /Mia, .*Cancelled/ }).waitFor();
  });

  it('offers what can be done by the clock of the sandbox, and leads from a lesson to the progress of its member', async () => {
    const { page, office } = await anOwner();
    const lesson = await aLesson(office, await anInstructor(office), 'Mia', '09:00');
    const during = new Date(Date.parse(lesson.date) + 10 * 60_000).toISOString();
    await advance(office, during);
    await open(page, `sandbox/calendar?span=day&date=${lessonDay()}`);
    await lessonOf(page, 'Mia').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Attendance').selectOption('attended');
    expect(await button(dialog, 'Move …').count()).toBe(0);
    await until(
      async () => (await office.read<Session>(`/sessions/${lesson.id}`)).attendance === 'attended',
      'the attendance is recorded',
    );
    await dialog.getByRole('link', { name: 'Mia' }).click();
    await page.getByRole('heading', { name: 'Mia', level: 1 }).waitFor();
    await page.locator('.skill .checkbox').first().click();
    await page
      .getByText(/^Recorded: |recorded/i)
      .first()
      .waitFor();
    await button(page, 'Undo').click();
    await button(page, 'Undo').waitFor({ state: 'detached' });
  });

  it('leads from an empty week of the live environment to the instructors', async () => {
    const { page } = owner;
    await open(page, 'live/calendar');
    await page.getByText('No instructors yet').waitFor();
    await page.getByRole('link', { name: 'Go to the instructors' }).click();
    await button(page, 'Add instructor').first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Lea Live');
    await dialog.getByLabel('E-mail').fill('lea@example.test');
    await dialog.getByLabel('Hourly rate (EUR)').fill('50');
    await button(dialog, 'Add instructor').click();
    await page.getByRole('heading', { name: 'Lea Live', level: 1 }).waitFor();
    await open(page, 'live/calendar');
    await page.getByText('Lea Live').waitFor();
  });

  it('leads from lanes that are missing to the pools, whose lanes are its rows then', async () => {
    const { page } = owner;
    await open(page, 'live/calendar?rows=lanes');
    await page.getByText('No pools yet').waitFor();
    await page.getByRole('link', { name: 'Go to the pools' }).click();
    await page.getByText('No pools yet').waitFor();
    await button(page, 'Add pool').first().click();
    const dialog = page.getByRole('dialog');
    for (const [label, text] of [
      ['Pool', 'Old Baths'],
      ['Lanes', '2'],
      ['Address', 'Uferweg 1'],
      ['Latitude', '52.5'],
      ['Longitude', '200'],
    ] as const)
      await dialog.getByLabel(label, { exact: true }).fill(text);
    await dialog.getByText('Enter degrees from −180 to 180.').waitFor();
    expect(await button(dialog, 'Save').isDisabled()).toBe(true);
    await dialog.getByLabel('Longitude', { exact: true }).fill('13,4');
    await button(dialog, 'Save').click();
    await dialog.waitFor({ state: 'detached' });
    await button(page, 'Edit “Old Baths”').click();
    await dialog.getByLabel('Lanes', { exact: true }).fill('3');
    await button(dialog, 'Save').click();
    await dialog.waitFor({ state: 'detached' });
    await open(page, 'live/calendar?rows=lanes');
    await page.getByText('Lane 3').waitFor();
  });
});
