import { type BusEvent, type ServiceName, SUBSCRIPTIONS } from '@swim/contracts';

const MOST_EVENTS = 16;
// This limit is far below that of NATS, because a redelivered message repeats all of its events.
const MOST_BYTES = 256 * 1024;

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
      groups[groups.length - 1] = joined(last, own);
    else groups.push(own);
  }
  return groups;
}

const joined = (group: EventGroup, own: EventGroup): EventGroup => ({
  events: [...group.events, ...own.events],
  texts: [...group.texts, ...own.texts],
  bytes: group.bytes + own.bytes,
});

/** The body is the JSON of a single event, or an array of several. */
export const bodyOf = ({ texts }: EventGroup): string => (texts.length === 1 ? texts[0]! : `[${texts.join(',')}]`);

/**
 * The message id is the ids of all events, and when they occurred: numbers, and with them ids, come again after a backup was restored.
 * JetStream drops a repeated group; it does not recognise a group of events that were stored one by one.
 */
export const messageIdOf = ({ events }: EventGroup): string =>
  `${events.map(({ id }) => id).join('+')}@${events[0].occurredAt}`;

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
