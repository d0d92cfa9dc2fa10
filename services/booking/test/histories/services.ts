import {
  type BusEvent,
  cancelSessions,
  claimBooking,
  finalizeAttendances,
  recordDispute,
  recordReturns,
  refundForBooking,
  releaseBooking,
  reservePayment,
  reserveRefund,
  type ServiceName,
  settlePayment,
  settleRefund,
  voidForBooking,
} from '@swim/contracts';
import { eventSubject } from '@swim/messaging';
import { CrashableService, collectMessages, startHarness, type TestHarness, until } from '@swim/testing';
import { recoveryOf } from '../crash-recovery.js';
import { FakePeople } from '../fake-people.js';

const PAST = new Date(0);
const DUE = { $type: 'date' };
/** Longer than a history: only a crash ends leases. Charges of the slow card are settled at once. */
const TIMES = {
  SAGA_LEASE_MS: '30000',
  IDEMPOTENCY_LEASE_MS: '60000',
  CLAIM_LEASE_MS: '60000',
  PAYMENT_LEASE_MS: '60000',
  PAYMENT_GIVE_UP_MS: '3600000',
  SANDBOX_SETTLING_MS: '200',
};
// Longer than any lease and any delay between attempts, but shorter than an automatic refund waits for a dispute.
const LONGEST_MS = 120_000;
// Longer than any delay between attempts, and shorter than the rest of a lease.
const MOST_PUT_OFF_MS = 20_000;
const LAPSE_EACH_MS = 20_000;
const LATE_WITHIN_MS = 5_000;
const CRASHING = ['booking', 'scheduling', 'payment'] as const;
/** Requests between the services that change money; each may arrive late, and twice. */
const INTERNAL = [
  ...[reservePayment, settlePayment, reserveRefund, settleRefund, recordDispute],
  ...[refundForBooking, voidForBooking],
  ...[claimBooking, releaseBooking, cancelSessions, finalizeAttendances, recordReturns],
];

type Msg = Awaited<ReturnType<TestHarness['connection']['request']>>;

/** A message between the services, as it was sent. */
type Sent = Pick<Msg, 'subject' | 'data'> & { headers: NonNullable<Msg['headers']> };

/** Booking, scheduling and payment on real servers, with a fake of people. Each crashes on demand. */
export class Services {
  readonly people: FakePeople;
  private readonly crashing = new Map<ServiceName, CrashableService>();
  private readonly sent: Sent[] = [];
  private readonly received: BusEvent[] = [];
  private lapsedAtMs = performance.now();

  private constructor(readonly harness: TestHarness) {
    this.people = new FakePeople(harness);
  }

  static async start(): Promise<Services> {
    const harness = await startHarness();
    Object.assign(harness.env, TIMES);
    const services = new Services(harness);
    await services.listen();
    for (const service of CRASHING) services.crashing.set(service, await services.startOne(service));
    return services;
  }

  /** Documents of a service in the sandbox. */
  stored<D extends { _id: string }>(service: ServiceName, name: string) {
    return this.harness.database(`${service}_test`).collection<D>(name);
  }

  /** Events of an object, in the order of arrival, each once. */
  eventsOf(objectId: string): BusEvent[] {
    return this.received.filter((event) => event.objectId === objectId);
  }

  /** Crashes a service after its nth write from now, unless a crash of it is to come; a new instance takes over. */
  crash(index: number, n: number): void {
    const service = this.crashing.get(CRASHING[index % CRASHING.length]!)!;
    if (!service.isArmed) void service.crashAtWrite(n);
  }

  /** Repeats a request between services that names one of these objects; its sender has long had the answer. */
  async repeatRequest(ids: string[], index: number): Promise<void> {
    const own = this.sent.filter(({ data }) => mentions(data, ids));
    const chosen = own[index % Math.max(own.length, 1)];
    if (!chosen) return;
    const { headers } = chosen;
    headers.set('Deadline', String(Date.now() + LATE_WITHIN_MS));
    // Whatever it answers; a crashed instance does not.
    await this.harness.connection
      .request(chosen.subject, chosen.data, { headers, timeout: LATE_WITHIN_MS, noMux: true })
      .catch(() => undefined);
  }

  /** Publishes an earlier event about a session of a booking again: a duplicate, and older than others that were consumed. */
  async repeatEvent(bookingId: string, index: number): Promise<void> {
    const own = this.received.filter(({ object }) => (object as { booking_id?: string }).booking_id === bookingId);
    const event = own[index % Math.max(own.length, 1)];
    if (event) this.harness.connection.publish(eventSubject('scheduling', event), JSON.stringify(event));
  }

  /** Waits until nothing is left to do, and every crash has happened or is cancelled. */
  async untilIdle(): Promise<void> {
    for (const service of this.crashing.values()) service.disarm();
    await until(() => [...this.crashing.values()].every(({ isArmed }) => !isArmed), 'all services run');
    const isIdle = async () => (await Promise.all(CRASHING.map((service) => this.isIdle(service)))).every(Boolean);
    await this.crashing.get('payment')!.idle(isIdle);
  }

  async stop(): Promise<void> {
    for (const service of this.crashing.values()) await service.stop();
    await this.harness.stop();
  }

  private async listen(): Promise<void> {
    const { connection } = this.harness;
    const callback = (_: unknown, { subject, data, headers }: Msg) =>
      void this.sent.push({ subject, data, headers: headers! });
    for (const { subject } of INTERNAL) connection.subscribe(subject, { callback });
    const events = await collectMessages<BusEvent>(connection, 'event.test.>');
    Object.assign(this, { received: events });
  }

  private startOne(service: ServiceName): Promise<CrashableService> {
    // The others as they are built: services share messages only.
    const built = (file: string) => import(new URL(`../../../${service}/dist/${file}`, import.meta.url).href);
    return CrashableService.start(this.harness, {
      service,
      load: async () =>
        service === 'booking'
          ? {
              module: (await import('../../src/app.module.js')).AppModule,
              config: (await import('../../src/config.js')).config,
            }
          : { module: (await built('app.module.js')).AppModule, config: (await built('config.js')).config },
      lapse: () => this.lapse(),
      elapse: () => this.elapse(),
    });
  }

  /** Ends all leases, and makes due what was postponed; work of live instances is superseded by that, too. */
  private async lapse(): Promise<void> {
    const make = ([service, name, field, filter]: Due) =>
      this.stored(service, name).updateMany(filter, { $set: { [field]: PAST } } as object);
    // A payment in progress has a lease of a minute.
    await Promise.all(dueOf(new Date(Date.now() + LONGEST_MS)).map(make));
  }

  /**
   * Makes due what live instances have postponed. Leases end now and then only: while each attempt of a busy machine outlives the
   * time between two calls, ending them would supersede every attempt.
   */
  private async elapse(): Promise<void> {
    if (performance.now() - this.lapsedAtMs > LAPSE_EACH_MS) {
      this.lapsedAtMs = performance.now();
      return this.lapse();
    }
    const soon = { nextAt: { $gt: PAST, $lt: new Date(Date.now() + MOST_PUT_OFF_MS) } };
    const due = { $set: { nextAt: PAST } } as object;
    for (const name of ['payments', 'refunds']) await this.stored('payment', name).updateMany(soon as object, due);
  }

  private async isIdle(service: ServiceName): Promise<boolean> {
    if (service !== 'payment') return this.hasNoneOpen(service);
    const soon = { $lt: new Date(Date.now() + LONGEST_MS) };
    const busy = { $or: [{ relayAt: DUE }, { nextAt: soon }, { disputesAt: DUE }] } as object;
    const open = { $or: [{ noticeAt: DUE }, { state: 'processing' }] } as object;
    const found = await Promise.all([
      ...['payments', 'refunds'].map((name) => this.stored('payment', name).findOne(busy)),
      this.stored('payment', 'processor_charges').findOne(open),
      this.stored('payment', 'idempotency').findOne({ state: 'running' } as object),
    ]);
    return found.every((each) => each === null);
  }

  private async hasNoneOpen(service: ServiceName): Promise<boolean> {
    if (!(await recoveryOf(() => this.harness).isIdle(service)())) return false;
    const ending = { $or: [{ freeing: true }, { status: 'pending', nextAt: { $lt: new Date() } }] };
    return service !== 'booking' || (await this.stored('booking', 'bookings').findOne(ending as object)) === null;
  }
}

/** Documents of a service's collection whose work has a lease or waits: the field with the end of that, and which they are. */
type Due = [ServiceName, string, string, object];

function dueOf(latest: Date): Due[] {
  const isOpen = { $or: [{ status: 'claiming' }, { cancelling: { $type: 'object' } }, { freeing: true }] };
  const soon = { nextAt: { $gt: PAST, $lt: latest } };
  const outboxes: [ServiceName, string][] = [
    ...(['payments', 'refunds', 'wallets'] as const).map((name): [ServiceName, string] => ['payment', name]),
    ...[['booking', 'bookings'] as [ServiceName, string], ['scheduling', 'sessions'] as [ServiceName, string]],
  ];
  return [
    ['booking', 'bookings', 'nextAt', { ...isOpen, nextAt: DUE }],
    ['booking', 'bookings', 'requestsAt', { requestsAt: DUE }],
    ['booking', 'credits', 'dueAt', { dueAt: DUE }],
    ['scheduling', 'claims', 'until', { state: 'taking' }],
    ['scheduling', 'claims', 'dueAt', { _id: { $not: /\// }, dueAt: DUE }],
    ['scheduling', 'sessions', 'dueAt', { dueAt: DUE }],
    ['payment', 'payments', 'nextAt', soon],
    ['payment', 'payments', 'disputesAt', { disputesAt: DUE }],
    ['payment', 'refunds', 'nextAt', { $or: [soon, { status: 'failed', nextAt: DUE }] }],
    ...CRASHING.map((service): Due => [service, 'idempotency', 'leaseUntil', { state: 'running' }]),
    ...outboxes.map(([service, name]): Due => [service, name, 'relayAt', { relayAt: DUE }]),
  ];
}

const mentions = (data: Uint8Array, ids: string[]): boolean => {
  const text = Buffer.from(data).toString();
  return ids.some((id) => text.includes(id));
};
