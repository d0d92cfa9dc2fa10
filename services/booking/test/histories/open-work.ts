import type { ServiceName } from '@swim/contracts';
import { type TestHarness, updateAll } from '@swim/testing';
import { recoveryOf } from '../faults/crash-recovery.js';

export const CRASHING = ['booking', 'scheduling', 'payment'] as const;

/** Length of payment's leases: longer than any delay between two attempts of its work, so that a due time tells one from the other. */
export const PAYMENT_LEASE_MS = 110_000;
/** Longer than any lease and any delay between attempts, but shorter than an automatic refund waits for a dispute. */
const LONGEST_MS = 120_000;
/** The longest delay between attempts: that after a first refund that failed. */
const MOST_PUT_OFF_MS = 61_000;

const PAST = new Date(0);
const DUE = { $type: 'date' };

/** Documents of a service's collection whose work has a lease or waits: the field with the end of that, and which they are. */
type Due = [ServiceName, string, string, object];

/** The work that booking, scheduling and payment have left to do. */
export class OpenWork {
  constructor(private readonly harness: TestHarness) {}

  /** Ends all leases, and makes due what was postponed; work of live instances is superseded by that, too. */
  async lapse(): Promise<void> {
    await this.makeDue(dueOf(new Date(Date.now() + LONGEST_MS)));
  }

  /** Makes due what live instances have postponed. Ends no lease: that would supersede their work. */
  async elapse(): Promise<void> {
    const soon = { nextAt: { $gt: PAST, $lt: new Date(Date.now() + MOST_PUT_OFF_MS) } };
    await this.makeDue([
      ['payment', 'payments', 'nextAt', soon],
      ['payment', 'refunds', 'nextAt', soon],
    ]);
  }

  /** Some of what is left to do; empty when nothing is. */
  async some(): Promise<string[]> {
    for (const service of CRASHING) {
      const open = await this.of(service);
      if (open.length > 0) return open;
    }
    return [];
  }

  private async of(service: ServiceName): Promise<string[]> {
    const recovery = recoveryOf(() => this.harness);
    const found = await Promise.all([
      ...openOf(service).map(([name, filter]) => recovery.find(service, name, filter)),
      recovery.underWay(service),
    ]);
    return found.flat();
  }

  private async makeDue(due: Due[]): Promise<void> {
    await Promise.all(
      due.map(([service, name, field, filter]) => updateAll(this.stored(service, name), filter, { [field]: PAST })),
    );
  }

  private stored(service: ServiceName, name: string) {
    return this.harness.database(`${service}_test`).collection<{ _id: string }>(name);
  }
}

function openOf(service: ServiceName): [string, object][] {
  const now = new Date();
  // Once its lease is over, only the client could have it resumed: a late run of a request that was answered long ago.
  const running: [string, object] = ['idempotency', { state: 'running', leaseUntil: { $gt: now } }];
  if (service === 'scheduling')
    return [
      running,
      ['lessons', { $or: [{ dueAt: DUE }, { relayAt: DUE }] }],
      ['closures', { $or: [{ dueAt: DUE }, { relayAt: DUE }] }],
    ];
  if (service === 'booking')
    return [running, ['bookings', { $or: [{ freeing: true }, { status: 'pending', nextAt: { $lt: now } }] }]];
  const soon = { $lt: new Date(now.getTime() + LONGEST_MS) };
  const busy = { $or: [{ relayAt: DUE }, { nextAt: soon }, { disputesAt: DUE }] };
  return [
    running,
    ['payments', busy],
    ['refunds', busy],
    ['processor_charges', { $or: [{ noticeAt: DUE }, { state: 'processing' }] }],
  ];
}

function dueOf(latest: Date): Due[] {
  const isOpen = { $or: [{ cancelling: { $type: 'object' } }, { freeing: true }] };
  const soon = { nextAt: { $gt: PAST, $lt: latest } };
  const outboxes: [ServiceName, string][] = [
    ...(['payments', 'refunds', 'wallets'] as const).map((name): [ServiceName, string] => ['payment', name]),
    ['booking', 'bookings'],
    ...(['sessions', 'lessons', 'closures'] as const).map((name): [ServiceName, string] => ['scheduling', name]),
  ];
  return [
    ['booking', 'bookings', 'nextAt', { ...isOpen, nextAt: DUE }],
    ['booking', 'drafts', 'nextAt', { nextAt: DUE }],
    ['booking', 'bookings', 'requestsAt', { requestsAt: DUE }],
    ['booking', 'credits', 'dueAt', { dueAt: DUE }],
    ['scheduling', 'claims', 'until', { state: 'taking' }],
    ['scheduling', 'claims', 'dueAt', { _id: { $not: /\// }, dueAt: DUE }],
    ...['sessions', 'lessons', 'closures'].map((name): Due => ['scheduling', name, 'dueAt', { dueAt: DUE }]),
    ['payment', 'payments', 'nextAt', soon],
    ['payment', 'payments', 'disputesAt', { disputesAt: DUE }],
    ['payment', 'refunds', 'nextAt', soon],
    ...CRASHING.map((service): Due => [service, 'idempotency', 'leaseUntil', { state: 'running' }]),
    ...outboxes.map(([service, name]): Due => [service, name, 'relayAt', { relayAt: DUE }]),
  ];
}
