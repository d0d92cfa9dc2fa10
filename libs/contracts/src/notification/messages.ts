import { z } from 'zod';
import { id, idText, instantText } from '../formats/formats.js';
import { changingFilters, listQuery, several } from '../formats/list-query.js';
import { apiObject } from '../formats/object-kinds.js';
import { rpc } from '../operations/operation.js';

/** What a message is about. Recipients unsubscribe from each kind but the last by itself. */
export const MESSAGE_KINDS = [
  'booked',
  'rescheduled',
  'cancelled',
  'reminder',
  'waitlist_offer',
  'receipt',
  'refund',
  'endpoint_disabled',
  'email_confirmation',
] as const;
export type MessageKind = (typeof MESSAGE_KINDS)[number];

/** `pending` until it is sent or abandoned; `bounced` when the recipient's server rejected it for good. */
export const MESSAGE_STATUSES = ['pending', 'sent', 'bounced', 'failed', 'skipped'] as const;

/** Why a message was not sent. */
export const MESSAGE_REASONS = [
  'address_unconfirmed',
  'unsubscribed',
  'out_of_date',
  'same_address',
  'rejected',
  'not_accepted_in_time',
  'account_erased',
] as const;

/** A message as operations return it: neither its text nor the names in it are stored. */
export const message = apiObject('message', {
  id: idText('msg'),
  kind: z.enum(MESSAGE_KINDS),
  instructor_id: idText('ins')
    .nullable()
    .meta({ description: 'The instructor to whom it is addressed; null for the account itself' }),
  status: z.enum(MESSAGE_STATUSES),
  reason: z
    .enum(MESSAGE_REASONS)
    .nullable()
    .meta({ description: 'Why it was not sent; null while it may be, and once it is' }),
  recipient: z
    .string()
    .nullable()
    .meta({ description: 'The address, masked; null until it was tried', examples: ['f•••@example.com'] }),
  event_ids: z
    .array(idText('evt'))
    .meta({ description: 'The events that it is about: those of one request share a message' }),
  attempts: z.int(),
  last_response: z
    .string()
    .nullable()
    .meta({ description: 'SMTP reply code of the latest try, with its enhanced code', examples: ['550 5.1.1'] }),
  next_attempt_at: instantText.nullable(),
  sent_at: instantText.nullable(),
  created_at: instantText,
  updated_at: instantText,
});
export type Message = z.output<typeof message>;

export const listMessages = rpc('notification.listMessages', {
  summary: 'List e-mails',
  description: 'The e-mails that were sent to the account, newest first, with their state but without their text.',
  kind: 'list',
  input: listQuery({
    account_id: id('acct'),
    kind: z.enum(MESSAGE_KINDS).optional(),
    status: several(MESSAGE_STATUSES).optional(),
    ...changingFilters('msg'),
  }),
  output: message,
  errors: ['foreign_account'],
});

/** Sends the link by which an address of an account, or of its instructor, is confirmed. Idempotent by `confirmationId`. */
export const sendEmailConfirmation = rpc('notification.sendEmailConfirmation', {
  kind: 'write',
  callers: ['people'],
  input: z.strictObject({ accountId: id('acct'), instructorId: id('ins').optional(), confirmationId: id('req') }),
  output: z.object({}),
});

/**
 * Ends, or begins again, the messages of one kind to an account, by the token of the link in each of them. `resource_not_found`
 * for a token that is not valid.
 */
export const changeSubscription = rpc('notification.changeSubscription', {
  kind: 'write',
  isIsolated: true,
  input: z.strictObject({ token: z.string().min(1).max(500), subscribed: z.boolean() }),
  output: z.object({}),
  errors: ['resource_not_found'],
});

/** A kind of message that the owner of an address wants no longer. */
export const endedSubscription = z.object({
  kind: z.enum(MESSAGE_KINDS),
  address_hash: z.string().meta({
    description: 'Identifies the address without revealing it: 22 characters of the SHA-256 of account and address',
  }),
});
export type EndedSubscription = z.output<typeof endedSubscription>;

/** The kinds of message that were ended at the account's addresses, as its export has them. */
export const listOwnEndedSubscriptions = rpc('notification.listOwnEndedSubscriptions', {
  kind: 'list',
  input: listQuery({}),
  output: endedSubscription,
});
