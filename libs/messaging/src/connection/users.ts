import type { ProcessName } from '@swim/contracts';

/** Accounts of NATS: requests, without JetStream, so that no stream can store them; events, streams and counters. */
export type BusAccount = 'rpc' | 'events';

/** Makes the streams and consumers of the bus, in the account of events. */
export const BUS_SETUP = 'bus-setup' as const;

/** A process that connects to NATS. */
export type BusProcess = ProcessName | typeof BUS_SETUP;

/** The user of a process in an account. */
export const userOf = (process: BusProcess, account: BusAccount): string => `${process}-${account}`;

/** Prefix of the subjects on which a process receives replies. */
export const inboxOf = (process: BusProcess): string => `_INBOX.${process}`;
