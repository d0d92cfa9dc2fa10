import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Booking, Connection, Instructor, Member } from '@swim/contracts';
import { until } from '@swim/testing';
import {
  anAddress,
  anInstructor,
  anOwner,
  aPupil,
  button,
  lessonDay,
  mailbox,
  type Owner,
  open,
  PASSWORD,
  web,
} from '../../browser-fixtures.js';
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
    const other = await school.office.make<{ account_id: string }>('/families', {
      ...{ name: 'The Lees', email: 'lees@example.test', members },
    });
    await open(page, `sandbox/families/${other.account_id}`);
    await button(page, 'End the connection …').click();
    await button(dialog, 'End the connection').click();
    await page.waitForURL('**/sandbox/families');
  });

  it('are made by a form, invited, and claim their account by the link of the mail', async () => {
    const { page } = school;
    const email = anAddress();
    await open(page, 'live/families');
    await page.getByRole('link', { name: 'New family' }).first().click();
    await page.getByLabel('Name of the family').fill('The Kims');
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Name', { exact: true }).fill('Kim');
    await page.getByLabel('Date of birth').fill('2017-05-04');
    await button(page, 'Add a member').click();
    await page.getByLabel('Name', { exact: true }).nth(1).fill('Kai');
    await page.getByLabel('Date of birth').nth(1).fill('2019-05-04');
    await examine(page, 'school-new-family');
    await button(page, 'Create family').click();
    await page.getByRole('heading', { name: 'The Kims', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Kai', exact: true }).waitFor();
    await button(page, 'Invite: The Kims').click();
    await page.getByText(/^Sent .*valid until/).waitFor();
    await examine(page, 'school-a-family');
    const visitor = await web.page();
    await visitor.goto(`/dashboard/accept-invitation#token=${await mailbox.tokenTo(email)}`);
    await visitor.getByLabel('Your name').fill('Paul Kim');
    await visitor.getByLabel('Password').fill(PASSWORD);
    await examine(visitor, 'visitor-claim');
    await button(visitor, 'Accept the invitation').click();
    await visitor.getByRole('heading', { name: 'The Kims', level: 1 }).waitFor();
    await open(page, 'live/calendar');
    await page.getByText('1 of 7 done').waitFor();
    await examine(page, 'school-to-set-up');
    await page.getByRole('link', { name: 'Families', exact: true }).click();
    await page.getByRole('link', { name: 'The Kims' }).click();
    await page.getByText('Claimed', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: /^Invite/ }).count()).toBe(0);
  });
});
