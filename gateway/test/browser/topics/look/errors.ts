import { describe, expect, it } from '@jest/globals';
import { until } from '@swim/testing';
import type { Page } from 'playwright-core';
import { aLesson, anAddress, anInstructor, anOwner, button, lessonDay, open, web } from '../../browser-fixtures.js';

/** A page of a visitor who reads German. */
async function inGerman(path: string): Promise<Page> {
  const page = await web.page();
  await page.goto(`/dashboard/${path}`);
  await page.evaluate("localStorage.setItem('swim-locale', 'de')");
  await page.reload();
  return page;
}

describe('an error is in the language of the user, with the way to its explanation', () => {
  it('at the field of a form that it is about, with the bounds of the API', async () => {
    const page = await inGerman('sign-in');
    await page.goto('/dashboard/confirm#token=x');
    await page.getByLabel('Passwort').fill('kurz');
    await button(page, 'Bestätigen und anmelden').click();
    const alert = page.getByRole('alert');
    await alert.getByText('Passwort: Geben Sie mindestens 10 Zeichen ein.').waitFor();
    await page.locator('.field-error').getByText('Geben Sie mindestens 10 Zeichen ein.').waitFor();
    expect(await alert.getByRole('link', { name: 'Was das bedeutet' }).getAttribute('href')).toMatch(/#too_short$/);
    expect(await web.faultsOf(page)).toEqual([]);
    await web.pictures(page, 'errors-in-german');
  });

  it('at a sign-in, until there were too many', async () => {
    const page = await inGerman('sign-in');
    await page.getByLabel('E-Mail-Adresse').fill(anAddress());
    await page.getByLabel('Passwort').fill('falsches Passwort');
    const send = () => button(page, 'Anmelden').click();
    await send();
    await page.getByRole('alert').getByText('Die E-Mail-Adresse oder das Passwort ist falsch.').waitFor();
    await until(async () => {
      await send();
      return /Zu viele Anfragen. Versuchen Sie es in \d+ Sekunden erneut\./.test(
        (await page.getByRole('alert').textContent()) ?? '',
      );
    }, 'the address is limited');
  });

  it('at a conflict of the calendar', async () => {
    const { page, office } = await anOwner({ locale: 'de' });
    const instructor = await anInstructor(office);
    await aLesson(office, instructor, 'Mia', '09:00');
    await aLesson(office, instructor, 'Noah', '11:00');
    await open(page, `sandbox/calendar?span=day&date=${lessonDay()}`);
    await page.getByRole('button', { name: /Mia, 60 Minuten/ }).click();
    await button(page, 'Verlegen …').click();
    const dialog = page.getByRole('dialog');
    const at = await dialog.getByLabel('Uhrzeit').inputValue();
    await dialog.getByLabel('Uhrzeit').fill(`${String(Number(at.slice(0, 2)) + 2).padStart(2, '0')}:00`);
    await dialog.getByText('Die Lehrkraft ist zu dieser Zeit belegt.').waitFor();
  });
});
