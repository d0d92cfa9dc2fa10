import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ChaosProxy, freePort, until } from '@swim/testing';
import type { Difference } from '../../src/audit/audited-money.rules.js';
import { type BookingFixture, startFixture, times } from '../harness.js';
import { faultsIn } from './audit-faults.js';
import { moneyIn } from './money.js';
import { storedMoneyIn } from './stored-money.js';

const PROGRAM = fileURLToPath(new URL('../../dist/audit.js', import.meta.url));
const SETTLED = { AUDIT_SETTLED_SECONDS: '120' };

let fixture: BookingFixture;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(() => fixture.stop());

const { create, record } = moneyIn(() => fixture);
const { age, change, collectionOf, storePayment, ...stored } = storedMoneyIn(() => fixture);
const { aPaidBooking, aRefundedBooking, anAbandonedRefund, someCredit } = stored;
const paidInCash = async () => {
  const booking = await create({ sessions: times(9) });
  await storePayment(booking.id, await record(booking), { method: 'cash' });
};
const faults = faultsIn(() => fixture);
const environment = () => ({ ...process.env, ...fixture.harness.env, NODE_OPTIONS: '', ...SETTLED });

interface Audited {
  code: number;
  differences: Difference[];
  results: object[];
}

const run = (env: NodeJS.ProcessEnv): Promise<{ code: number; stdout: string; stderr: string }> =>
  promisify(execFile)(process.execPath, [PROGRAM], { env }).then(
    (printed) => ({ ...printed, code: 0 }),
    (error) => error,
  );

/** Runs one audit; returns its exit code and its lines. */
async function audit(): Promise<Audited> {
  const { code, stdout } = await run(environment());
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  return { code, differences: lines.filter(({ kind }) => kind), results: lines.filter(({ kind }) => !kind) };
}

describe('npm run audit', () => {
  it('finds nothing in what was booked, paid by card and in cash, refunded, lost in a dispute, and spent of credits, and exits with 0', async () => {
    await Promise.all([aPaidBooking(), aRefundedBooking(), anAbandonedRefund(), someCredit(), create(), paidInCash()]);
    const settled = async () => {
      await age();
      const audited = await audit();
      return audited.results.every((result) => (result as { leftOut: number }).leftOut === 0) ? audited : null;
    };
    expect(await until(settled, 'no change is made any more')).toEqual({
      code: 0,
      differences: [],
      results: [
        { env: 'live', bookings: 0, payments: 0, leftOut: 0, differences: 0 },
        { env: 'test', bookings: 7, payments: 5, leftOut: 0, differences: 0 },
      ],
    });
  });

  it('leaves out what has changed within two minutes', async () => {
    const { paymentId } = await aPaidBooking();
    await change('payments', paymentId, { $set: { amountCents: 1 } });
    await age();
    await change('payments', paymentId, { $set: { updatedAt: new Date() } });
    const { code, results } = await audit();
    expect([code, results[1]]).toEqual([0, expect.objectContaining({ leftOut: 2, differences: 0 })]);
    await collectionOf('payments').updateOne({ _id: paymentId }, { $set: { amountCents: 5_000 } });
  });

  it('exits with 2 when it cannot read', async () => {
    const address = new URL(fixture.harness.env.MONGODB_URI!);
    Object.assign(address, { username: 'nobody', password: 'wrong' });
    const { code, stderr } = await run({ ...environment(), MONGODB_URI: address.href });
    expect(code).toBe(2);
    expect(stderr).toContain('The audit could not be completed');
  });
});

describe('an audit of a database with a fault', () => {
  const planted: Partial<Difference>[] = [];
  let found: Audited;
  beforeAll(async () => {
    for (const [, plant] of faults) planted.push(await plant());
    await age();
    found = await audit();
  });

  it.each(faults.map(([kind], index) => [kind, index] as const))('reports %s (%#)', (kind, index) => {
    const fault = planted[index]!;
    const own = found.differences.filter(({ bookingId }) => bookingId === fault.bookingId);
    expect(own).toContainEqual(expect.objectContaining({ env: 'test', kind, ...fault }));
  });

  it('exits with 1, and reports nothing else than the bookings with faults', () => {
    expect(found.code).toBe(1);
    const faulty = new Set(planted.map(({ bookingId }) => bookingId));
    expect(new Set(found.differences.map(({ bookingId }) => bookingId))).toEqual(faulty);
  });

  it('has ids, amounts and a sentence in each line', () => {
    const fields = ['env', 'kind', 'bookingId', 'paymentId', 'refundId', 'sessionId', 'creditId'];
    const allowed = new Set([...fields, 'ledgerCents', 'otherCents', 'meaning']);
    expect(found.differences.flatMap(Object.keys).filter((field) => !allowed.has(field))).toEqual([]);
  });

  describe('with AUDIT_MINUTES', () => {
    let running: ChildProcess | undefined;
    afterEach(() => void running?.kill('SIGKILL'));

    /** Starts it; returns its origin and what it prints. */
    async function start(more: NodeJS.ProcessEnv = {}) {
      const port = await freePort();
      const env = { ...environment(), HEALTH_PORT: String(port), LOG_LEVEL: 'error', ...more };
      const child = spawn(process.execPath, [PROGRAM], { env, stdio: ['ignore', 'pipe', 'inherit'] });
      running = child;
      const printed: string[] = [];
      child.stdout.on('data', (bytes) => printed.push(String(bytes)));
      const exited = new Promise((resolve) => child.once('exit', resolve));
      return { origin: `http://127.0.0.1:${port}`, child, exited, printed };
    }

    it('is repeated, and shows its result and its time as metrics', async () => {
      const { origin, child, exited, printed } = await start({ AUDIT_MINUTES: '0.02' });
      const metric = async (name: string) => {
        const text = await fetch(`${origin}/metrics`).then(
          (response) => response.text(),
          () => '',
        );
        return Number(new RegExp(`^${name}\\{env="test"\\} (\\S+)$`, 'm').exec(text)?.[1]);
      };
      const completed = await until(() => metric('swim_audit_completed_timestamp_seconds'), 'an audit is completed');
      expect(await metric('swim_audit_differences')).toBe(found.differences.length);
      await until(async () => (await fetch(`${origin}/health`)).status === 200, 'it is healthy');
      const isRepeated = async () => (await metric('swim_audit_completed_timestamp_seconds')) > completed;
      await until(isRepeated, 'another audit is completed');
      child.kill('SIGTERM');
      expect(await exited).toBe(0);
      expect(printed.join('')).toContain(planted[0]!.paymentId);
    });

    it('is not healthy while its database cannot be reached, and audits once it can', async () => {
      const proxy = await ChaosProxy.before(fixture.harness.env.MONGODB_URI!);
      proxy.disturb({ unreachable: true });
      const { origin, printed } = await start({ AUDIT_MINUTES: '0.02', MONGODB_URI: proxy.uri });
      const health = () =>
        fetch(`${origin}/health`).then(
          (response) => response.json() as Promise<object>,
          () => null,
        );
      expect(await until(health, 'it answers')).toEqual({ status: 'unavailable', failing: ['database'] });
      await until(() => printed.join('').includes('could not be completed'), 'an audit fails');
      proxy.disturb({});
      await until(() => printed.join('').includes(planted[0]!.paymentId!), 'an audit is completed');
      await proxy.close();
    });
  });
});
