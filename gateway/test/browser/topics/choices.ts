import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Member } from '@swim/contracts';
import { until } from '@swim/testing';
import { anInstructor, anOwner, aPupil, lessonDay, type Owner, open } from '../browser-fixtures.js';

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
