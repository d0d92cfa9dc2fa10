import { z } from 'zod';
import { id, idText, instantOrDate, instantText } from '../formats/formats.js';
import { changingFilters, listQuery, several } from '../formats/list-query.js';
import { apiObject } from '../formats/object-kinds.js';
import { rpc } from '../operations/operation.js';
import { lesson } from '../scheduling/lessons/lessons.js';

/** `spent`: nothing is left of it; `expired`: its rest can no longer be spent. */
export const CREDIT_STATUSES = ['available', 'spent', 'expired'] as const;

/**
 * A makeup credit as every operation returns it: what a school owes for a lesson that was paid and did not take place. Any member
 * of the account may use it for lessons of the same school in the same currency, whole or in parts.
 */
export const credit = apiObject('makeup_credit', {
  id: idText('crd'),
  account_id: idText('acct'),
  /** The member of the lesson for which it was given. */
  member_id: idText('mem'),
  school_id: idText('acct'),
  /** The lesson for which it was given. */
  session_id: idText('ses'),
  amount_cents: z.int().meta({ description: 'What is left of it, in minor units' }),
  issued_cents: z.int().meta({ description: 'What it was given for, in minor units' }),
  currency: z.string(),
  status: z.enum(CREDIT_STATUSES),
  /** The booking that used it last; null before. */
  booking_id: idText('bkg').nullable(),
  expires_at: instantText,
  created_at: instantText,
  updated_at: instantText,
});
export type Credit = z.output<typeof credit>;

/**
 * Makeup credits that the account sees, newest first: a family those it has, a school those it gave. `account_id` can only name
 * the caller. A booking in progress counts as having used what it reserves.
 */
export const listCredits = rpc('booking.listCredits', {
  summary: 'List makeup credits',
  description: 'The makeup credits that the account has, or has had, newest first.',
  kind: 'list',
  input: listQuery({
    account_id: id('acct'),
    status: several(CREDIT_STATUSES).optional(),
    ...changingFilters('crd'),
  }),
  output: credit,
  errors: ['foreign_account'],
});

export const listCreditOptions = rpc('booking.listCreditOptions', {
  summary: 'List lessons for a makeup credit',
  description:
    'Lessons of the school of the credit, in its currency, that begin before it expires and in which the member could book a place: free, fitting, and while the member has nothing else. By date, earliest first; none once nothing is left of the credit.',
  kind: 'list',
  input: listQuery({
    credit_id: id('crd'),
    member_id: id('mem')
      .optional()
      .meta({ description: 'A member of the account; without it the member for whose lesson the credit was given' }),
    date_from: instantOrDate.optional(),
    date_to: instantOrDate.optional(),
  }),
  output: lesson,
  errors: ['resource_not_found', 'not_found'],
  isIsolated: true,
});
