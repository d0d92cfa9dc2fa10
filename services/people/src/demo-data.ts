import 'reflect-metadata';
import { setTimeout as pause } from 'node:timers/promises';
import { inEnvironment } from '@swim/platform';
import { DEMO_ACCOUNTS, type DemoAccount } from './demo-accounts.js';
import { AccountResetsRepository } from './lifecycle/sandbox/account-resets.repository.js';
import { AccountResetsService } from './lifecycle/sandbox/account-resets.service.js';
import { runCommand } from './run-command.js';

const LONGEST_MS = 60_000;
const POLL_MS = 100;

/** Waits until the running services have made the demo data of an account, which they do once in its life. */
async function fill({ accountId }: DemoAccount, resets: AccountResetsService): Promise<true> {
  const endsAtMs = performance.now() + LONGEST_MS;
  await resets.fill(accountId);
  while (!(await resets.isFilled(accountId))) {
    if (performance.now() > endsAtMs) throw new Error(`${accountId} has no demo data after ${LONGEST_MS / 1_000} s.`);
    await pause(POLL_MS);
  }
  return true;
}

await runCommand('The demo data could not be made', (databases) => {
  const resets = new AccountResetsService(new AccountResetsRepository(databases));
  return () =>
    inEnvironment('test', async () => {
      const [school, family] = await Promise.all([
        fill(DEMO_ACCOUNTS.school, resets),
        fill(DEMO_ACCOUNTS.family, resets),
      ]);
      return { school, family };
    });
});
