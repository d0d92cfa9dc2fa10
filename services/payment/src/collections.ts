import { any, type Collections, erasedMembers, kept, personalKeys } from '@swim/mongo';

/** The collections of this service. A test demands a row for each. */
export const COLLECTIONS: Collections = {
  wallets: {
    erase: { how: 'by_service' },
    reset: { how: 'by_service' },
    exportedAs: 'payment_methods',
    why: 'Methods are removed at the processor first, then the wallet goes.',
  },
  payments: {
    erase: {
      how: 'clear',
      of: ['origin.accountId', 'payerId'],
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
};
