import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type TemporaryFolder, temporaryFolder } from '../../system/files/temporary-folder.ts';
import { databasePassword, loadSecrets } from './secrets.ts';

const SERVICES = ['people', 'booking'] as const;
const SETTINGS = ['KEY_PEPPER', 'CURSOR_SECRET', 'DATA_KEY_PEOPLE', 'DATA_KEYS_ALSO_READ'];

let made: TemporaryFolder;
let file: string;
let before: Record<string, string | undefined>;
beforeEach(() => {
  made = temporaryFolder();
  file = path.join(made.folder, 'secrets.json');
  before = Object.fromEntries(SETTINGS.map((name) => [name, process.env[name]]));
  for (const name of SETTINGS) delete process.env[name];
});
afterEach(() => {
  made.remove();
  for (const [name, value] of Object.entries(before)) if (value !== undefined) process.env[name] = value;
});

const load = () => loadSecrets(file, SERVICES);

describe('the secrets of a local stack', () => {
  it('are made once: 32 bytes each, in a file of their owner', () => {
    const first = load();
    expect(load()).toEqual(first);
    expect(Buffer.from(first.people.DATA_KEY!, 'base64')).toHaveLength(32);
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
  });

  it('hold the password of the database', () => {
    const secrets = load();
    const password = databasePassword(file);
    expect(Buffer.from(password, 'base64')).toHaveLength(32);
    expect(databasePassword(file)).toBe(password);
    expect(load()).toEqual(secrets);
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
  });

  it('give each service a DATA_KEY of its own, and the pepper to people alone', () => {
    const { people, booking } = load();
    expect(people.DATA_KEY).not.toBe(booking.DATA_KEY);
    expect(people.NATS_PASSWORD).not.toBe(booking.NATS_PASSWORD);
    expect(people.CURSOR_SECRET).toBe(booking.CURSOR_SECRET);
    expect(Object.keys(booking).sort()).toEqual(['CURSOR_SECRET', 'DATA_KEY', 'NATS_PASSWORD']);
    expect(Object.keys(people).sort()).toEqual(['CURSOR_SECRET', 'DATA_KEY', 'KEY_PEPPER', 'NATS_PASSWORD']);
  });

  it('are taken from the environment where that has them', () => {
    Object.assign(process.env, { DATA_KEY_PEOPLE: 'mine', DATA_KEYS_ALSO_READ: 'a,b' });
    expect(load().people).toMatchObject({ DATA_KEY: 'mine', DATA_KEYS_ALSO_READ: 'a,b' });
    expect(load().booking).toMatchObject({ DATA_KEYS_ALSO_READ: 'a,b' });
  });
});
