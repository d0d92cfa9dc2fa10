import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { receiveStripeWebhook } from '@swim/contracts';
import { AppError } from '@swim/platform';
import { expectError, expectSound } from '../fixtures/expectations.js';
import { type GatewayHarness, type GatewayProcess, NO_LIMITS, startHarness } from '../fixtures/harness.js';

const LIMIT = 20;
const PATH = '/v1/webhooks/stripe';
const VALID = 't=1,v1=valid';

let harness: GatewayHarness;
let gateway: GatewayProcess;

beforeAll(async () => {
  harness = await startHarness();
  gateway = await harness.gateway({ ...NO_LIMITS, FAILED_AUTH_PER_MINUTE: String(LIMIT) });
});
afterAll(() => harness?.stop());
beforeEach(() => {
  harness.services.answer(receiveStripeWebhook, ({ input }) => {
    if (input.signature !== VALID) throw new AppError('invalid_signature', { field: 'Stripe-Signature' });
    return { received: true };
  });
});

const post = (raw: string | Buffer, signature: string | null = VALID, type = 'application/json; charset=utf-8') =>
  gateway.send('POST', PATH, {
    raw,
    headers: { 'Content-Type': type, ...(signature === null ? {} : { 'Stripe-Signature': signature }) },
  });
const payloads = () => harness.services.requestsOf(receiveStripeWebhook).map(({ input }) => input.payload);

describe('POST /v1/webhooks/stripe', () => {
  it('passes the bytes of the body and the signature on, without a key', async () => {
    for (const body of ['{ "z":1.0,\n "a":"ü🏊\\u0000" }', '\uFEFF{}', 'no JSON', '{"card":"4242424242424242"}']) {
      const answer = await post(body);
      expect([answer.status, answer.body.data]).toEqual([200, { received: true }]);
      expectSound(answer, true);
      expect(payloads().at(-1)).toBe(body);
    }
  });

  it('writes nothing of it to the log', async () => {
    await post('{"secret":"canary"}');
    expect(gateway.output()).not.toContain('canary');
  });

  it('rejects what is unsigned, too large, of another type or no UTF-8, and passes none of it on', async () => {
    const before = payloads().length;
    expectError(await post('{}', null), 400, 'invalid_signature', 'Stripe-Signature');
    expectError(await post(Buffer.from([0x7b, 0xff, 0x7d])), 400, 'invalid_signature');
    expectError(await post('x'.repeat(256 * 1024 + 1)), 413, 'body_too_large');
    expectError(await post('{}', VALID, 'text/plain'), 415, 'unsupported_media_type');
    expect(payloads()).toHaveLength(before);
  });

  it('answers another method with 405, also without a key', async () => {
    const answer = await gateway.send('GET', PATH);
    expectError(answer, 405, 'method_not_allowed');
    expect(answer.headers.get('allow')).toBe('POST');
  });

  it('answers a network that forges signatures 429 after 20 in a minute, and still receives valid ones from it', async () => {
    const statuses: number[] = [];
    // Two minutes' worth: a minute may end meanwhile.
    for (let forgery = 0; forgery <= 2 * LIMIT; forgery++) statuses.push((await post('{}', 't=1,v1=forged')).status);
    expect(statuses.slice(0, LIMIT / 2)).toEqual(Array.from({ length: LIMIT / 2 }, () => 400));
    expect(statuses).toContain(429);
    expect(new Set(statuses)).toEqual(new Set([400, 429]));
    expect((await post('{}')).status).toBe(200);
  });

  it('is unavailable while its service is, so that the processor repeats it', async () => {
    harness.services.answer(receiveStripeWebhook, () => {
      throw new AppError('unavailable', { retryAfterSeconds: 3_600 });
    });
    expectError(await post('{}'), 503, 'unavailable');
  });
});
