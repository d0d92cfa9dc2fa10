/** For rows without personal data, and for rows that a client does not see as the account's. */
export const kept = { erase: { how: 'keep' }, reset: { how: 'keep' } } as const;
/** For a field with a value. */
export const some = { $exists: true, $ne: null } as const;
/** For the first item of a list. It is not compared with null: the items have no field `0`, which counts as null. */
export const any = { $exists: true } as const;
const idempotency = {
  erase: { how: 'remove', of: 'accountId' },
  // Without the record of a request in progress, its repetition would take effect once more. One that has failed is not in progress: what
  // its repetition makes after the reset would have the ids, and so the time, of the first run.
  reset: {
    how: 'remove',
    of: 'accountId',
    unless: (now: Date) => ({ state: 'running', leaseUntil: { $gt: now } }),
  },
  exportedAs: null,
  why: 'Answers of the last 24 hours, kept to be repeated; their contents are exported with the objects themselves.',
} as const;
/** The row of a service that imports `MemberKeysModule`. */
export const erasedMembers = {
  ...kept,
  exportedAs: null,
  why: 'Ids and instants of erasures, so that late work finds that there was one.',
} as const;
/** The row of a service with texts about members. */
export const personalKeys = {
  erase: { how: 'by_service' },
  reset: { how: 'keep' },
  exportedAs: null,
  why: 'In a database of its own: one key per member with texts, or per account (notes of bookings, reviews without a known member). A destroyed key leaves only a mark, so that no other is created.',
} as const;
const migrations = { ...kept, exportedAs: null, why: 'Names of data migrations, and how far they are.' } as const;
const engineProbe = { ...kept, exportedAs: null, why: 'Made and emptied at each start.' } as const;
const published = {
  ...kept,
  exportedAs: null,
  why: 'Events of the last hour, without names, free text, metadata and Idempotency-Keys, in case NATS loses them; they go by themselves.',
} as const;
/** Rows of the collections that this library makes for every service. */
export const ofEveryService = { idempotency, migrations, engine_probe: engineProbe, published } as const;
