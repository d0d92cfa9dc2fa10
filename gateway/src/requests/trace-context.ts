import type { IncomingMessage } from 'node:http';

const TRACEPARENT = /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

/** The client's trace context (W3C Trace Context, section 3.2); null when there is none of the version we know. */
export function readTraceparent({ headers }: IncomingMessage): string | null {
  const given = headers.traceparent;
  return typeof given === 'string' && TRACEPARENT.test(given) ? given : null;
}
