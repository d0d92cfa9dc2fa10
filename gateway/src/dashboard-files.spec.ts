import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DashboardFiles } from './dashboard-files.js';

const HTML = '<!doctype html><html><head><title>Swim</title></head></html>';
const CARD = '/dashboard/live/card';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dashboard-files-'));
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'index.html'), HTML);
});
afterAll(() => rm(folder, { recursive: true }));

/** The text and the policy of a page. */
async function served(path: string, publishableKey?: string) {
  const files = await DashboardFiles.read({ folder, publishableKey });
  const { body, headers } = files.find(path)!.document.representation({});
  return [body!.toString(), headers[headers.indexOf('Content-Security-Policy') + 1]!] as const;
}

it('lets Stripe’s script run at the page of cards, with the key by which Stripe knows whose cards it stores', async () => {
  const [text, policy] = await served(CARD, 'pk_test_of_the_pool');
  expect(text).toContain('<head><meta name="stripe-publishable-key" content="pk_test_of_the_pool" />');
  expect(policy).toContain("script-src 'self' https://js.stripe.com https://*.js.stripe.com; style-src 'self';");
  expect(policy).toContain("connect-src 'self' https://api.stripe.com;");
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'; base-uri 'none'");
  expect(policy).not.toMatch(/unsafe/);
});

it.each([
  ['another page', '/dashboard/live/payment-methods', 'pk_test_of_the_pool'],
  ['that page in the sandbox', '/dashboard/sandbox/card', 'pk_test_of_the_pool'],
  ['that page where no key is set', CARD, undefined],
])('lets nothing from elsewhere run at %s', async (_, path, key) => {
  const [text, policy] = await served(path, key);
  expect([text, policy]).toEqual([HTML, expect.not.stringContaining('https:')]);
});
