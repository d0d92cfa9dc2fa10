import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { aColleague, anOwner, type Owner, open, web } from '../../browser-fixtures.js';

const PHONE = { width: 390, height: 844 };
const NOTE = 'Test data. Nothing here is real.';

/** Where a browser that has been nowhere in the dashboard comes to. */
async function landing(page: Page): Promise<string> {
  await open(page, '');
  return new URL(page.url()).pathname;
}

describe('a user without a page in mind', () => {
  let owner: Owner;
  beforeAll(async () => {
    owner = await anOwner();
  });

  it('comes to the live environment in the office of a school, without a word about the sandbox', async () => {
    for (const { page } of [owner, await aColleague(owner, 'viewer')]) {
      expect(await landing(page)).toBe('/dashboard/live/calendar');
      expect(await page.getByText(NOTE).count()).toBe(0);
    }
  });

  it('comes to the live environment in a family', async () => {
    const { page } = await anOwner({ kind: 'family', account_name: 'Family Wave', name: 'Paul Wave' });
    expect(await landing(page)).toBe('/dashboard/live/home');
  });

  it('comes to the sandbox as a developer, and later to where they were last', async () => {
    const { page } = await aColleague(owner, 'developer');
    expect(await landing(page)).toBe('/dashboard/sandbox/calendar');
    await open(page, 'live/bookings');
    expect(await landing(page)).toBe('/dashboard/live/calendar');
  });
});

describe('the sandbox', () => {
  it.each(['en', 'de', 'es', 'fr'])(
    'says on a phone what it is, and the live environment does not: %s',
    async (locale) => {
      const { page } = await anOwner({ locale });
      await page.setViewportSize(PHONE);
      await open(page, 'sandbox/bookings');
      const note = page.locator('.sandbox-note');
      await note.waitFor();
      const { x, width } = (await note.boundingBox())!;
      expect(x >= 0 && x + width <= PHONE.width).toBe(true);
      const isWhole = `(() => { const note = document.querySelector('.sandbox-note');
      return note.scrollWidth <= note.clientWidth && note.scrollHeight <= note.clientHeight; })()`;
      expect(await page.evaluate(isWhole)).toBe(true);
      expect(await web.faultsOf(page)).toEqual([]);
      await web.pictures(page, `sandbox-note-${locale}`);
      await page.setViewportSize(PHONE);
      await open(page, 'live/bookings');
      expect(await note.count()).toBe(0);
    },
  );
});
