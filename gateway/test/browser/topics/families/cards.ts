import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { anOwner, button, type Owner, open, stack } from '../../browser-fixtures.js';
import { examine } from '../../examination.js';

const CARD = '4242424242424242';

/** What Stripe's script promises, at Stripe's address: its fields are a frame of Stripe, and it answers the token of a set-up card. */
const SCRIPT = `window.Stripe = (key) => ({
  registerAppInfo() {}, _registerWrapper() {},
  elements: (options) => ({
    create: (kind) => {
      const frame = document.createElement('iframe');
      Object.assign(frame, { src: 'https://js.stripe.com/fields.html', title: 'Secure ' + kind + ' input frame' });
      return { mount: (box) => box.append(frame), destroy: () => frame.remove() };
    },
    submit: async () => ({}),
    clientSecret: options.clientSecret,
  }),
  confirmSetup: async ({ elements, redirect }) =>
    redirect === 'if_required'
      ? { setupIntent: { payment_method: 'pm_1Of' + elements.clientSecret + key.slice(0, 2) } }
      : { error: { message: 'This page is left.' } },
});
window.Stripe.version = 'endive';`;
const FIELDS = '<!doctype html><html lang="en"><title>Card</title><label>Card number <input></label></html>';

/** Answers in the place of Stripe, and keeps what the browser sends to the product. */
async function withStripe(page: Page): Promise<string[]> {
  const sent: string[] = [];
  await page.route('https://js.stripe.com/**', (route) => {
    const isScript = route.request().url().includes('/stripe.js');
    return route.fulfill({
      contentType: isScript ? 'text/javascript' : 'text/html',
      body: isScript ? SCRIPT : FIELDS,
    });
  });
  // The processor of these tests is away.
  await page.route('**/payment-methods/setup', (route) =>
    route.fulfill({
      status: 201,
      json: {
        success: true,
        data: { client_secret: 'seti' },
        meta: { timestamp: new Date(), request_id: 'req_setup' },
      },
    }),
  );
  page.on('request', (request) => sent.push(`${request.method()} ${request.url()} ${request.postData() ?? ''}`));
  return sent;
}

describe('a family that adds a card', () => {
  let family: Owner;
  beforeAll(async () => {
    family = await anOwner({ kind: 'family', account_name: 'Family Wave', name: 'Paul Wave' });
  });

  it('chooses a test card by its name in the sandbox', async () => {
    const { page } = family;
    await open(page, 'sandbox/payment-methods');
    await button(page, 'Add card').first().click();
    await page.getByRole('combobox', { name: 'Card', exact: true }).selectOption({ label: 'Is declined' });
    await button(page.getByRole('dialog'), 'Add card').click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('row').nth(2).waitFor();
  });

  it('reads in live what is missing where no key of Stripe is set', async () => {
    const { page } = family;
    await open(page, 'live/payment-methods');
    await page.getByRole('link', { name: 'Add card' }).first().click();
    await page.getByText('STRIPE_PUBLISHABLE_KEY').waitFor();
    await examine(page, 'family-card-without-key');
  });

  it('types it into the fields of Stripe, whose token alone reaches the product', async () => {
    const { page } = family;
    const origin = await stack.addGateway({ STRIPE_PUBLISHABLE_KEY: 'pk_test_of_the_pool' });
    const sent = await withStripe(page);
    await page.goto(`${origin}/dashboard/live/payment-methods`);
    await page.getByRole('link', { name: 'Add card' }).first().click();
    await page.frameLocator('iframe').getByLabel('Card number').fill(CARD);
    await examine(page, 'family-card-of-stripe');
    await button(page, 'Add card').click();
    await page.getByRole('alert').waitFor();
    expect(sent.some((each) => each.includes('{"processor_payment_method_id":"pm_1Ofsetipk"}'))).toBe(true);
    expect(sent.filter((each) => each.includes(CARD))).toEqual([]);
    await page.getByRole('link', { name: 'Back without changes' }).click();
    await page.getByRole('heading', { name: 'Payment methods' }).waitFor();
  });
});
