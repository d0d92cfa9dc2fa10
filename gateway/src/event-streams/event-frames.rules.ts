import type { AccountEvent } from '@swim/contracts';

/** How long a client waits before it reconnects, ms, unless a stream that ends says otherwise. */
const RETRY_MS = 2_000;
/** Streams that end together are reopened over this time, ms. */
const RETRY_SPREAD_MS = 4_000;

/** A comment, which clients ignore: it shows that the connection lives. */
export const KEEP_ALIVE = ': keep-alive\n\n';

/** The first lines of a stream. A client that has received no event yet resumes at the position too. */
export const openingOf = (position: number): string => `retry: ${RETRY_MS}\nid: ${position}\n\n`;

/** The last lines of a stream that the server ends; `random` is from 0 to 1. */
export const closingOf = (random: number): string => `retry: ${RETRY_MS + Math.round(random * RETRY_SPREAD_MS)}\n\n`;

const frameOf = (event: AccountEvent): string => `id: ${event.sequence}\ndata: ${JSON.stringify(event)}\n\n`;

/** Events between the position of the client and the first one that is kept are gone. */
function truncatedFrame(position: number, first: number): string {
  const data = { last_event_id: position, first_sequence: first };
  return `id: ${first - 1}\nevent: truncated\ndata: ${JSON.stringify(data)}\n\n`;
}

/**
 * A page of events as server-sent events, after the event `position`. Where the first one does not follow it, `truncated`
 * comes first; position 0 requests whatever is kept.
 */
export function framesOf(events: readonly AccountEvent[], position: number): string {
  const [first] = events;
  const isTruncated = first !== undefined && position > 0 && first.sequence > position + 1;
  return (isTruncated ? truncatedFrame(position, first.sequence) : '') + events.map(frameOf).join('');
}
