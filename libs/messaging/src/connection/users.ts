import type { ProcessName } from '@swim/contracts';

/**
 * Requests have a NATS account without JetStream, so that no stream can store them. Events, streams and counters have
 * the other.
 */
export type BusAccount = 'rpc' | 'events';

/** This process makes the streams and consumers, in the account `events`. */
export const BUS_SETUP = 'bus-setup' as const;

export type BusProcess = ProcessName | typeof BUS_SETUP;

export const userOf = (process: BusProcess, account: BusAccount): string => `${process}-${account}`;

/** Prefix of the subjects on which a process receives replies. */
export const inboxOf = (process: BusProcess): string => `_INBOX.${process}`;
