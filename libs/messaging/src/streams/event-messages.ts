import { type BusEvent, type ServiceName, SUBSCRIPTIONS } from '@swim/contracts';

const MOST_EVENTS = 16;
// This limit is far below that of NATS, because a redelivered message repeats all of its events.
const MOST_BYTES = 256 * 1024;
// When one event fails, all events of its message are redelivered, so their number is limited.
const MOST_EVENTS_TOGETHER = 32;
const MOST_BYTES_TOGETHER = 64 * 1024;

/** Adjacent events that are published in one message, and their JSON. */
export interface EventGroup {
  readonly events: readonly [BusEvent, ...BusEvent[]];
  readonly texts: readonly string[];
  /** The size of the texts. */
  readonly bytes: number;
}

/**
 * Groups adjacent events of the same object and write whose types have the same consumers, limited by count and bytes.
 * The result depends on the events only: a repeated publish has the same message ids.
 */
export function groupsOf(events: readonly BusEvent[]): EventGroup[] {
  const groups: EventGroup[] = [];
  for (const event of events) {
    const text = JSON.stringify(event);
    const own: EventGroup = { events: [event], texts: [text], bytes: Buffer.byteLength(text) };
    const last = groups.at(-1);
    const shares = last && isOfOneWrite(last.events[0], event) && haveSameConsumers(last, own);
    if (shares && last.events.length < MOST_EVENTS && last.bytes + own.bytes <= MOST_BYTES)
      groups[groups.length - 1] = joined([last, own]);
    else groups.push(own);
  }
  return groups;
}

interface Message<G> {
  readonly groups: G[];
  events: number;
  bytes: number;
}

/**
 * Combines groups of one environment whose types have the same consumers into messages, limited by count and bytes. The
 * groups of an object keep their order.
 */
export function messagesOf<G extends EventGroup>(groups: readonly G[]): G[][] {
  const messages: Message<G>[] = [];
  /** The index of the message that is being filled, by environment and consumers. */
  const open = new Map<string, number>();
  /** The index of the message with the latest events, by object. */
  const latest = new Map<string, number>();
  for (const group of groups) {
    const { env, objectId } = group.events[0];
    const key = `${env} ${consumersOf(group.events[0])}`;
    const current = open.get(key) ?? -1;
    const overtakes = (latest.get(objectId) ?? -1) > current;
    const isOpen = current >= 0 && !overtakes && hasRoom(messages[current]!, group);
    const index = isOpen ? current : messages.push({ groups: [], events: 0, bytes: 0 }) - 1;
    const message = messages[index]!;
    message.groups.push(group);
    message.events += group.events.length;
    message.bytes += group.bytes;
    open.set(key, index);
    latest.set(objectId, index);
  }
  return messages.map((message) => message.groups);
}

const hasRoom = <G>({ events, bytes }: Message<G>, group: EventGroup): boolean =>
  events + group.events.length <= MOST_EVENTS_TOGETHER && bytes + group.bytes <= MOST_BYTES_TOGETHER;

export function joined(groups: readonly EventGroup[]): EventGroup {
  const [first, ...others] = groups;
  return {
    events: [...first!.events, ...others.flatMap(({ events }) => events)],
    texts: groups.flatMap(({ texts }) => texts),
    bytes: groups.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

/** The body is the JSON of a single event, or an array of several. */
export const bodyOf = ({ texts }: EventGroup): string => (texts.length === 1 ? texts[0]! : `[${texts.join(',')}]`);

/**
 * The message id is the event's own id, or the ids of all events. JetStream drops a repeated group; it does not
 * recognise a group of events that were stored one by one.
 */
export const messageIdOf = ({ events }: EventGroup): string => events.map(({ id }) => id).join('+');

/** Reads the events of a message body, which is one event or an array. Throws when it contains none. */
export function eventsIn(body: unknown): BusEvent[] {
  if (!Array.isArray(body)) return [body as BusEvent];
  if (body.length === 0) throw new Error('A message without events.');
  return body as BusEvent[];
}

const haveSameConsumers = (a: EventGroup, b: EventGroup): boolean =>
  consumersOf(a.events[0]) === consumersOf(b.events[0]);

const isOfOneWrite = (a: BusEvent, b: BusEvent): boolean =>
  a.env === b.env &&
  a.objectId === b.objectId &&
  a.occurredAt === b.occurredAt &&
  a.cause.requestId === b.cause.requestId;

const consumers = new Map<string, string>();

function consumersOf({ type }: BusEvent): string {
  const known = consumers.get(type);
  if (known !== undefined) return known;
  const services = Object.keys(SUBSCRIPTIONS) as ServiceName[];
  const consumes = (service: ServiceName) => SUBSCRIPTIONS[service]!.some((each) => each === '*' || each.type === type);
  const names = services.filter(consumes).join(' ');
  consumers.set(type, names);
  return names;
}
