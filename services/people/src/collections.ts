import { type Collections, kept, personalKeys } from '@swim/mongo';

/** The collections of this service. A test demands a row for each. */
export const COLLECTIONS: Collections = {
  personal_keys: personalKeys,
  accounts: {
    erase: { how: 'by_service' },
    reset: { how: 'by_service' },
    exportedAs: 'account',
    why: 'Emptied last. Its id stays, and a school’s policies, by which lessons of other accounts were booked.',
  },
  api_keys: {
    erase: { how: 'remove', of: 'accountId' },
    reset: { how: 'keep' },
    exportedAs: 'keys',
    why: 'Ended before anything else, so that nothing new is written; removed once all gateways know.',
  },
  members: {
    erase: { how: 'by_service' },
    reset: { how: 'by_service' },
    exportedAs: 'members',
    why: 'Each is erased like a single one, with its event. Rights of an erased school, and its notes about members of others, are removed.',
  },
  lessons: {
    erase: { how: 'remove', of: 'readers' },
    reset: { how: 'remove', of: 'readers', madeBy: { field: '_id', ids: 'ses' } },
    exportedAs: 'progress',
    why: 'How the lessons of its members ended; what is exported is the progress of a member.',
  },
  connections: {
    erase: { how: 'by_service' },
    reset: { how: 'by_service' },
    exportedAs: 'connections',
    why: 'Ended as by the account, which ceases to read them; the other side keeps ids. An external id goes with either side.',
  },
  imports: {
    erase: { how: 'remove', of: 'accountId' },
    reset: { how: 'remove', of: 'accountId', madeBy: { field: '_id', ids: 'imp' } },
    exportedAs: 'imports',
    why: 'How many rows a school has imported, and what was wrong with which.',
  },
  import_rows: {
    erase: { how: 'remove', of: 'accountId' },
    reset: { how: 'remove', of: 'accountId' },
    exportedAs: null,
    why: 'Encrypted rows that are not processed yet, and tokens of those that are; gone once their import is done.',
  },
  instructors: {
    erase: { how: 'by_service' },
    reset: { how: 'by_service' },
    exportedAs: 'instructors',
    why: 'Emptied, without readers from then on: lessons of other accounts keep the id.',
  },
  reviews: {
    erase: { how: 'by_service' },
    reset: { how: 'by_service' },
    exportedAs: 'reviews',
    why: 'Stars stay in the rating, words, author and member go; of an erased school’s instructors the words go.',
  },
  access_log: {
    erase: { how: 'remove', of: 'readers' },
    reset: { how: 'remove', of: 'readers' },
    exportedAs: 'access_log',
    why: 'Ids and networks: which key was answered which members of the account. What the logs of others say of its keys is theirs, for a year.',
  },
  erasures: {
    ...kept,
    exportedAs: null,
    why: 'Ids and instants of erasures: what is replayed after a backup was restored.',
  },
  data_keys: {
    erase: { how: 'by_service' },
    reset: { how: 'keep' },
    exportedAs: null,
    why: 'Wraps the personal keys of its members, which nothing unwraps once it is destroyed. A key is no data of anybody.',
  },
  // In the third database, that of the dashboard’s users: it belongs to neither environment, so that the service itself empties it,
  // when the live account is erased.
  users: {
    erase: { how: 'by_service' },
    reset: { how: 'keep' },
    exportedAs: 'users',
    why: 'Users of the dashboard, in the third database: when the live account is erased, each loses it; who has no other one is removed, with the key of its texts.',
  },
  user_owners: {
    erase: { how: 'by_service' },
    reset: { how: 'keep' },
    exportedAs: null,
    why: 'Ids of the users who are owners, so that one stays; they go with the users.',
  },
  second_factors: {
    erase: { how: 'by_service' },
    reset: { how: 'keep' },
    exportedAs: null,
    why: 'Encrypted secrets of authenticator apps, public keys of passkeys and keyed hashes of recovery codes; they go with the users.',
  },
  pending_sign_ins: {
    erase: { how: 'keep' },
    reset: { how: 'keep' },
    exportedAs: null,
    why: 'Sign-ins that wait for a second factor, for ten minutes: ids, keyed hashes and challenges.',
  },
  user_sessions: {
    erase: { how: 'by_service' },
    reset: { how: 'keep' },
    exportedAs: null,
    why: 'Keyed hashes of cookies and networks: ended first, and removed with the users.',
  },
  user_links: {
    erase: { how: 'by_service' },
    reset: { how: 'keep' },
    exportedAs: 'invitations',
    why: 'Links in e-mails, each for days at most; texts are encrypted. Those of the account go with its users; open invitations are exported.',
  },
  sign_in_counts: {
    erase: { how: 'keep' },
    reset: { how: 'keep' },
    exportedAs: null,
    why: 'How often an address, a user or a network has tried to sign in, by keyed hashes, for a day at most.',
  },
  user_activity: {
    erase: { how: 'by_service' },
    reset: { how: 'keep' },
    exportedAs: 'activity',
    why: 'What users did within the last 365 days: ids and networks; removed with the users.',
  },
};
