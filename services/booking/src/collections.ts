import { any, type Collections, erasedMembers, personalKeys, some } from '@swim/mongo';

/** The collections of this service. A test demands a row for each. */
export const COLLECTIONS: Collections = {
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
};
