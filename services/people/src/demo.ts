import 'reflect-metadata';
import { createHmac } from 'node:crypto';
import { type AccountKind, SCOPES } from '@swim/contracts';
import { CursorCodec } from '@swim/platform';
import { AccessRepository } from './access/access.repository.js';
import { AccessService } from './access/access.service.js';
import { KeySecretsService } from './access/key-secrets.service.js';
import { AccountsRepository } from './accounts/accounts.repository.js';
import { AccountsService } from './accounts/accounts.service.js';
import { config } from './config.js';
import { runCommand } from './run-command.js';

/** One account of the demo and its key; ids are fixed, so that the command is idempotent. */
interface DemoAccount {
  kind: AccountKind;
  accountId: string;
  keyId: string;
  name: string;
  email: string;
}

const SCHOOL: DemoAccount = {
  kind: 'school',
  accountId: 'acct_01kdvdna00e48s248h248h248h',
  keyId: 'key_01kdvdna00e48s248h248h248h',
  name: 'Demo Swim School',
  email: 'school@demo.example',
};

const FAMILY: DemoAccount = {
  kind: 'family',
  accountId: 'acct_01kdvdna01e8ha48h248h248h2',
  keyId: 'key_01kdvdna01e8ha48h248h248h2',
  name: 'Demo Family',
  email: 'family@demo.example',
};

async function seed(
  { kind, accountId, keyId, name, email }: DemoAccount,
  accounts: AccountsService,
  access: AccessService,
) {
  await accounts.open('test', { id: accountId, kind, name, email, timezone: 'UTC', currency: 'USD' });
  await accounts.confirmEmail('test', accountId, email);
  // Derived from the pepper: secret without it, and the same each time.
  const secretBytes = createHmac('sha256', config.KEY_PEPPER).update(`demo key of ${accountId}`).digest();
  const key = await access.keep('test', { id: keyId, accountId, name: 'Demo key', scopes: [...SCOPES], secretBytes });
  return { id: accountId, key };
}

await runCommand('The demo accounts could not be set up', (databases, logger) => {
  const accounts = new AccountsService(new AccountsRepository(databases));
  const keys = new AccessRepository(databases, new CursorCodec(config.CURSOR_SECRET));
  const access = new AccessService(keys, new KeySecretsService(config), accounts, logger);
  return async () => ({ school: await seed(SCHOOL, accounts, access), family: await seed(FAMILY, accounts, access) });
});
