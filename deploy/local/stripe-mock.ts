import fs from 'node:fs';
import path from 'node:path';
import { waitForLock } from '../system/files/file-lock.mjs';
import { cacheFolder } from '../system/files/folders.ts';
import { logProgress } from '../system/progress.mjs';
import { goInstall, hasGo, OLDEST_GO } from './engine/go-install.ts';

const VERSION = '0.203.0';
const MODULE = `github.com/stripe/stripe-mock@v${VERSION}`;

/**
 * Stripe's own mock of its API, for the contract test of payment: `STRIPE_MOCK`, or one that is built from its sources once, in
 * the cache folder, while other tests run already.
 * @returns its path, at which it is once it is built; where that fails, the reason is in the file `<path>.failed`.
 */
export function prepareStripeMock(log: (line: string) => void): string {
  if (process.env.STRIPE_MOCK) return process.env.STRIPE_MOCK;
  const folder = path.join(cacheFolder(), `stripe-mock-${VERSION}`);
  const program = path.join(folder, 'stripe-mock');
  fs.rmSync(`${program}.failed`, { force: true });
  if (!fs.existsSync(program)) void build(folder, program, log).catch((error: Error) => fail(folder, program, error));
  return program;
}

async function build(folder: string, program: string, log: (line: string) => void) {
  if (!hasGo()) throw new Error(`no Go ${OLDEST_GO.join('.')} or later is on PATH`);
  const lock = await waitForLock(`${folder}.lock`, () => log('stripe-mock: another set-up builds it; waiting for it'));
  try {
    if (fs.existsSync(program)) return;
    const folders = { bin: path.join(folder, 'bin'), downloads: path.join(folder, 'downloads') };
    await logProgress(log, 'stripe-mock: building it beside the tests', async () => {
      await goInstall(MODULE, folders);
      return VERSION;
    });
    fs.rmSync(folders.downloads, { recursive: true, force: true });
    // The rename comes last, so that a program of this name is complete.
    fs.renameSync(path.join(folders.bin, 'stripe-mock'), program);
  } finally {
    lock.release();
  }
}

function fail(folder: string, program: string, { message }: Error) {
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(`${program}.failed`, message);
}
