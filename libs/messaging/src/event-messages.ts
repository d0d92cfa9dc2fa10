import { type BusEvent, type ServiceName, SUBSCRIPTIONS } from '@swim/contracts';

const MOST_EVENTS = 16;
// Far below the most that a message may have: one that is delivered again brings all of its events again.
const MOST_BYTES = 256 * 1024;

/** Events that are published as one message, and its body: the JSON of one event, or an array of the JSON of several. */
export interface EventGroup {
  readonly events: readonly [BusEvent, ...BusEvent[]];
  readonly body: string;
}

interface Gathered {
  readonly events: [BusEvent, ...BusEvent[]];
  readonly texts: string[];
  bytes: number;
}

/**
 * Splits events into those that share a message: adjacent ones of one object and one write whose types have the same consumers,
 * bounded by count and bytes. The same write is split in the same way each time, which keeps the message ids.
 */
export function groupsOf(events: readonly BusEvent[]): EventGroup[] {
  const groups: Gathered[] = [];
  for (const event of events) {
    const text = JSON.stringify(event);
    const bytes = Buffer.byteLength(text);
    const last = groups.at(-1);
    if (last && fits(last, bytes) && canShare(last.events[0], event)) {
      last.events.push(event);
      last.texts.push(text);
      last.bytes += bytes;
    } else groups.push({ events: [event], texts: [text], bytes });
  }
  return groups.map(({ events: own, texts }) => ({
    events: own,
    body: texts.length === 1 ? texts[0]! : `[${texts.join(',')}]`,
  }));
}

/**
 * The message id of a group: the event's own id, or all of them. A stream drops a repeated group, and never a group of which it
 * has single events only.
 */
export const messageIdOf = ({ events }: EventGroup): string => events.map(({ id }) => id).join('+');

/** The events in the body of a message, in order: one, or those of a group. Throws where there is none. */
export function eventsIn(body: unknown): BusEvent[] {
  if (!Array.isArray(body)) return [body as BusEvent];
  if (body.length === 0) throw new Error('A message without events.');
  return body as BusEvent[];
}

const fits = ({ events, bytes }: Gathered, more: number): boolean =>
  events.length < MOST_EVENTS && bytes + more <= MOST_BYTES;

const canShare = (a: BusEvent, b: BusEvent): boolean => isOfOneWrite(a, b) && consumersOf(a) === consumersOf(b);

const isOfOneWrite = (a: BusEvent, b: BusEvent): boolean =>
  a.env === b.env &&
  a.objectId === b.objectId &&
  a.occurredAt === b.occurredAt &&
  a.cause.requestId === b.cause.requestId;

const consumers = new Map<string, string>();

/** The names of the services that consume events of this type. */
function consumersOf({ type }: BusEvent): string {
  const known = consumers.get(type);
  if (known !== undefined) return known;
  const services = Object.keys(SUBSCRIPTIONS) as ServiceName[];
  const consumes = (service: ServiceName) => SUBSCRIPTIONS[service]!.some((each) => each === '*' || each.type === type);
  const names = services.filter(consumes).join(' ');
  consumers.set(type, names);
  return names;
}
