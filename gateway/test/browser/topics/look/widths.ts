import { beforeAll, describe, expect, it } from '@jest/globals';
import { anOwner, type Owner, open, web } from '../../browser-fixtures.js';

const PHONE = { width: 390, height: 844 };
const LARGE = { width: 2560, height: 1440 };

describe('a page', () => {
  let owner: Owner;
  beforeAll(async () => {
    owner = await anOwner({ locale: 'de' });
  });

  it.each(['bookings', 'developers/keys', 'settings/activity'])(
    'is in the middle of a large screen, and uses most of it: %s',
    async (path) => {
      const { page } = owner;
      await page.setViewportSize(LARGE);
      await open(page, `sandbox/${path}`);
      const main = (await page.locator('#main').boundingBox())!;
      const content = (await page.locator('.page').boundingBox())!;
      const [left, right] = [content.x - main.x, main.x + main.width - content.x - content.width];
      expect(Math.abs(left - right)).toBeLessThanOrEqual(1);
      expect(content.width / main.width).toBeGreaterThan(0.65);
    },
  );

  it('shows each tab of the settings whole on a phone, also in German', async () => {
    const { page } = owner;
    await page.setViewportSize(PHONE);
    await open(page, 'sandbox/settings');
    const tabs = await page.locator('.tabs a').all();
    expect(tabs).toHaveLength(6);
    for (const tab of tabs) {
      const { x, width } = (await tab.boundingBox())!;
      expect([await tab.textContent(), x >= 0 && x + width <= PHONE.width]).toEqual([await tab.textContent(), true]);
    }
    await web.pictures(page, 'settings-de');
  });

  it('has a table without columns that are empty in each row', async () => {
    const { page } = owner;
    await page.setViewportSize({ width: 1280, height: 860 });
    await open(page, 'sandbox/settings/activity');
    await page.locator('tbody tr').first().waitFor();
    const titles = page.locator('thead th');
    for (const [index] of (await titles.all()).entries()) {
      const texts = await page.locator(`tbody td:nth-child(${index + 1})`).allTextContents();
      expect([await titles.nth(index).textContent(), texts.some((text) => text.trim() !== '')]).toEqual([
        await titles.nth(index).textContent(),
        true,
      ]);
    }
    await web.pictures(page, 'settings-activity-de');
  });
});
