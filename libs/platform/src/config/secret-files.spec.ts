import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { z } from 'zod';
import { CursorCodec } from '../secrets/cursor.js';
import { MasterKeys } from '../secrets/master-keys.js';
import { SignedTokens } from '../tokens/signed-tokens.js';
import { readConfig, secretsOf, serviceConfig } from './config.js';
import { masterKeysOf } from './derived.js';
import { whenChanged } from './secret-files.js';

const folder = mkdtempSync(join(tmpdir(), 'swim-secrets-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const key = (byte: number): string => Buffer.alloc(32, byte).toString('base64');
const schema = z.object(serviceConfig);
/** As mv does: the file is another one, and whole. */
function put(name: string, text: string): void {
  writeFileSync(join(folder, `${name}.new`), text);
  renameSync(join(folder, `${name}.new`), join(folder, name));
}
const looks = (count: number) => jest.advanceTimersByTime(count * 10_000);
const start = () => {
  const files = ['MONGODB_URI', 'CURSOR_SECRET', 'DATA_KEY', 'DATA_KEYS_ALSO_READ', 'DATABASE_PREFIX'];
  const env = Object.fromEntries(files.map((name) => [`${name}_FILE`, join(folder, name)]));
  return readConfig(schema, { ...env, NATS_URL: 'nats://127.0.0.1:4222' });
};

beforeEach(() => {
  jest.useFakeTimers();
  put('MONGODB_URI', 'mongodb://people:one@127.0.0.1/');
  put('CURSOR_SECRET', key(1));
  put('DATA_KEY', key(2));
  put('DATA_KEYS_ALSO_READ', '');
  put('DATABASE_PREFIX', 'baths');
});

describe('a secret in a file', () => {
  it('is that of the changed file once two looks have seen it, and what it is not stays the same', () => {
    const config = start();
    const { DATA_KEY } = config;
    const changes: unknown[] = [];
    whenChanged(config, (names) => changes.push(names));
    put('MONGODB_URI', 'mongodb+srv://people:two@db.example/');
    put('DATABASE_PREFIX', 'other');
    looks(1);
    expect(config.MONGODB_URI).toBe('mongodb://people:one@127.0.0.1/');
    looks(1);
    expect(config.MONGODB_URI).toBe('mongodb+srv://people:two@db.example/');
    expect(changes).toEqual([['MONGODB_URI']]);
    expect(config.DATA_KEY).toBe(DATA_KEY);
    expect(config.DATABASE_PREFIX).toBe('baths');
  });

  it('stays in use while the file is empty, removed, or has something else in it', () => {
    const config = start();
    for (const text of ['', 'mongodb', 'http://127.0.0.1/']) {
      put('MONGODB_URI', text);
      put('CURSOR_SECRET', key(3));
      looks(3);
    }
    rmSync(join(folder, 'MONGODB_URI'));
    looks(3);
    expect([config.MONGODB_URI, config.CURSOR_SECRET]).toEqual([
      'mongodb://people:one@127.0.0.1/',
      Buffer.alloc(32, 1),
    ]);
    put('MONGODB_URI', 'mongodb://people:two@127.0.0.1/');
    looks(2);
    expect([config.MONGODB_URI, config.CURSOR_SECRET]).toEqual([
      'mongodb://people:two@127.0.0.1/',
      Buffer.alloc(32, 3),
    ]);
  });

  it('that is optional may have an empty file', () => {
    const config = start();
    expect(config.DATA_KEYS_ALSO_READ).toEqual([]);
    put('DATA_KEYS_ALSO_READ', `${key(2)},${key(4)}`);
    looks(2);
    expect(config.DATA_KEYS_ALSO_READ).toEqual([Buffer.alloc(32, 2), Buffer.alloc(32, 4)]);
  });

  it('of a master key that is also read is one key', () => {
    const [now, next] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
    const alsoRead = [now, next].map((each) => Buffer.from(each));
    expect(masterKeysOf({ DATA_KEY: now, DATA_KEYS_ALSO_READ: alsoRead })).toEqual([now, next]);
  });

  it('changes what is derived from it: tokens, wrapped keys and cursors', () => {
    const config = start();
    const [tokens, masters, cursors] = [
      new SignedTokens('link', config),
      new MasterKeys('people', config),
      new CursorCodec(config),
    ];
    const scope = { list: 'people.list', accountId: 'acct_1', env: 'test', filters: {} };
    const token = tokens.sign('a');
    const wrapped = masters.wrap(Buffer.alloc(32, 9), 'a');
    const cursor = cursors.encode(['a'], scope);
    put('DATA_KEYS_ALSO_READ', key(2));
    put('DATA_KEY', key(4));
    put('CURSOR_SECRET', key(5));
    looks(2);
    expect(tokens.read(token)).toEqual(['a']);
    expect(tokens.sign('a')).not.toBe(token);
    expect(masters.unwrap(wrapped, 'a')).toEqual(Buffer.alloc(32, 9));
    expect(masters.current).not.toBe(wrapped.master);
    expect(() => cursors.decode(cursor, scope)).toThrow();
    put('DATA_KEYS_ALSO_READ', '');
    looks(2);
    expect(tokens.read(token)).toBeNull();
    expect(() => masters.unwrap(wrapped, 'a')).toThrow('not known here');
  });
});

it('the secrets of every service are marked', () => {
  const ofTraces = 'OTEL_EXPORTER_OTLP_HEADERS';
  const names = ['MONGODB_URI', 'NATS_PASSWORD', ofTraces, 'CURSOR_SECRET', 'DATA_KEY', 'DATA_KEYS_ALSO_READ'];
  expect(secretsOf(start())).toEqual(names);
});
