import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { ROOT } from '../system/paths.mjs';

const read = (file: string) => parse(fs.readFileSync(path.join(ROOT, file), 'utf8'), { merge: true });

it('compose.stripe.yml gives payment alone the secrets of Stripe, in files, and a way out', () => {
  const { services } = read('deploy/compose.stripe.yml');
  const names = ['stripe_secret_key', 'stripe_webhook_secret'];
  expect(services).toEqual({
    payment: {
      environment: Object.fromEntries(names.map((name) => [`${name.toUpperCase()}_FILE`, `/run/secrets/${name}`])),
      networks: ['out'],
    },
  });
  expect(Object.keys(read('docker-compose.yml').networks)).toContain('out');
});
