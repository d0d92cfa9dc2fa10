import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BUS_SETUP, connectNats, PROCESSES } from '@swim/messaging/client';
import { createLogger } from '@swim/platform';
import { type ConfiguredServer, startConfiguredServer } from './configured-server.ts';

const logger = createLogger('tests', 'silent');

let server: ConfiguredServer;
let url: string;
beforeAll(async () => {
  const variable = (name: string) => `NATS_PASSWORD_${name.toUpperCase().replace('-', '_')}`;
  const passwords = [...PROCESSES, BUS_SETUP].map((name) => `${variable(name)}: "p of ${name}"\n`);
  server = await startConfiguredServer({ passwords: passwords.join('') });
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

  it('is accepted with the credentials of an address', async () => {
    const connection = await connectNats(url.replace('//', '//people-rpc:p%20of%20people@'), 'people', logger);
    await connection.flush();
    await connection.close();
  });
});
