import type { ProcessName } from '@swim/contracts';

/** Accounts of NATS: requests, without JetStream, so that no stream can store them; events, streams and counters. */
export type BusAccount = 'rpc' | 'events';

/** The user of a process in an account. */
export const userOf = (process: ProcessName, account: BusAccount): string => `${process}-${account}`;

/** Prefix of the subjects on which a process receives replies. */
export const inboxOf = (process: ProcessName): string => `_INBOX.${process}`;
