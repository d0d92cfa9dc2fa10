import 'reflect-metadata';
import { DataKeys, DataMigrations, FreeTexts } from '@swim/mongo';
import { CursorCodec, inEnvironment, MasterKeys, newId } from '@swim/platform';
import { config } from './config.js';
import { DEMO_ACCOUNTS, type DemoAccount } from './demo-accounts.js';
import { AccountsRepository } from './identity/accounts/accounts.repository.js';
import { AccountsService } from './identity/accounts/accounts.service.js';
import { UserLinksRepository } from './identity/links/user-links.repository.js';
import { UserLinksService } from './identity/links/user-links.service.js';
import { AccountKeys } from './identity/privacy/account-keys.service.js';
import { PrivacyRepository } from './identity/privacy/privacy.repository.js';
import { UserTextsService } from './identity/privacy/user-texts.service.js';
import { OwnersRepository } from './identity/users/owners.repository.js';
import { OwnersService } from './identity/users/owners.service.js';
import { PasswordsService } from './identity/users/passwords.service.js';
import { UsersRepository } from './identity/users/users.repository.js';
import { UsersService } from './identity/users/users.service.js';
import { runCommand } from './run-command.js';

const DAY_MS = 86_400_000;

/** A link that signs the owner of a demo account in once, within a day: the token of `/dashboard/sign-in-link`. */
async function linkFor(
  { accountId, userId, kind, name, email }: DemoAccount,
  { accounts, users, links }: { accounts: AccountsService; users: UsersService; links: UserLinksService },
): Promise<string> {
  await accounts.open({ id: accountId, kind, name, email, timezone: 'UTC', currency: 'USD' });
  await accounts.confirmEmail(accountId, email);
  const owner = {
    id: userId,
    accountId,
    name: 'Demo Owner',
    email,
    role: 'owner',
    instructor: null,
    locale: 'en',
  } as const;
  const user = await users.insert({ ...owner, passwordHash: null });
  if (!user) throw new Error(`Another user has the address ${email} of a demo account.`);
  const fields = {
    purpose: 'sign_in',
    emailToken: user.emailToken,
    accountId,
    isMailed: false,
    validMs: DAY_MS,
  } as const;
  return links.tokenOf(await links.insert({ id: newId('ulk'), ...fields }));
}

await runCommand('The demo users could not be set up', (databases, logger) => {
  const masters = new MasterKeys('people', config);
  const cursors = new CursorCodec(config);
  const wrapping = new AccountKeys(new PrivacyRepository(databases), masters);
  const keys = new DataKeys(databases, new DataMigrations(databases, logger), wrapping);
  const texts = new UserTextsService(new FreeTexts(keys), keys);
  const accounts = new AccountsService(new AccountsRepository(databases));
  const stored = new UsersRepository(databases, cursors);
  const owners = new OwnersService(new OwnersRepository(databases), stored);
  const users = new UsersService(stored, texts, accounts, new PasswordsService(), owners);
  const links = new UserLinksService(new UserLinksRepository(databases, cursors), users, accounts, texts, config);
  const services = { accounts, users, links };
  return () =>
    inEnvironment('live', async () => ({
      school: await linkFor(DEMO_ACCOUNTS.school, services),
      family: await linkFor(DEMO_ACCOUNTS.family, services),
    }));
});
