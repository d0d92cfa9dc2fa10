import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Instructor, Lesson, Member } from '@swim/contracts';
import { until } from '@swim/testing';
import type { Locator } from 'playwright-core';
import { advance } from '../../../journeys/fixtures/sandbox-clock.js';
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

const PHONE = { width: 390, height: 844 };
const NAMES = ['Ada', 'Ben', 'Cleo', 'Dan', 'Eva', 'Finn', 'Gus', 'Ivy'];
const MOST_TAPS = 10;

describe('the roll of a lesson on a phone', () => {
  let owner: Owner;
  let instructor: Instructor;
  let pupils: Member[];
  let lesson: Lesson;
  beforeAll(async () => {
    owner = await anOwner();
    const { office } = owner;
    instructor = await anInstructor(office);
    await anInstructor(office, { name: 'Lea Lane', email: 'lea@example.test' });
    pupils = await Promise.all(NAMES.map((name) => aPupil(office, name)));
    await office.patch(`/members/${pupils[4]!.id}`, { medical_notes: 'Asthma: the inhaler is in the blue bag.' });
    lesson = await aGroupLesson(office, instructor, pupils, '09:00');
    await aGroupLesson(office, instructor, [pupils[0]!], '11:00');
    await advance(office, `${lessonDay()}T09:02:00Z`);
    await owner.page.setViewportSize(PHONE);
    await open(owner.page, 'sandbox/today');
    await owner.page.getByLabel('Instructor').selectOption(instructor.id);
  });

  const child = (name: string): Locator => owner.page.getByRole('button', { name: new RegExp(`^${name}`) }).first();
  const attendanceOf = async (name: string) => {
    const { sessions } = await owner.office.read<Lesson>(`/lessons/${lesson.id}`);
    const { id } = pupils[NAMES.indexOf(name)]!;
    return sessions.find(({ member_id: member }) => member === id)?.attendance;
  };
  const becomes = (name: string, attendance: string) =>
    until(async () => (await attendanceOf(name)) === attendance, `${name} is recorded as ${attendance}`);

  it('is called with at most ten taps for eight children, and shows medical notes without any', async () => {
    const { page } = owner;
    await child('Eva').waitFor();
    expect(await page.getByText('Asthma: the inhaler is in the blue bag.').isVisible()).toBe(true);
    expect(await page.locator('.roll-child[data-attendance=pending] .badge-warning').count()).toBe(NAMES.length);
    let taps = 0;
    const tap = async (target: Locator) => {
      taps += 1;
      await target.click();
    };
    await tap(button(page, 'All present').first());
    await tap(child('Ben'));
    await tap(child('Gus'));
    await tap(child('Gus'));
    await Promise.all([becomes('Ada', 'attended'), becomes('Ben', 'no_show'), becomes('Gus', 'excused')]);
    expect(taps).toBeLessThanOrEqual(MOST_TAPS);
    await page.getByText('Not sent yet').first().waitFor({ state: 'detached' });
    await examine(page, 'school-today');
    await page.setViewportSize(PHONE);
  });

  it('keeps what is noted without a connection, in sight, and sends it once there is one', async () => {
    const { page } = owner;
    await page.context().setOffline(true);
    await child('Finn').click();
    await page.getByText('Not sent yet: 1').waitFor();
    expect(await child('Finn').textContent()).toContain('No-show');
    expect(await attendanceOf('Finn')).toBe('attended');
    await page.context().setOffline(false);
    await becomes('Finn', 'no_show');
    await page.getByText('Not sent yet: 1').waitFor({ state: 'detached' });
  });

  it('remembers the instructor, and waits for the beginning of a lesson', async () => {
    const { page } = owner;
    await open(page, 'sandbox/today');
    await child('Ada').waitFor();
    expect(await page.getByLabel('Instructor').inputValue()).toBe(instructor.id);
    await page.getByText('Attendance can be recorded once the lesson has begun.').waitFor();
    expect(await page.getByRole('button', { name: /^Ada/ }).nth(1).isDisabled()).toBe(true);
    expect(await child('Ada').isDisabled()).toBe(false);
  });
});
