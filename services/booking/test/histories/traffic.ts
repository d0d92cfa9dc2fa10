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
  settlePayment,
  settleRefund,
  voidForBooking,
} from '@swim/contracts';
import { eventSubject, eventsIn } from '@swim/messaging';
import type { TestHarness } from '@swim/testing';

const LATE_WITHIN_MS = 1_000;
/** Requests between the services that change money; each may arrive late, and twice. */
const INTERNAL = [
  ...[reservePayment, settlePayment, reserveRefund, settleRefund, recordDispute],
  ...[refundForBooking, voidForBooking],
  ...[claimBooking, releaseBooking, cancelSessions, finalizeAttendances, recordReturns],
];
const ID = /\b(?:bkg|ses)_[0-9a-z]{26}\b/g;

type Msg = Awaited<ReturnType<TestHarness['connection']['request']>>;

/** A request between the services, as it was sent. */
type Sent = Pick<Msg, 'subject' | 'data'> & { headers: NonNullable<Msg['headers']> };

/** The payment or the refund that a request is about, where it is about one. */
export interface Requested {
  paymentId?: string;
  refundId?: string;
}

/** What the services send each other. It can be sent again, as a network does that delivers late and twice. */
export class Traffic {
  /** Requests by the ids of the bookings and sessions that they name. */
  private readonly requests = new Map<string, Set<Sent>>();
  /** Events by the object that they are about, each once. */
  private readonly events = new Map<string, Map<string, BusEvent>>();
  /** Events of sessions by their booking. */
  private readonly ofSessions = new Map<string, BusEvent[]>();

  private constructor(private readonly connection: TestHarness['connection']) {}

  /** Records all that is sent from now on. */
  static async record({ connection }: TestHarness): Promise<Traffic> {
    const traffic = new Traffic(connection);
    const onRequest = (_: unknown, { subject, data, headers }: Msg) =>
      traffic.keepRequest({ subject, data, headers: headers! });
    for (const { subject } of INTERNAL) connection.subscribe(subject, { callback: onRequest });
    const onMessage = (_: unknown, message: Msg) => {
      for (const event of eventsIn(message.json())) traffic.keepEvent(event);
    };
    connection.subscribe('event.test.>', { callback: onMessage });
    await connection.flush();
    return traffic;
  }

  /** Events of an object, each once. */
  eventsOf(objectId: string): BusEvent[] {
    return [...(this.events.get(objectId)?.values() ?? [])];
  }

  /**
   * Repeats a request between services that names one of these objects; its sender has long had the answer. `isForgotten`: whether
   * the sender keeps nothing of what it requested, which it does only when no such request can be on its way any more.
   */
  async repeatRequest(
    ids: string[],
    index: number,
    isForgotten: (requested: Requested) => Promise<boolean>,
  ): Promise<void> {
    const own = [...new Set(ids.flatMap((id) => [...(this.requests.get(id) ?? [])]))];
    const chosen = own[index % Math.max(own.length, 1)];
    if (!chosen || (await isForgotten(JSON.parse(Buffer.from(chosen.data).toString())))) return;
    const { headers } = chosen;
    headers.set('Deadline', String(Date.now() + LATE_WITHIN_MS));
    // Whatever it answers; a crashed instance does not.
    await this.connection
      .request(chosen.subject, chosen.data, { headers, timeout: LATE_WITHIN_MS, noMux: true })
      .catch(() => undefined);
  }

  /** Publishes an earlier event about a session of a booking again: a duplicate, and older than others that were consumed. */
  repeatEvent(bookingId: string, index: number): void {
    const own = this.ofSessions.get(bookingId) ?? [];
    const event = own[index % Math.max(own.length, 1)];
    if (event) this.connection.publish(eventSubject('scheduling', event), JSON.stringify(event));
  }

  /** Forgets all that was sent. */
  forget(): void {
    for (const each of [this.requests, this.events, this.ofSessions]) each.clear();
  }

  private keepRequest(sent: Sent): void {
    for (const [id] of Buffer.from(sent.data).toString().matchAll(ID))
      ofKey(this.requests, id, () => new Set()).add(sent);
  }

  private keepEvent(event: BusEvent): void {
    const known = ofKey(this.events, event.objectId, () => new Map());
    if (known.has(event.id)) return;
    known.set(event.id, event);
    const { booking_id: bookingId } = event.object as { booking_id?: string | null };
    if (bookingId && event.type.startsWith('session.')) ofKey(this.ofSessions, bookingId, () => []).push(event);
  }
}

/** The value of a key, made when there is none. */
function ofKey<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const value = map.get(key) ?? make();
  map.set(key, value);
  return value;
}
