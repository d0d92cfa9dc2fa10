import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Booking, Connection, Instructor, Member } from '@swim/contracts';
import { until } from '@swim/testing';
import { anInstructor, anOwner, aPupil, button, lessonDay, type Owner, open } from '../../browser-fixtures.js';
import { examine, examineOpened } from '../../examination.js';

describe('the families of a school', () => {
  let school: Owner;
  let family: Owner;
  let instructor: Instructor;
  let children: Member[];
  const book = (time: string, ...members: Member[]) =>
    family.office.post<Booking>('/bookings', {
      instructor_id: instructor.id,
      member_ids: members.map(({ id }) => id),
      sessions: [{ date: `${lessonDay()}T${time}:00Z`, duration_minutes: 30 }],
    });
  const connection = async () => (await school.office.read<Connection[]>('/connections'))[0]!;

  beforeAll(async () => {
    school = await anOwner();
    family = await anOwner({ kind: 'family', account_name: 'Family Wave', name: 'Paul Wave' });
    instructor = await anInstructor(school.office, { max_group_size: 4 });
    children = [await aPupil(family.office, 'Ava Wave'), await aPupil(family.office, 'Ben Wave')];
    await book('09:00', ...children);
  });

  it('are those that have booked, until the family leaves a child out', async () => {
    await open(school.page, 'sandbox/families');
    await school.page.getByRole('link', { name: 'Ava Wave' }).waitFor();
    await examine(school.page, 'school-families');
    const { page } = family;
    await open(page, 'sandbox/schools');
    await examine(page, 'family-schools');
    await examineOpened(page, /^Choose the children: /, 'family-children-of-a-school');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Ben Wave').click();
    await dialog.getByText('Lessons to come of a child that you remove are cancelled, with the usual fees.').waitFor();
    await button(dialog, 'Save').click();
    await until(async () => (await connection()).member_ids.length === 1, 'a child is left out');
    await open(school.page, 'sandbox/families');
    await school.page.getByRole('link', { name: 'Ava Wave' }).waitFor();
    expect(await school.page.getByText('Ben Wave').count()).toBe(0);
  });

  it('end by the school, which reopens what it has ended', async () => {
    const { page } = school;
    await open(page, 'sandbox/families');
    await examineOpened(page, 'End the connection: Family Wave', 'school-end-a-connection');
    await button(page.getByRole('dialog'), 'End the connection').click();
    await page.getByText('No families here').waitFor();
    expect((await book('10:00', children[0]!)).status).toBe(409);
    await page.getByLabel('State').selectOption('ended');
    await page.getByText('Ended by the school').waitFor();
    await page.getByText(family.office.id).waitFor();
    expect(await page.getByLabel('Name or e-mail').count()).toBe(0);
    await examine(page, 'school-ended-families');
    await button(page, /^Reopen the connection: /).click();
    await until(async () => (await connection()).status === 'active', 'the connection is reopened');
    expect((await book('10:00', children[0]!)).status).toBe(201);
  });

  it('are erased with their connection where nobody has claimed them, as the school is warned', async () => {
    const { page } = school;
    const members = [{ name: 'Kim', date_of_birth: '2017-05-04' }];
    await school.office.make('/families', { name: 'The Kims', email: 'kims@example.test', members });
    await open(page, 'sandbox/families');
    await examineOpened(page, 'End the connection: The Kims', 'school-erase-a-family');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('erases the account and its members').waitFor();
    await button(dialog, 'End the connection').click();
    await page.locator('tr', { hasText: 'The Kims' }).waitFor({ state: 'detached' });
  });
});
