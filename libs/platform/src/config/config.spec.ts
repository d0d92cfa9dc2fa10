import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { z } from 'zod';
import { port, readConfig, secret32, serviceConfig } from './config.js';

const SECRET = Buffer.alloc(32, 7).toString('base64');
const service = z.object(serviceConfig);
const env = {
  MONGODB_URI: 'mongodb://127.0.0.1:27017',
  NATS_URL: 'nats://127.0.0.1:4222',
  CURSOR_SECRET: SECRET,
  DATA_KEY: SECRET,
};

interface Outcome {
  status: number | null;
  stdout: string;
  stderr: string;
}

/** Reads the configuration of a service in a separate process, and returns the outcome. */
function readElsewhere(given: Record<string, string>, fields = 'serviceConfig'): Outcome {
  const source = `
    import { port, readConfig, serviceConfig } from ${JSON.stringify(new URL('../../dist/config/config.js', import.meta.url).href)};
    import { z } from 'zod';
    const config = readConfig(z.object(${fields}));
    console.log(config.DATABASE_PREFIX);
  `;
  return spawnSync(process.execPath, ['--input-type=module', '--no-warnings', '-e', source], {
    cwd: fileURLToPath(new URL('../', import.meta.url)),
    env: given,
    encoding: 'utf8',
  });
}

describe('a configuration', () => {
  it('is read with its defaults, and contains declared variables only', () => {
    const config = readConfig(service, { ...env, HOME: '/root', HEALTH_PORT: '0' });
    expect(config).toEqual({
      ...env,
      CURSOR_SECRET: Buffer.alloc(32, 7),
      DATA_KEY: Buffer.alloc(32, 7),
      DATA_KEYS_ALSO_READ: [],
      DATABASE_PREFIX: 'swim',
      HEALTH_PORT: 0,
      HEALTH_HOST: '127.0.0.1',
      IDEMPOTENCY_LEASE_MS: 15_000,
      LOG_LEVEL: 'info',
    });
  });

  it('treats an empty variable as absent', () => {
    expect(readConfig(service, { ...env, LOG_LEVEL: '', DATABASE_PREFIX: '' })).toMatchObject({
      LOG_LEVEL: 'info',
      DATABASE_PREFIX: 'swim',
    });
  });

  it('accepts several master keys beside the one that encrypts, each of 32 bytes', () => {
    const other = Buffer.alloc(32, 8);
    const given = { ...env, DATA_KEYS_ALSO_READ: `${SECRET}, ${other.toString('base64')}` };
    expect(readConfig(service, given).DATA_KEYS_ALSO_READ).toEqual([Buffer.alloc(32, 7), other]);
    const { status, stderr } = readElsewhere({ ...env, DATA_KEYS_ALSO_READ: `${SECRET},c2hvcnQ=` });
    expect(status).toBe(78);
    expect(stderr).toBe('The configuration is not usable:\n  DATA_KEYS_ALSO_READ.1: must be 32 bytes in base64\n');
  });

  it('lets the process continue when it is valid', () => {
    expect(readElsewhere(env)).toMatchObject({ status: 0, stdout: 'swim\n', stderr: '' });
  });

  it('ends the process with code 78 and a message for each absent or wrong variable', () => {
    const { status, stdout, stderr } = readElsewhere({
      ...env,
      MONGODB_URI: '',
      DATA_KEY: 'c2hvcnQ=',
      LOG_LEVEL: 'loud',
    });
    expect([status, stdout]).toEqual([78, '']);
    const lines = stderr.trimEnd().split('\n');
    expect(lines[0]).toBe('The configuration is not usable:');
    expect(lines).toContain('  MONGODB_URI: is missing');
    expect(lines).toContain('  DATA_KEY: must be 32 bytes in base64');
    expect(lines.some((line) => line.startsWith('  LOG_LEVEL: '))).toBe(true);
    expect(lines).toHaveLength(4);
  });

  it('reports an absent number as missing, too', () => {
    const source = { MONGODB_URI: env.MONGODB_URI };
    const { stderr } = readElsewhere(source, '{ LISTEN_PORT: port, MONGODB_URI: z.string() }');
    expect(stderr).toBe('The configuration is not usable:\n  LISTEN_PORT: is missing\n');
  });

  it('does not print a wrong secret', () => {
    const secret = Buffer.alloc(31, 9).toString('base64');
    const { status, stderr } = readElsewhere({ ...env, DATA_KEY: secret, CURSOR_SECRET: `${secret}!` });
    expect(status).toBe(78);
    expect(stderr).not.toContain(secret);
  });
});

describe('a variable whose value is in a file', () => {
  let folder: string;
  beforeAll(() => {
    // Its file is not read again.
    jest.useFakeTimers();
    folder = mkdtempSync(join(tmpdir(), 'swim-config-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const file = (text: string): string => {
    const path = join(folder, `secret-${Math.random().toString(36).slice(2)}`);
    writeFileSync(path, text);
    chmodSync(path, 0o400);
    return path;
  };
  const { DATA_KEY: _, ...others } = env;

  it.each([
    ['without a newline at its end', SECRET],
    ['with one', `${SECRET}\n`],
    ['with one of Windows', `${SECRET}\r\n`],
  ])('is read from it, %s', (_how, text) => {
    expect(readConfig(service, { ...others, DATA_KEY_FILE: file(text) }).DATA_KEY).toEqual(Buffer.alloc(32, 7));
  });

  it('may be any, secret or not, and is read without the last newline', () => {
    const given = { ...env, LOG_LEVEL_FILE: file('warn\n'), NATS_URL: '', NATS_URL_FILE: file('nats://a:1\n\n') };
    expect(readConfig(service, given)).toMatchObject({ LOG_LEVEL: 'warn', NATS_URL: 'nats://a:1\n' });
  });

  it('with an empty file name is absent', () => {
    expect(readConfig(service, { ...env, DATA_KEY_FILE: '' }).DATA_KEY).toEqual(Buffer.alloc(32, 7));
  });

  it('ends the process with a message when it is also set directly, cannot be read, or is empty', () => {
    const [absent, empty] = [join(folder, 'absent'), file('\n')];
    const { status, stderr } = readElsewhere({
      ...env,
      DATA_KEY_FILE: file(SECRET),
      CURSOR_SECRET: '',
      CURSOR_SECRET_FILE: absent,
      NATS_URL: '',
      NATS_URL_FILE: empty,
      MONGODB_URI: '',
      MONGODB_URI_FILE: folder,
      LOG_LEVEL_FILE: file('loud'),
    });
    expect(status).toBe(78);
    const lines = stderr.trimEnd().split('\n');
    expect(lines).toHaveLength(6);
    expect(lines).toContain('  DATA_KEY: is set, and so is DATA_KEY_FILE; set one of them');
    expect(lines).toContain(`  CURSOR_SECRET_FILE: the file ${absent} cannot be read (ENOENT)`);
    expect(lines).toContain(`  MONGODB_URI_FILE: the file ${folder} cannot be read (EISDIR)`);
    expect(lines).toContain(`  NATS_URL_FILE: the file ${empty} is empty`);
    expect(lines.some((line) => line.startsWith('  LOG_LEVEL: '))).toBe(true);
    expect(stderr).not.toContain(SECRET);
  });
});

describe('a secret', () => {
  it.each([
    ['31 bytes', Buffer.alloc(31).toString('base64')],
    ['33 bytes', Buffer.alloc(33).toString('base64')],
    ['nothing', ''],
    ['no base64', '!'.repeat(44)],
  ])('of %s is rejected', (_, text) => {
    expect(secret32.safeParse(SECRET).success).toBe(true);
    expect(secret32.safeParse(text).success).toBe(false);
  });
});

describe('a port', () => {
  it.each(['-1', '65536', '80.5', 'http', 'NaN'])('rejects %s', (text) => {
    expect(port.safeParse('65535').success).toBe(true);
    expect(port.safeParse(text).success).toBe(false);
  });
});
