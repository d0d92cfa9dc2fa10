import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { button, open, web } from './browser-fixtures.js';

const PHONE = { width: 390, height: 844 };
const LAPTOP = { width: 1280, height: 860 };

/** The width in pixels that a page would need to show all without scrolling. */
export const widthOf = (page: Page) => page.evaluate<number>('document.documentElement.scrollWidth');

/** Dialogs that scroll sideways, each by how many pixels. */
const DIALOGS_TOO_WIDE = `[...document.querySelectorAll('[role=dialog]')]
  .map((dialog) => dialog.scrollWidth - dialog.clientWidth)
  .filter((pixels) => pixels > 0)`;

/**
 * Expects that axe finds nothing on a page in either theme, and that neither the page nor a dialog is wider than a phone; keeps
 * pictures of it.
 */
export async function examine(page: Page, name: string): Promise<void> {
  expect(await web.faultsOf(page)).toEqual([]);
  await page.setViewportSize(PHONE);
  expect(await widthOf(page)).toBeLessThanOrEqual(PHONE.width);
  expect(await page.evaluate<number[]>(DIALOGS_TOO_WIDE)).toEqual([]);
  await page.setViewportSize(LAPTOP);
  await web.pictures(page, name);
}

/** Opens a dialog by a button of the page, and examines it. */
export async function examineOpened(page: Page, opener: string | RegExp, picture: string): Promise<void> {
  await button(page, opener).first().click();
  await page.getByRole('dialog').waitFor();
  await examine(page, `dialog-${picture}`);
}

/** Opens a dialog of a page in the sandbox by a button, and examines it. */
export async function examineDialog(page: Page, path: string, opener: string | RegExp, picture: string): Promise<void> {
  await open(page, `sandbox/${path}`);
  await examineOpened(page, opener, picture);
}
