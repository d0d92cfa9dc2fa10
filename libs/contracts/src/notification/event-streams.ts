import { z } from 'zod';
import { rpc } from '../operations/operation.js';
import { accountEvent, sequence } from './notification.js';

/** The most event streams of an account and environment at a time (contract, Events and webhooks). */
export const MOST_EVENT_STREAMS = 20;
/** For so long a stream occupies its place without being renewed. */
export const EVENT_STREAM_LEASE_MS = 30_000;
/** The most streams of one request to renew or close them. */
export const MOST_STREAM_LEASES = 500;

/** The place of a stream among those of its account. */
const streamLease = z.strictObject({
  accountId: z.string(),
  slot: z
    .int()
    .min(0)
    .max(MOST_EVENT_STREAMS - 1),
  /** Random; names this stream. */
  token: z.string().min(16).max(64),
});
export type StreamLease = z.output<typeof streamLease>;

/**
 * Opens a stream of the account's events. `last_event_id` is the sequence of the last event that the client has, 0 for all
 * that is kept; by default the stream begins after the newest event.
 */
export const openEventStream = rpc('notification.openEventStream', {
  summary: 'Stream events',
  description: 'Sends events as they happen, and resumes after `Last-Event-ID`.',
  kind: 'write',
  input: z.strictObject({ last_event_id: sequence.optional() }),
  output: z.object({
    lease: streamLease,
    /** Events after this sequence follow. */
    position: z.int(),
  }),
  errors: ['limit_reached', 'out_of_range'],
  isIsolated: true,
  whileClosing: true,
});

const someLeases = z.strictObject({ streamLeases: z.array(streamLease).min(1).max(MOST_STREAM_LEASES) });

/** Prolongs leases; answers the tokens of those that have lapsed and were taken over, or removed. */
export const renewEventStreams = rpc('notification.renewEventStreams', {
  kind: 'write',
  input: someLeases,
  output: z.object({ lost: z.array(z.string()) }),
  isIsolated: true,
  whileClosing: true,
});

/** Releases leases; without effect for those that are gone. */
export const closeEventStreams = rpc('notification.closeEventStreams', {
  kind: 'write',
  input: someLeases,
  output: z.object({}),
  isIsolated: true,
  whileClosing: true,
});

/** The account's first events after a sequence, oldest first, for its streams: a page without the total of a list. */
export const readEvents = rpc('notification.readEvents', {
  kind: 'read',
  input: z.strictObject({ afterSequence: z.int().min(0) }),
  output: z.object({
    events: z.array(accountEvent),
    /** Whether more events follow at once. */
    hasMore: z.boolean(),
  }),
  isIsolated: true,
});
