import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { freePort, until } from '@swim/testing';

const BUILT_WITHIN_MS = 600_000;

/** Stripe's own mock of its API, a process: stateless, it checks each request against Stripe's OpenAPI document. */
export interface StripeMock {
  readonly url: string;
  stop(): void;
}

/** The program, which `npm test` builds beside the tests; throws a sentence that says why it cannot be had. */
async function program(): Promise<string> {
  const path = process.env.STRIPE_MOCK;
  const remedy = 'Install Go, or set STRIPE_MOCK to the path of a stripe-mock.';
  if (!path) throw new Error(`STRIPE_MOCK names no stripe-mock: run the tests by npm test. ${remedy}`);
  const isSettled = () => existsSync(path) || existsSync(`${path}.failed`);
  await until(isSettled, `stripe-mock is built at ${path}. ${remedy}`, BUILT_WITHIN_MS);
  if (existsSync(path)) return path;
  throw new Error(`stripe-mock cannot be built: ${readFileSync(`${path}.failed`, 'utf8')}. ${remedy}`);
}

export async function startStripeMock(): Promise<StripeMock> {
  const port = await freePort();
  const child = spawn(await program(), ['-http-addr', `127.0.0.1:${port}`], { stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}`;
  const answers = () =>
    fetch(url).then(
      () => true,
      () => false,
    );
  await until(answers, 'stripe-mock answers');
  return { url, stop: () => void child.kill() };
}
