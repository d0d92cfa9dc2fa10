import type { ServiceName } from '@swim/contracts';
import type { CollectionRow } from './collection-row.js';
import { any, erasedMembers, kept, ofEveryService, personalKeys, some } from './shared-collections.js';
import { USER_COLLECTIONS } from './user-collections.js';

/**
 * Every collection of every service. A missing collection does not compile, and fails a test: a new collection needs a
 * decision on erasure, reset and export.
 */
export const COLLECTIONS = {
  people: {
    ...ofEveryService,
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
      why: 'How the lessons of its members ended, and until when schools may read them therefore; what is exported is the progress of a member. Lessons of others keep the id of an erased school.',
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
    ...USER_COLLECTIONS,
  },
  scheduling: {
    ...ofEveryService,
    personal_keys: personalKeys,
    erased_members: erasedMembers,
    sessions: {
      erase: { how: 'by_service' },
      reset: { how: 'detach' },
      exportedAs: 'sessions',
      why: 'Those to come are cancelled, what people wrote goes; times and ids stay with the other side.',
    },
    claims: {
      erase: {
        how: 'clear',
        of: ['plan.accountId', 'plan.schoolId'],
        // A claim with a plan is due.
        among: { dueAt: { $type: 'date' } },
        left: [{ 'plan.metadata.0': any }, { 'plan.cause.idempotencyKey': some }],
        set: { 'plan.metadata': [], 'plan.cause.idempotencyKey': null },
      },
      reset: { how: 'keep' },
      exportedAs: 'sessions',
      why: 'Times and ids: who has which time. Sessions contain the same. One keeps what its sessions are made of until these are published, with encrypted notes.',
    },
    days: { ...kept, exportedAs: null, why: 'Times and ids: locks that point to claims.' },
    claim_audits: { ...kept, exportedAs: null, why: 'How far the audit of claims has come.' },
    holds: {
      erase: { how: 'by_service' },
      reset: { how: 'detach' },
      exportedAs: 'holds',
      why: 'Live ones are released and their time is offered to the waitlist; ended ones contain ids and are removed after a month.',
    },
    calendar_tokens: {
      erase: { how: 'remove', of: 'accountId' },
      reset: { how: 'remove', of: 'accountId' },
      exportedAs: null,
      why: 'Keyed hashes of the tokens of calendar feeds, which end with the account.',
    },
    hold_quotas: {
      erase: { how: 'remove', of: '_id' },
      reset: { how: 'keep' },
      exportedAs: null,
      why: 'Ids of live holds and their minutes, to enforce the caps of accounts; the holds contain the same.',
    },
    waitlist: {
      erase: { how: 'by_service' },
      reset: { how: 'detach' },
      exportedAs: 'waitlist',
      why: 'Open places are left, an offer goes to the next in line; the rest holds ids and times.',
    },
    pools: {
      erase: { how: 'remove', of: 'accountId' },
      reset: { how: 'remove', of: 'accountId' },
      exportedAs: 'pools',
      why: 'A school’s own; sessions of the past keep the id.',
    },
  },
  booking: {
    ...ofEveryService,
    personal_keys: personalKeys,
    erased_members: erasedMembers,
    // Before the bookings that are made of them: an erasure goes through the rows in their order.
    drafts: {
      erase: {
        how: 'clear',
        of: ['accountId', 'booking.schoolId'],
        left: [{ 'booking.notes': some }, { 'booking.metadata.0': any }, { 'cause.idempotencyKey': some }],
        set: { 'booking.notes': null, 'booking.metadata': [], 'cause.idempotencyKey': null, textsErased: true },
      },
      reset: { how: 'keep' },
      exportedAs: 'bookings',
      why: 'Bookings that are being made, for a moment: they are exported once they are made.',
    },
    bookings: {
      erase: {
        how: 'clear',
        of: ['accountId', 'schoolId'],
        left: [{ notes: some }, { 'metadata.0': any }, { 'cause.idempotencyKey': some }, { 'ops.0': any }],
        set: { notes: null, metadata: [], 'cause.idempotencyKey': null, ops: [] },
      },
      reset: { how: 'detach' },
      exportedAs: 'bookings',
      why: 'Ids, times and amounts stay with the other side; what people wrote goes.',
    },
    credits: {
      erase: { how: 'keep' },
      reset: { how: 'detach' },
      exportedAs: 'credits',
      why: 'Ids, times and amounts: what a school owes, or owed, for lessons. They stay with the other side.',
    },
  },
  payment: {
    ...ofEveryService,
    wallets: {
      erase: { how: 'by_service' },
      reset: { how: 'by_service' },
      exportedAs: 'payment_methods',
      why: 'Methods are removed at the processor first, then the wallet goes.',
    },
    payments: {
      erase: {
        how: 'clear',
        of: ['origin.accountId'],
        left: [
          { token: { $ne: '' } },
          { customerId: { $ne: null } },
          { 'origin.keyId': { $ne: 'erased' } },
          { 'ops.0': any },
        ],
        set: {
          token: '',
          customerId: null,
          'origin.keyId': 'erased',
          'origin.requestId': 'erased',
          'origin.idempotencyKey': null,
          failureCode: null,
          ops: [],
        },
      },
      reset: { how: 'detach' },
      exportedAs: 'payments',
      why: 'Finished first; then ids, dates and amounts stay, as books have to be kept.',
    },
    personal_keys: personalKeys,
    erased_members: erasedMembers,
    refunds: {
      erase: {
        how: 'clear',
        of: ['accountId', 'origin.accountId'],
        left: [{ reason: { $ne: null } }, { 'origin.keyId': { $ne: 'erased' } }],
        set: {
          reason: null,
          'origin.keyId': 'erased',
          'origin.requestId': 'erased',
          'origin.idempotencyKey': null,
          failureCode: null,
        },
      },
      // Also those that follow from the reset.
      reset: { how: 'detach', madeBy: { field: 'paymentId', ids: 'pay' } },
      exportedAs: 'refunds',
      why: 'Those in progress go on; ids, dates and amounts stay, as books have to be kept. Reasons go with the payer and with the school that wrote them.',
    },
    processor_charges: {
      ...kept,
      exportedAs: null,
      why: 'Stands for another company, which keeps books of its own: amounts, and names of test cards.',
    },
  },
  notification: {
    ...ofEveryService,
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
  },
} as const satisfies Record<ServiceName, Record<string, CollectionRow>>;

/** Name of a collection with a row in some service's table. */
export type CollectionName = { [S in ServiceName]: keyof (typeof COLLECTIONS)[S] }[ServiceName];
