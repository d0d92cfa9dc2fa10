import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BUS_SETUP, connectAccount, connectNats, PROCESSES } from '@swim/messaging/client';
import { createLogger } from '@swim/platform';
import { waitUntil } from '../system/processes/ports.ts';
import { type ConfiguredServer, startConfiguredServer } from './configured-server.ts';

const logger = createLogger('tests', 'silent');

const passwordsBy = (passwordOf: (name: string) => string): string =>
  [...PROCESSES, BUS_SETUP]
    .map((name) => `NATS_PASSWORD_${name.toUpperCase().replace('-', '_')}: "${passwordOf(name)}"\n`)
    .join('');

let server: ConfiguredServer;
let url: string;
beforeAll(async () => {
  server = await startConfiguredServer({ passwords: passwordsBy((name) => `p of ${name}`) });
  url = `nats://${server.address}`;
});
afterAll(() => server?.stop());

describe('a client without credentials', () => {
  const tryToConnect = (options: object) =>
    connectNats(url, 'stranger', logger, { waitOnFirstConnect: false, maxReconnectAttempts: 0, ...options }).then(
      () => 'connected',
      (error) => error.name,
    );

  it.each([
    ['names no user', {}],
    ['has a wrong password', { user: 'people-rpc', pass: 'p of payment' }],
    ['names a user that is not there', { user: 'tests', pass: 'of every process' }],
  ])('is rejected: one that %s', async (_, options) => expect(await tryToConnect(options)).toBe('AuthorizationError'));

  it('a process waits for its password, and follows a changed one, whichever of it and NATS reads it first', async () => {
    const config = { NATS_URL: url, NATS_PASSWORD: 'p of payment' };
    const refused: string[] = [];
    const log = {
      ...logger,
      warn: ({ err }: { err?: Error }) => err && refused.push(err.name),
    } as unknown as typeof logger;
    const connecting = connectAccount('people', 'rpc', config, log);
    await waitUntil(
      async () => refused.length > 0,
      60_000,
      () => false,
    );
    config.NATS_PASSWORD = 'p of people';
    const connection = await connecting;
    refused.length = 0;
    // NATS ends the connections of a user whose password it has read anew.
    server.reload(passwordsBy((name) => (name === 'people' ? 'another' : `p of ${name}`)));
    await waitUntil(
      async () => refused.includes('AuthorizationError'),
      60_000,
      () => false,
    );
    config.NATS_PASSWORD = 'another';
    await waitUntil(
      () =>
        connection.flush().then(
          () => true,
          () => false,
        ),
      60_000,
      () => false,
    );
    expect(refused).toContain('AuthorizationError');
    await connection.close();
    server.reload(passwordsBy((name) => `p of ${name}`));
  });

  it('is accepted with the credentials of an address', async () => {
    const connection = await connectNats(url.replace('//', '//people-rpc:p%20of%20people@'), 'people', logger);
    await connection.flush();
    await connection.close();
  });
});
