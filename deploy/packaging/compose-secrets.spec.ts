import fs from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import type { ProcessName, ServiceName } from '@swim/contracts';
import { ROOT } from '../system/paths.mjs';
import { COMPOSE_FILE, type ComposeFile, type ComposeService, readCompose } from './compose-file.ts';
import { makeSecrets } from './secrets.ts';

const SERVICES = fs.readdirSync(path.join(ROOT, 'services')) as ServiceName[];
const secrets = makeSecrets();
afterAll(secrets.remove);
const compose = readCompose({});
const processes: ProcessName[] = [...SERVICES, 'gateway'];
const everything = Object.entries(compose.services) as [keyof ComposeFile['services'], ComposeService][];

describe('the compose file', () => {
  it('has every secret in a file that is mounted where it is read, and none in the environment', () => {
    const made = fs.readdirSync(secrets.folder);
    expect(Object.entries(compose.secrets)).toEqual(
      expect.arrayContaining(made.map((name) => [name, { file: `./secrets/${name}` }])),
    );
    expect(Object.keys(compose.secrets).filter((name) => !made.includes(name))).toEqual([]);
    const text = fs.readFileSync(COMPOSE_FILE, 'utf8');
    expect(text).not.toMatch(/\$\{(?:DATA_KEY_|KEY_PEPPER:|CURSOR_SECRET|MONGODB_URI)/);
  });

  it('mounts each secret only where it is read', () => {
    const holders = (name: string) =>
      everything.filter(([, each]) => sourcesOf(each).includes(name)).map(([holder]) => holder);
    expect(holders('key_pepper')).toEqual(['people']);
    expect(holders('mongodb_root_password')).toEqual(['mongo']);
    expect(holders('cursor_secret').sort()).toEqual([...SERVICES].sort());
    expect(holders('nats_passwords')).toEqual(['nats']);
    expect(holders('mongodb_uri_audit')).toEqual(['mongo', 'audit']);
    expect(sourcesOf(compose.services.audit)).toEqual(['mongodb_uri_audit']);
    for (const name of [...processes, 'bus-setup']) expect(holders(`nats_password_${name}`)).toEqual([name]);
    for (const name of SERVICES) {
      expect(holders(`data_key_${name}`)).toEqual([name]);
      expect(holders(`mongodb_uri_${name}`)).toEqual(['mongo', name]);
    }
    expect(everything.filter(([, each]) => 'KEY_PEPPERS' in (each.environment ?? {})).map(([name]) => name)).toEqual([
      'people',
    ]);
  });
});

function sourcesOf({ secrets: seen = [] }: ComposeService) {
  return seen.map((each) => (typeof each === 'string' ? each : each.source));
}
