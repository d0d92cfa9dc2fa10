import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { changeSubscription, confirmEmail } from '@swim/contracts';
import { AppError } from '@swim/platform';
import { until } from '@swim/testing';
import { type GatewayHarness, type GatewayProcess, NO_LIMITS, startHarness } from '../fixtures/harness.js';

const TOKEN = `test.acct_1.reminder.${'a'.repeat(22)}.${'b'.repeat(43)}`;

let harness: GatewayHarness;
let gateway: GatewayProcess;
beforeAll(async () => {
  harness = await startHarness();
  gateway = await harness.gateway(NO_LIMITS);
});
afterAll(() => harness?.stop());
beforeEach(() => {
  harness.services.answer(changeSubscription, () => ({}));
  harness.services.answer(confirmEmail, () => ({}));
});

const inputsOf = (operation: typeof changeSubscription | typeof confirmEmail) =>
  harness.services.requestsOf(operation).map(({ input }) => input);

describe('the page of a link to unsubscribe', () => {
  const path = `/unsubscribe?token=${TOKEN}&lang=de`;

  it('is in the language of the link, asks first, and loads nothing', async () => {
    const before = inputsOf(changeSubscription).length;
    const { status, text, headers } = await gateway.send('GET', path);
    expect(status).toBe(200);
    expect(text).toContain('<html lang="de">');
    expect(text).toContain(`<form method="post" action="/unsubscribe?token=${TOKEN}&amp;lang=de">`);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(inputsOf(changeSubscription)).toHaveLength(before);
  });

  it('ends the messages by a POST of a mail program, whatever its body, and begins them again', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const ended = await gateway.send('POST', path, { raw: 'List-Unsubscribe=One-Click', headers: form });
    expect(ended.status).toBe(200);
    expect(inputsOf(changeSubscription).at(-1)).toEqual({ token: TOKEN, subscribed: false });
    expect(ended.text).toContain('&amp;undo=true');
    expect((await gateway.send('POST', `${path}&undo=true`)).text).toContain('wieder');
    expect(inputsOf(changeSubscription).at(-1)).toEqual({ token: TOKEN, subscribed: true });
  });

  it('rejects a token that is not valid, and takes no markup from the URL', async () => {
    harness.services.answer(changeSubscription, () => {
      throw new AppError('resource_not_found');
    });
    expect((await gateway.send('POST', path)).status).toBe(404);
    const before = inputsOf(changeSubscription).length;
    for (const wrong of ['', '%3Cscript%3E', 'a', 'a.b', `${TOKEN}%0d%0aX:1`]) {
      const { status, text } = await gateway.send('POST', `/unsubscribe?token=${wrong}&lang=%3Cscript%3E`);
      expect([status, text.includes('<script')]).toEqual([404, false]);
    }
    expect(inputsOf(changeSubscription)).toHaveLength(before);
  });

  it('answers other errors with the envelope', async () => {
    harness.services.answer(changeSubscription, () => {
      throw new AppError('unavailable');
    });
    expect(await gateway.send('POST', path)).toMatchObject({ status: 503, body: { success: false } });
    expect(await gateway.send('DELETE', path)).toMatchObject({ status: 405, body: { success: false } });
  });
});

describe('the page of a link to confirm an address', () => {
  it('confirms it by a POST, and not by a GET', async () => {
    const path = `/confirm-email?token=${TOKEN}&lang=fr`;
    expect((await gateway.send('GET', path)).text).toContain('<html lang="fr">');
    expect(inputsOf(confirmEmail)).toEqual([]);
    expect((await gateway.send('POST', path)).text).toContain('confirmée');
    expect(inputsOf(confirmEmail)).toEqual([{ token: TOKEN }]);
  });

  it('is in English where the link names no language', async () => {
    expect((await gateway.send('GET', `/confirm-email?token=${TOKEN}`)).text).toContain('<html lang="en">');
  });
});

it('limits wrong tokens of a network: authentication_attempts', async () => {
  const strict = await harness.gateway({ ...NO_LIMITS, FAILED_AUTH_PER_MINUTE: '3' });
  // A clock minute may end between the tries.
  await until(async () => (await strict.send('GET', '/unsubscribe?token=x')).status === 429, 'its tokens are limited');
  expect((await strict.send('GET', `/unsubscribe?token=${TOKEN}`)).status).toBe(200);
});

describe('the pages of the docs', () => {
  it('are Markdown too, with an index', async () => {
    for (const [path, type, begins] of [
      ['/llms.txt', 'text/plain', '# Swim Lesson'],
      ['/docs/index.md', 'text/markdown', '# Swim Lesson'],
      ['/docs/reference/bookings.md', 'text/markdown', '# Bookings\n'],
    ] as const) {
      const { status, headers, text } = await gateway.send('GET', path);
      expect([status, headers.get('content-type')]).toEqual([200, `${type}; charset=utf-8`]);
      expect(text.slice(0, begins.length)).toBe(begins);
    }
  });
});
