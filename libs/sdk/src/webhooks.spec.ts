import { describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { verifyWebhook, WebhookVerificationError } from './webhooks.js';

const secretOf = (byte: number) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`;
const [SECRET, OTHER] = [secretOf(1), secretOf(2)];
const BODY = '{"id":"evt_1","type":"booking.created","note":"ü🏊"}';
const AT = new Date('2027-03-01T16:00:00Z');
const nowMs = AT.getTime();

// The reference implementation of Standard Webhooks signs, as an independent authority.
const signed = (secret: string, body = BODY, at = AT) => new Webhook(secret).sign('evt_1', at, body);
const headers = (signature: string, at = AT) => ({
  'webhook-id': 'evt_1',
  'webhook-timestamp': String(at.getTime() / 1000),
  'webhook-signature': signature,
});
const reasonOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'accepted',
    (error: unknown) => (error instanceof WebhookVerificationError ? error.reason : error),
  );

describe('verifyWebhook', () => {
  it('returns the event of a webhook that was signed with the secret, from every kind of headers and body', async () => {
    const given = headers(signed(SECRET));
    for (const each of [given, new Headers(given)])
      for (const body of [BODY, new TextEncoder().encode(BODY)])
        expect(await verifyWebhook(body, each, SECRET, { nowMs })).toMatchObject({ id: 'evt_1', note: 'ü🏊' });
  });

  it('accepts either of two signatures, and either of two secrets, while a secret is rotated', async () => {
    const both = `${signed(OTHER)} ${signed(SECRET)}`;
    expect(await reasonOf(verifyWebhook(BODY, headers(both), SECRET, { nowMs }))).toBe('accepted');
    expect(await reasonOf(verifyWebhook(BODY, headers(both), OTHER, { nowMs }))).toBe('accepted');
    expect(await reasonOf(verifyWebhook(BODY, headers(signed(SECRET)), [OTHER, SECRET], { nowMs }))).toBe('accepted');
  });

  it('rejects another secret, id, time or body, and what is no signature', async () => {
    const good = headers(signed(SECRET));
    const wrong: [string, Record<string, string>][] = [
      [BODY, headers(signed(OTHER))],
      [BODY, { ...good, 'webhook-id': 'evt_2' }],
      [BODY, { ...good, 'webhook-timestamp': String(nowMs / 1000 + 1) }],
      [`${BODY} `, good],
      ...['v1,', 'v1,!!!', 'v2,AAAA', 'x', signed(SECRET).slice(0, -4)].map(
        (signature): [string, Record<string, string>] => [BODY, headers(signature)],
      ),
    ];
    for (const [body, given] of wrong)
      expect(await reasonOf(verifyWebhook(body, given, SECRET, { nowMs }))).toBe('no_matching_signature');
  });

  it('rejects a webhook that is older or newer than the tolerance', async () => {
    const given = headers(signed(SECRET));
    for (const [seconds, reason] of [
      [300, 'accepted'],
      [301, 'out_of_tolerance'],
      [-301, 'out_of_tolerance'],
    ] as const)
      expect(await reasonOf(verifyWebhook(BODY, given, SECRET, { nowMs: nowMs + seconds * 1000 }))).toBe(reason);
    expect(await reasonOf(verifyWebhook(BODY, given, SECRET, { nowMs: nowMs + 3e6, toleranceSeconds: 3600 }))).toBe(
      'accepted',
    );
    expect(await reasonOf(verifyWebhook(BODY, given, SECRET))).toBe('out_of_tolerance');
  });

  it('rejects a missing or malformed header, and a malformed secret', async () => {
    const good = headers(signed(SECRET));
    for (const name of Object.keys(good))
      expect(await reasonOf(verifyWebhook(BODY, { ...good, [name]: undefined }, SECRET, { nowMs }))).toBe(
        'missing_header',
      );
    expect(await reasonOf(verifyWebhook(BODY, { ...good, 'webhook-timestamp': '1e9' }, SECRET, { nowMs }))).toBe(
      'invalid_timestamp',
    );
    for (const secret of ['', 'whsec_', 'whsec_%%', SECRET.slice(6)])
      expect(await reasonOf(verifyWebhook(BODY, good, secret, { nowMs }))).toBe('invalid_secret');
  });

  it('rejects a body that a framework has parsed, and says what to pass', async () => {
    for (const body of [JSON.parse(BODY), undefined, null])
      await expect(verifyWebhook(body, headers(signed(SECRET)), SECRET, { nowMs })).rejects.toThrow(/express\.raw/);
  });
});
