import { beforeAll, describe, expect, it } from '@jest/globals';
import { anInstructor, anOwner, aPupil, button, type Owner, open, web } from '../../browser-fixtures.js';

describe('what is typed and not saved', () => {
  let owner: Owner;
  let path: string;
  beforeAll(async () => {
    owner = await anOwner();
    path = `sandbox/instructors/${(await anInstructor(owner.office)).id}`;
    await aPupil(owner.office, 'Mia Wave');
    await aPupil(owner.office, 'Noah Brook');
  });

  /** Expects so many questions since the last ones; the browser of the tests answers each with no. */
  const expectAsked = (times: number) =>
    expect(web.complaints.splice(0)).toEqual(
      Array(times).fill('You have changes that are not saved. Leave without them?'),
    );
  const leave = () => owner.page.getByRole('link', { name: 'Waitlist' }).click();

  it('in the hours of an instructor is not left without a question, by a link or the way back', async () => {
    const { page } = owner;
    await open(page, 'sandbox/instructors');
    await page.locator(`a[href$="${path}"]`).click();
    await page.getByRole('gridcell', { name: 'Tue 09:00', exact: true }).click();
    await page.getByText('Not published yet.').waitFor();
    await leave();
    await page.evaluate('history.back()');
    await page.getByText('Not published yet.').waitFor();
    expect(page.url()).toContain(path);
    expectAsked(2);
    await button(page, 'Discard changes').click();
    await leave();
    await page.getByRole('heading', { name: 'Waitlist', level: 1 }).waitFor();
  });

  it('in a form is not left without a question, and after it is sent without one', async () => {
    const { page } = owner;
    await open(page, path);
    const size = page.getByLabel('Group size, at most');
    await size.fill('3');
    await leave();
    expect(await size.inputValue()).toBe('3');
    expectAsked(1);
    await page.locator('form').filter({ has: size }).getByRole('button', { name: 'Save' }).click();
    await leave();
    await page.getByRole('heading', { name: 'Waitlist', level: 1 }).waitFor();
  });

  it('in a dialog stays when a click goes beside it', async () => {
    const { page } = owner;
    await open(page, 'sandbox/instructors');
    await button(page, 'Add instructor').first().click();
    const name = page.getByRole('dialog').getByLabel('Name');
    await name.fill('Lou Lane');
    await page.mouse.click(5, 400);
    expect(await name.inputValue()).toBe('Lou Lane');
    await button(page.getByRole('dialog'), 'Cancel').click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('offers nobody of an earlier search while a later one is read', async () => {
    const { page } = owner;
    await open(page, 'sandbox/bookings/new');
    const field = page.getByRole('combobox', { name: 'Add a member' });
    await field.fill('mia');
    await page.getByRole('option', { name: 'Mia Wave' }).waitFor();
    await page.route(/search=noah/, () => undefined);
    await field.fill('noah');
    await page.getByRole('option', { name: 'Mia Wave' }).waitFor({ state: 'detached' });
    await page.getByRole('listbox').getByText('Loading').waitFor();
    await page.unroute(/search=noah/);
  });

  it('says that the browser is offline, and goes on by itself', async () => {
    const { page } = owner;
    await open(page, 'sandbox/members');
    await page.context().setOffline(true);
    await page.getByText('You are offline.').waitFor();
    await page.getByRole('searchbox').first().fill('noah');
    await page.context().setOffline(false);
    await page.getByText('You are offline.').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Mia Wave' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Noah Brook' }).waitFor();
  });
});
