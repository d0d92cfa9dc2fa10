import { type BusEvent, id, timestamp } from '@swim/contracts';
import { z } from 'zod';

// A record of zod copies it, key by key.
const keyed = z.custom<Record<string, unknown>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
);

const incomingEvent = z.object({
  id: id('evt'),
  n: z.int().min(1),
  type: z.string().min(1),
  env: z.enum(['live', 'test']),
  occurredAt: timestamp,
  audience: z.array(z.string()),
  objectId: z.string().min(1),
  object: keyed,
  previous: keyed.optional(),
  cause: z.object({
    requestId: z.string().nullable(),
    idempotencyKey: z.string().nullable(),
    actor: z.string(),
    accountId: z.string(),
    traceparent: z.string().optional(),
    isQuiet: z.boolean().optional(),
  }),
});

/** An event whose `object` is an object. */
export type IncomingEvent = BusEvent<Record<string, unknown>>;

/**
 * Reads a message from the bus. Throws for anything but an event, so that it goes to the dead letters.
 */
export function readEvent(raw: unknown): IncomingEvent {
  const read = incomingEvent.safeParse(raw);
  if (read.success) return read.data as IncomingEvent;
  const wrong = read.error.issues.map((issue) => issue.path.join('.') || 'the whole of it');
  throw new Error(`Not an event: ${[...new Set(wrong)].join(', ')}`);
}
