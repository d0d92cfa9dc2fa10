import 'reflect-metadata';
import { createHmac } from 'node:crypto';
import { SCOPES } from '@swim/contracts';
import { CursorCodec, inEnvironment } from '@swim/platform';
import { config } from './config.js';
import { DEMO_ACCOUNTS, type DemoAccount } from './demo-accounts.js';
import { AccountsRepository } from './identity/accounts/accounts.repository.js';
import { AccountsService } from './identity/accounts/accounts.service.js';
import { AccessRepository } from './identity/keys/access.repository.js';
import { AccessService } from './identity/keys/access.service.js';
import { KeySecretsService } from './identity/keys/key-secrets.service.js';
import { runCommand } from './run-command.js';

async function seed(
  { kind, accountId, keyId, name, email }: DemoAccount,
  accounts: AccountsService,
  access: AccessService,
) {
  await accounts.open({ id: accountId, kind, name, email, timezone: 'Europe/Berlin', currency: 'EUR' });
  await accounts.confirmEmail(accountId, email);
  // Derived from the pepper: secret without it, and the same each time.
  const secretBytes = createHmac('sha256', config.KEY_PEPPER.bytes).update(`demo key of ${accountId}`).digest();
  const key = await access.keep({ id: keyId, accountId, name: 'Demo key', scopes: [...SCOPES], secretBytes });
  return { id: accountId, key };
}

await runCommand('The demo accounts could not be set up', (databases, logger) => {
  const accounts = new AccountsService(new AccountsRepository(databases));
  const keys = new AccessRepository(databases, new CursorCodec(config));
  const access = new AccessService(keys, new KeySecretsService(config), accounts, logger);
  return () =>
    inEnvironment('test', async () => ({
      school: await seed(DEMO_ACCOUNTS.school, accounts, access),
      family: await seed(DEMO_ACCOUNTS.family, accounts, access),
      second_family: await seed(DEMO_ACCOUNTS.second_family, accounts, access),
      third_family: await seed(DEMO_ACCOUNTS.third_family, accounts, access),
    }));
});
