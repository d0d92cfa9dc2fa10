import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Member, WaitlistEntry } from '@swim/contracts';
import { until } from '@swim/testing';
import { anInstructor, anOwner, aPupil, button, connect, lessonDay, type Owner, open } from '../../browser-fixtures.js';
import { examine } from '../../examination.js';

const DAY_MS = 86_400_000;

describe('the choice of a member among many', () => {
  let owner: Owner;
  let noah: Member;
  beforeAll(async () => {
    owner = await anOwner();
    const { office } = owner;
    const instructor = await anInstructor(office);
    const mia = await aPupil(office, 'Mia Wave');
    noah = await aPupil(office, 'Noah Brook');
    for (const [member, time] of [
      [mia, '09:00'],
      [noah, '11:00'],
    ] as const)
      await office.make('/bookings', {
        instructor_id: instructor.id,
        member_ids: [member.id],
        sessions: [{ date: `${lessonDay()}T${time}:00Z`, duration_minutes: 60 }],
      });
    await open(owner.page, 'sandbox/bookings');
  });

  const field = () => owner.page.getByRole('combobox', { name: 'Member' });
  const rows = () => owner.page.locator('tbody tr');

  it('is searched and made by keyboard, and is in the address', async () => {
    const { page } = owner;
    await rows().nth(1).waitFor();
    await field().focus();
    await page.keyboard.type('noah');
    await page.getByRole('option', { name: 'Mia Wave' }).waitFor({ state: 'detached' });
    await page.getByRole('option', { name: 'Noah Brook' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(new RegExp(`member=${noah.id}`));
    await rows().nth(1).waitFor({ state: 'detached' });
    expect(await rows().count()).toBe(1);
    expect(await field().inputValue()).toBe('Noah Brook');
  });

  it('has the name of the member again when the page of its address is opened', async () => {
    const { page } = owner;
    await page.reload();
    await until(async () => (await field().inputValue()) === 'Noah Brook', 'the name is there');
    expect(await rows().count()).toBe(1);
  });

  it('stays as it is when the search is left by Escape', async () => {
    const { page } = owner;
    await field().fill('zzz');
    await field().press('Escape');
    await field().press('Tab');
    await until(async () => (await field().inputValue()) === 'Noah Brook', 'the name is there');
    expect(page.url()).toContain(noah.id);
  });

  it('is removed with its text', async () => {
    const { page } = owner;
    await field().fill('');
    await field().press('Tab');
    await page.waitForURL((url) => !url.searchParams.has('member'));
    await rows().nth(1).waitFor();
    expect(await field().inputValue()).toBe('');
  });
});

describe('the days in which a family waits', () => {
  it('are those of the instructor, whose zone is named', async () => {
    const school = await anOwner();
    const instructor = await anInstructor(school.office, { timezone: 'Pacific/Kiritimati' });
    const { page, office } = await anOwner({ kind: 'family', account_name: 'Family Wave', name: 'Paul Wave' });
    await aPupil(office, 'Mia Wave');
    await connect(office, school.office);
    await open(page, 'sandbox/waitlist');
    await button(page, 'Join the waitlist').first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Child' }).fill('mia');
    await page.getByRole('option', { name: 'Mia Wave' }).click();
    await dialog.getByLabel('Instructor').selectOption(instructor.id);
    await dialog.getByText('Pacific/Kiritimati').waitFor();
    await dialog.getByLabel('From').fill(lessonDay());
    await dialog.getByRole('textbox', { name: 'To', exact: true }).fill(lessonDay());
    await examine(page, 'dialog-join-the-waitlist-elsewhere');
    await button(dialog, 'Join the waitlist').click();
    await dialog.waitFor({ state: 'detached' });
    const [entry] = await office.read<WaitlistEntry[]>('/waitlist');
    const from = Date.parse(`${lessonDay()}T00:00:00+14:00`);
    expect([entry!.date_from, entry!.date_to]).toEqual([from, from + DAY_MS].map((ms) => new Date(ms).toISOString()));
  });
});
