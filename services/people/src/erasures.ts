import 'reflect-metadata';
import { readFile, writeFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { ENVIRONMENTS } from '@swim/contracts';
import { inEnvironment } from '@swim/platform';
import { z } from 'zod';
import { ErasuresRepository, type Listed } from './lifecycle/erasure/erasures.repository.js';
import { runCommand } from './run-command.js';

const USAGE = 'Say what to do: export FILE, replay FILE, or pending. The file - is standard output or input.';
const STREAM = '-';

/** The list of erasures as a file: ids and instants, no personal data. */
const listFile = z.strictObject({
  erasures: z.array(
    z.strictObject({
      env: z.enum(['live', 'test']),
      id: z.string(),
      account_id: z.string(),
      erased_at: z.iso.datetime().transform((text) => new Date(text)),
    }),
  ),
});

async function exportTo(file: string, list: ErasuresRepository): Promise<number> {
  const erasures: object[] = [];
  for (const env of ENVIRONMENTS) {
    let page: Listed[] = [];
    do {
      page = await inEnvironment(env, () => list.findAfter(page.at(-1)?._id ?? ''));
      for (const { _id: id, accountId: account_id, erasedAt } of page)
        erasures.push({ env, id, account_id, erased_at: erasedAt.toISOString() });
    } while (page.length > 0);
  }
  const content = `${JSON.stringify({ erasures }, null, 1)}\n`;
  if (file === STREAM) process.stdout.write(content);
  else await writeFile(file, content);
  return erasures.length;
}

async function replayFrom(file: string, list: ErasuresRepository): Promise<number> {
  const content = file === STREAM ? await text(process.stdin) : await readFile(file, 'utf8');
  const { erasures } = listFile.parse(JSON.parse(content));
  for (const { env, id, account_id: accountId, erased_at: erasedAt } of erasures)
    await inEnvironment(env, () => list.replay({ _id: id, accountId, erasedAt }));
  return erasures.length;
}

async function countPending(list: ErasuresRepository): Promise<number> {
  const counts = await Promise.all(ENVIRONMENTS.map((env) => inEnvironment(env, () => list.countPending())));
  return counts.reduce((sum, count) => sum + count, 0);
}

function workOf(what: string | undefined, file: string | undefined): (list: ErasuresRepository) => Promise<number> {
  if (what === 'pending') return countPending;
  if (what === 'export' && file) return (list) => exportTo(file, list);
  if (what === 'replay' && file) return (list) => replayFrom(file, list);
  throw new Error(USAGE);
}

const [what, file] = process.argv.slice(2);
await runCommand(
  'The list of erasures',
  (databases) => {
    const work = workOf(what, file);
    const list = new ErasuresRepository(databases);
    return async () => ({ [what!]: await work(list) });
  },
  // Standard output is the list then.
  what === 'export' && file === STREAM ? process.stderr : process.stdout,
);
