import 'reflect-metadata';
import { readFile, writeFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { ENVIRONMENTS } from '@swim/contracts';
import { inEnvironment } from '@swim/platform';
import { z } from 'zod';
import { ErasuresRepository, type Listed } from './lifecycle/erasure/erasures.repository.js';
import { AccountResetsRepository } from './lifecycle/sandbox/account-resets.repository.js';
import { runCommand } from './run-command.js';

const USAGE = 'Say what to do: export FILE, replay FILE, or pending. The file - is standard output or input.';
const STREAM = '-';

const instant = z.iso.datetime().transform((text) => new Date(text));

/** The list of erasures, and of resets of test accounts, as a file: ids and instants, no personal data. */
const listFile = z.strictObject({
  erasures: z.array(
    z.strictObject({
      env: z.enum(['live', 'test']),
      id: z.string(),
      account_id: z.string(),
      erased_at: instant,
    }),
  ),
  // Absent in the lists of earlier releases.
  resets: z.array(z.strictObject({ account_id: z.string(), before: instant, offset_ms: z.number() })).default([]),
});

interface Lists {
  erasures: ErasuresRepository;
  resets: AccountResetsRepository;
}

async function resetsOf(list: AccountResetsRepository): Promise<object[]> {
  const resets: object[] = [];
  for (let page = await list.findResetAfter(''); page.length > 0; page = await list.findResetAfter(page.at(-1)!._id))
    for (const { _id: account_id, reset } of page)
      resets.push({ account_id, before: reset!.before.toISOString(), offset_ms: reset!.offsetMs });
  return resets;
}

async function exportTo(file: string, { erasures: list, resets }: Lists): Promise<number> {
  const erasures: object[] = [];
  for (const env of ENVIRONMENTS) {
    let page: Listed[] = [];
    do {
      page = await inEnvironment(env, () => list.findAfter(page.at(-1)?._id ?? ''));
      for (const { _id: id, accountId: account_id, erasedAt } of page)
        erasures.push({ env, id, account_id, erased_at: erasedAt.toISOString() });
    } while (page.length > 0);
  }
  const content = `${JSON.stringify({ erasures, resets: await resetsOf(resets) }, null, 1)}\n`;
  if (file === STREAM) process.stdout.write(content);
  else await writeFile(file, content);
  return erasures.length;
}

async function replayFrom(file: string, { erasures: list, resets: accounts }: Lists): Promise<number> {
  const content = file === STREAM ? await text(process.stdin) : await readFile(file, 'utf8');
  const { erasures, resets } = listFile.parse(JSON.parse(content));
  for (const { env, id, account_id: accountId, erased_at: erasedAt } of erasures)
    await inEnvironment(env, () => list.replay({ _id: id, accountId, erasedAt }));
  for (const { account_id, before, offset_ms: offsetMs } of resets)
    await inEnvironment('test', () => accounts.replay(account_id, { before, offsetMs }));
  return erasures.length;
}

async function countPending({ erasures: list, resets }: Lists): Promise<number> {
  const counts = await Promise.all(ENVIRONMENTS.map((env) => inEnvironment(env, () => list.countPending())));
  return counts.reduce((sum, count) => sum + count, await resets.countPending());
}

function workOf(what: string | undefined, file: string | undefined): (lists: Lists) => Promise<number> {
  if (what === 'pending') return countPending;
  if (what === 'export' && file) return (lists) => exportTo(file, lists);
  if (what === 'replay' && file) return (lists) => replayFrom(file, lists);
  throw new Error(USAGE);
}

const [what, file] = process.argv.slice(2);
await runCommand(
  'The list of erasures',
  (databases) => {
    const work = workOf(what, file);
    const lists = { erasures: new ErasuresRepository(databases), resets: new AccountResetsRepository(databases) };
    return async () => ({ [what!]: await work(lists) });
  },
  // Standard output is the list then.
  what === 'export' && file === STREAM ? process.stderr : process.stdout,
);
