import { type Collections, kept } from '@swim/mongo';

/** The collections of this service. A test demands a row for each. */
export const COLLECTIONS: Collections = {
  personal_keys: {
    erase: { how: 'by_service' },
    reset: { how: 'keep' },
    exportedAs: null,
    why: 'In a database of its own: one key per account with webhook endpoints, under which their secrets and what receivers answered are encrypted. A destroyed key leaves only a mark.',
  },
  webhook_endpoints: {
    erase: { how: 'by_service' },
    reset: { how: 'by_service' },
    exportedAs: 'webhook_endpoints',
    why: 'Removed before the account’s events, so that nothing is sent any more.',
  },
  webhook_deliveries: {
    erase: { how: 'remove', of: 'accountId' },
    reset: { how: 'remove', of: 'accountId' },
    exportedAs: 'webhook_deliveries',
    why: 'Tries of the last 30 days; what receivers answered is encrypted under the account’s key.',
  },
  messages: {
    erase: { how: 'remove', of: 'accountId' },
    reset: { how: 'remove', of: 'accountId' },
    exportedAs: 'messages',
    why: 'E-mails of the last 30 days: what they were about by ids, and masked addresses. Names and addresses are requested when one is sent.',
  },
  done_closures: {
    erase: { how: 'remove', of: 'accountId' },
    reset: { how: 'remove', of: 'accountId' },
    exportedAs: null,
    why: 'Ids of closures for a day, until their e-mails are made.',
  },
  ended_subscriptions: {
    erase: { how: 'remove', of: '_id' },
    reset: { how: 'keep' },
    exportedAs: 'ended_subscriptions',
    why: 'Kinds of e-mail that the owner of an address has ended; the address is hashed.',
  },
  events: {
    erase: { how: 'by_service' },
    reset: { how: 'by_service' },
    exportedAs: 'events',
    why: 'The account’s own copies go with their sequence; other accounts’ copies name no person.',
  },
  request_log: {
    erase: { how: 'remove', of: 'readers' },
    reset: { how: 'remove', of: 'readers', madeBy: { field: '_id', ids: 'rlog' } },
    exportedAs: 'requests',
    why: 'Requests of the last seven days: paths, statuses, ids and networks. Entries that arrive while the account is erased go with the second round.',
  },
  usage_counts: {
    erase: { how: 'remove', of: 'readers' },
    reset: { how: 'keep' },
    exportedAs: null,
    why: 'Numbers of requests by hour and key for seven days; `requests` has them one by one. A reset frees no limit.',
  },
  event_streams: {
    erase: { how: 'remove', of: 'accountId' },
    reset: { how: 'keep' },
    exportedAs: null,
    why: 'Which of an account’s streams of events are open, for seconds.',
  },
  passed_objects: { ...kept, exportedAs: null, why: 'Ids of objects, and how many events were consumed.' },
  waiting_events: {
    ...kept,
    exportedAs: null,
    why: 'Events that came before the one before them, for minutes at most; they name no person.',
  },
  purged_accounts: {
    erase: { how: 'keep' },
    reset: { how: 'by_service' },
    exportedAs: null,
    why: 'How far the events of an account are purged, by its id: no number is given again, and an erased one gets no more.',
  },
};
