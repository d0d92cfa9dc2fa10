import { expect } from '@jest/globals';
import type { Environment, InputOf, Operation, OutputOf } from '@swim/contracts';
import { AppError } from '@swim/platform';
import { CrashableService, type RequestOptions, until, updateAll } from '@swim/testing';
import { lapse, type Surroundings, settleCharges, startSurroundings } from '../harness.js';

const PAST = new Date(0);
const DUE = { $type: 'date' };
// Longer than any delay between attempts, and shorter than the rest of a lease.
const MOST_PUT_OFF_MS = 20_000;
const WORK = ['payments', 'refunds'];
const COLLECTIONS = [...WORK, 'wallets'];

/** Payment on real servers, which crashes on demand. */
export interface CrashHarness extends Surroundings {
  service: CrashableService;
  /** Waits until no step and no event is left. */
  untilQuiet(): Promise<void>;
  /** Repeats the request until it succeeds, as a client does that retries under one key. */
  insist<O extends Operation>(operation: O, input: InputOf<O>, options: RequestOptions): Promise<OutputOf<O>>;
  /** Crashes payment after its nth write of this request, and starts a new instance; false when it outlived the request. */
  crashAt<O extends Operation>(n: number, operation: O, input: InputOf<O>, options: RequestOptions): Promise<boolean>;
  /** As `crashAt`, for any work; it goes on after the crash. */
  crashDuring(n: number, work: () => Promise<unknown>): Promise<boolean>;
  /** Expects the events of an object to be of these types, each published once. */
  expectPublished(id: string, types: string[]): Promise<void>;
}

/** Ends every lease, and makes everything due for recovery. */
async function lapseAll(payment: Surroundings, env: Environment): Promise<void> {
  const collection = (name: string) => payment.harness.database(`payment_${env}`).collection(name);
  const unsent = { relayAt: DUE };
  await lapse(payment, env);
  await settleCharges(payment);
  await updateAll(collection('idempotency'), { state: 'running' }, { leaseUntil: PAST });
  for (const name of COLLECTIONS) await updateAll(collection(name), unsent, { relayAt: PAST });
  await updateAll(collection('wallets'), { detachAt: DUE }, { detachAt: PAST });
  await updateAll(collection('payments'), { disputesAt: DUE }, { disputesAt: PAST });
}

/** Makes due the next attempt of work that waits for the processor; leases last longer, and stay. */
async function elapse(payment: Surroundings, env: Environment): Promise<void> {
  const nextAt = { $gt: PAST, $lt: new Date(Date.now() + MOST_PUT_OFF_MS) };
  const database = payment.harness.database(`payment_${env}`);
  for (const name of WORK) await updateAll(database.collection(name), { nextAt }, { nextAt: PAST });
  // The delay after a known failure of a refund is longer than a lease.
  await updateAll(database.collection('refunds'), { status: 'failed' }, { nextAt: PAST });
}

/** Whether no collection has work left: no step left, no event unpublished. */
async function isQuiet(payment: Surroundings, env: Environment): Promise<boolean> {
  const database = payment.harness.database(`payment_${env}`);
  const busy = [{ relayAt: DUE }, { nextAt: DUE }, { detachAt: DUE }, { disputesAt: DUE }];
  const left = COLLECTIONS.map((name) => database.collection(name).findOne({ $or: busy }));
  return (await Promise.all(left)).every((each) => each === null);
}

/** Payment, whose work in this environment crashes; `settings` are variables of its environment. */
export async function startCrashHarness(
  env: Environment = 'test',
  settings?: Record<string, string>,
): Promise<CrashHarness> {
  const payment = await startSurroundings(settings);
  // A short settling time, so that a payment whose process lives ends within its case.
  payment.harness.env.SANDBOX_SETTLING_MS = '300';
  const service = await CrashableService.start(payment.harness, {
    service: 'payment',
    load: async () => ({
      module: (await import('../../src/app.module.js')).AppModule,
      config: (await import('../../src/config.js')).config,
    }),
    lapse: () => lapseAll(payment, env),
    elapse: () => elapse(payment, env),
  });
  const isIdle = () => isQuiet(payment, env);
  return {
    ...payment,
    service,
    untilQuiet: () => service.idle(isIdle),
    insist: (operation, input, options) => insist(payment, operation, input, options),
    crashAt: (n, operation, input, options) =>
      service.crashDuring(n, () => payment.harness.call(operation, input, options), isIdle),
    crashDuring: (n, work) => service.crashDuring(n, work, isIdle),
    expectPublished: (id, types) => expectPublished(payment, id, types),
    async stop() {
      await service.stop();
      await payment.stop();
    },
  };
}

function insist<O extends Operation>(
  { harness }: Surroundings,
  operation: O,
  input: InputOf<O>,
  options: RequestOptions,
): Promise<OutputOf<O>> {
  const check = () =>
    harness.call(operation, input, options).catch((error: unknown) => {
      if (error instanceof AppError && ['SERVER_ERROR', 'CONFLICT'].includes(error.code)) return null;
      throw error;
    });
  return until(check, 'there is an answer') as Promise<OutputOf<O>>;
}

async function expectPublished({ events }: Surroundings, id: string, types: string[]): Promise<void> {
  const publishedEvents = () => events.filter(({ objectId }) => objectId === id);
  await until(() => publishedEvents().length >= types.length, `the events of ${id} are published`);
  expect(publishedEvents().map(({ type, n }) => [type, n])).toEqual(types.map((type, index) => [type, index + 1]));
}
