import fs from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import type { ServiceName } from '@swim/contracts';
import { ROOT } from '../system/paths.mjs';
import { type ComposeFile, readCompose, secretsMountOf } from './compose-file.ts';
import { makeSecrets } from './secrets.ts';

const SERVICES = fs.readdirSync(path.join(ROOT, 'services')) as ServiceName[];
const secrets = makeSecrets();
afterAll(secrets.remove);
const compose = readCompose({});

describe('the compose file', () => {
  it('mounts the folder of its secrets for each process, which sees those of no other', () => {
    const seenBy = (name: keyof ComposeFile['services']) => {
      const mount = secretsMountOf(compose.services[name]);
      if (!mount) return undefined;
      expect(mount).toEqual({
        type: 'bind',
        source: `./secrets/mounted/${name}`,
        target: '/run/secrets',
        read_only: true,
        bind: { create_host_path: false },
      });
      return fs.readdirSync(path.join(secrets.folder, 'mounted', name)).sort();
    };
    const ofSpeakers = ['nats_password', 'otel_exporter_otlp_headers'];
    const ofEvery = ['cursor_secret', 'data_key', 'data_keys_also_read', 'mongodb_uri', ...ofSpeakers];
    const more: Partial<Record<ServiceName, string[]>> = {
      people: ['key_pepper', 'key_peppers'],
      notification: ['smtp_url'],
      payment: ['stripe_secret_key', 'stripe_webhook_secret'],
    };
    for (const name of SERVICES) expect(seenBy(name)).toEqual([...ofEvery, ...(more[name] ?? [])].sort());
    expect([seenBy('gateway'), seenBy('bus-setup')]).toEqual([ofSpeakers, ['nats_password']]);
    expect(seenBy('audit')).toEqual(['mongodb_uri']);
    expect(seenBy('nats')).toEqual(['nats_passwords']);
    const addresses = [...SERVICES, 'audit'].map((name) => `mongodb_uri_${name}`);
    expect(seenBy('mongo')).toEqual(['mongodb_root_password', ...addresses].sort());
    expect(seenBy('nats-volume')).toBeUndefined();
  });
});
