import { createSecretKey, randomBytes } from 'node:crypto';
import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { signatureHeaders } from './webhook-signature.js';

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;
const signingKeyOf = (secret: string) => createSecretKey(Buffer.from(secret.slice('whsec_'.length), 'base64'));
const verifiers = [Webhook, SvixWebhook];

it('the libraries standardwebhooks and svix verify signatures of any body, with each of two secrets', () => {
  const [current, former] = [newSecret(), newSecret()];
  const signingKeys = [current, former].map(signingKeyOf);
  fc.assert(
    fc.property(fc.json(), (body) => {
      const headers = signatureHeaders({ id: 'evt_1', now: new Date(), body, signingKeys });
      for (const Verifier of verifiers)
        for (const secret of [current, former]) expect(() => new Verifier(secret).verify(body, headers)).not.toThrow();
    }),
  );
});

it.each(['webhook-id', 'webhook-timestamp'])('a changed %s is not verified', (name) => {
  const secret = newSecret();
  const signed = signatureHeaders({ id: 'evt_1', now: new Date(), body: '{}', signingKeys: [signingKeyOf(secret)] });
  const headers = { ...signed, [name]: name === 'webhook-id' ? 'evt_2' : String(Number(signed[name]) - 1) };
  for (const Verifier of verifiers) expect(() => new Verifier(secret).verify('{}', headers)).toThrow();
});

it('another secret does not verify', () => {
  const headers = signatureHeaders({
    id: 'evt_1',
    now: new Date(),
    body: '{}',
    signingKeys: [signingKeyOf(newSecret())],
  });
  for (const Verifier of verifiers) expect(() => new Verifier(newSecret()).verify('{}', headers)).toThrow();
});
