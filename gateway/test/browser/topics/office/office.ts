import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Instructor, Member } from '@swim/contracts';
import { anInstructor, anOwner, aPupil, button, type Owner, open } from '../../browser-fixtures.js';
import { examine } from '../../examination.js';

describe('the office of a school', () => {
  let owner: Owner;
  let instructor: Instructor;
  let member: Member;
  beforeAll(async () => {
    owner = await anOwner();
    instructor = await anInstructor(owner.office);
    member = await aPupil(owner.office, 'Mia Wave');
  });

  const storedInstructor = () => owner.office.read<Instructor>(`/instructors/${instructor.id}`);

  it("edits an instructor's profile", async () => {
    const { page } = owner;
    await open(page, `sandbox/instructors/${instructor.id}`);
    await button(page, 'Edit the profile').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('E-mail').fill('kim.coach@example.test');
    await dialog.getByLabel('About').fill('Teaches since 2012.');
    await dialog.getByLabel('Languages').fill('de, en');
    await dialog.getByText('Advanced beginner').click();
    await button(dialog, 'Save').click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Teaches since 2012.').waitFor();
    expect(await storedInstructor()).toMatchObject({
      email: 'kim.coach@example.test',
      bio: 'Teaches since 2012.',
      languages: ['de', 'en'],
      levels_taught: ['advanced_beginner'],
    });
  });

  it('publishes the hours of a rectangle that the mouse is dragged over, less those taken out by the keyboard', async () => {
    const { page } = owner;
    await open(page, `sandbox/instructors/${instructor.id}`);
    const cell = (name: string) => page.getByRole('gridcell', { name, exact: true });
    await cell('Tue 19:00').hover();
    await page.mouse.down();
    await cell('Thu 18:00').hover();
    await page.mouse.up();
    for (const key of ['ArrowRight', 'ArrowUp', 'Space']) await page.keyboard.press(key);
    await button(page, 'Publish hours').click();
    await page.getByText('Not published yet.').waitFor({ state: 'detached' });
    const { availability_schedule: schedule } = await storedInstructor();
    const evening = schedule.weekly.filter(({ end }) => end > '18:00');
    expect(evening).toEqual([
      { day: 'tue', start: '18:00', end: '19:30' },
      { day: 'wed', start: '18:00', end: '18:30' },
      { day: 'wed', start: '19:00', end: '19:30' },
      { day: 'thu', start: '18:00', end: '19:30' },
    ]);
  });

  it('cannot save an emptied number, and changes nothing by that', async () => {
    const { page } = owner;
    const before = await storedInstructor();
    await open(page, `sandbox/instructors/${instructor.id}`);
    await page.getByLabel('Minutes kept free before a lesson').fill('');
    await page.getByText('Enter a whole number, such as 24.').waitFor();
    expect(await button(page, 'Save').isDisabled()).toBe(true);
    expect(await storedInstructor()).toEqual(before);
  });

  it('erases a member once the name is typed', async () => {
    const { page, office } = owner;
    await open(page, `sandbox/members/${member.id}`);
    await button(page, 'Erase the member …').click();
    const dialog = page.getByRole('dialog');
    expect(await button(dialog, 'Erase the member').isDisabled()).toBe(true);
    await dialog.getByLabel('Type the name to confirm').fill('Mia Wave');
    await button(dialog, 'Erase the member').click();
    await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor();
    expect((await office.get(`/members/${member.id}`)).status).toBe(404);
  });
});

describe('the checklist of a new school', () => {
  it('leads from nothing to an instructor whom families can book, and is gone once it is hidden', async () => {
    const { page } = await anOwner();
    const next = async (step: string, done: number) => {
      await open(page, 'live/calendar');
      await page.getByText(`${done} of 7 done`).waitFor();
      await page.getByRole('link', { name: step }).click();
    };
    const dialog = page.getByRole('dialog');
    const fill = async (fields: Readonly<Record<string, string>>) => {
      for (const [label, text] of Object.entries(fields))
        await dialog.getByRole('textbox', { name: label, exact: true }).fill(text);
    };
    await next('Add a pool', 0);
    await button(page, 'Add pool').first().click();
    await fill({ Pool: 'Old Baths', Lanes: '2', Address: 'Uferweg 1', Latitude: '52.5, 13.4' });
    await button(dialog, 'Save').click();
    await page.getByRole('cell', { name: 'Uferweg 1' }).waitFor();
    await next('Add an instructor', 1);
    await button(page, 'Add instructor').first().click();
    await fill({ Name: 'Lea Live', 'E-mail': 'lea@example.test', 'Hourly rate (EUR)': '50' });
    expect(await dialog.getByRole('checkbox', { name: 'Old Baths' }).isChecked()).toBe(true);
    await button(dialog, 'Add instructor').click();
    await page.getByRole('heading', { name: 'Lea Live', level: 1 }).waitFor();
    await page.getByText('Old Baths').waitFor();
    await next('Publish hours and instructor', 2);
    await page.getByRole('gridcell', { name: 'Mon 14:00', exact: true }).click();
    await button(page, 'Publish hours').click();
    await page.getByText('The hours are published.').waitFor();
    await next('Publish hours and instructor', 2);
    await examine(page, 'school-draft-instructor');
    await button(page, 'Publish the instructor').click();
    await page.getByText('Nobody can book this instructor.').waitFor({ state: 'detached' });
    await next('Check prices and policies', 3);
    await page.getByRole('heading', { name: 'Policies', level: 1 }).waitFor();
    await open(page, 'live/calendar');
    await page.getByText('4 of 7 done').waitFor();
    await examine(page, 'school-setup');
    await button(page, 'Hide').click();
    await page.getByText('of 7 done').waitFor({ state: 'detached' });
    await open(page, 'live/calendar');
    await page.getByText('Lea Live').waitFor();
    expect(await page.getByText('of 7 done').count()).toBe(0);
  });
});
