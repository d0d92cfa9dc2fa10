import { any, type Collections, erasedMembers, kept, personalKeys, some } from '@swim/mongo';

/** The collections of this service. A test demands a row for each. */
export const COLLECTIONS: Collections = {
  personal_keys: personalKeys,
  erased_members: erasedMembers,
  sessions: {
    erase: { how: 'by_service' },
    reset: { how: 'detach' },
    exportedAs: 'sessions',
    why: 'Those to come are cancelled, what people wrote goes; times and ids stay with the other side.',
  },
  lessons: {
    erase: { how: 'by_service' },
    reset: { how: 'detach' },
    exportedAs: 'lessons',
    why: 'Those that a school gives are cancelled, with every session, and the public sees none of them any more; a family gives its places back. What stays is times and ids; why a lesson is cancelled is kept, encrypted, until its sessions are.',
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
  classes: {
    erase: { how: 'remove', of: 'schoolId' },
    reset: { how: 'remove', of: 'schoolId' },
    exportedAs: 'classes',
    why: 'What a school says about its courses; their lessons, cancelled, keep the id.',
  },
  closures: {
    erase: { how: 'remove', of: 'accountId' },
    reset: { how: 'remove', of: 'accountId' },
    exportedAs: null,
    why: 'Times and a reason that a school has written, about its own pools and instructors.',
  },
  substitutions: {
    erase: { how: 'remove', of: 'accountId' },
    reset: { how: 'remove', of: 'accountId' },
    exportedAs: null,
    why: 'Ids: how far the hand-over of lessons to a substitute has come, for two days after its end.',
  },
  connection_ends: {
    ...kept,
    exportedAs: null,
    why: 'Ids and numbers: which plans of an account with a school are void.',
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
};
