import { z } from 'zod';
import { expects, id, idText, instantText, patch } from '../formats/formats.js';
import { changingFilters, listQuery } from '../formats/list-query.js';
import { apiObject } from '../formats/object-kinds.js';
import { event } from '../operations/event.js';
import { rpc } from '../operations/operation.js';

/** A payment method as every operation returns it: what identifies a card, never what could be charged. */
export const paymentMethod = apiObject('payment_method', {
  id: idText('pm'),
  processor: z.string(),
  brand: z.string(),
  last4: z.string(),
  exp_month: z.int(),
  exp_year: z.int(),
  is_default: z.boolean(),
  created_at: instantText,
  updated_at: instantText.meta({ description: 'When it was added, or became or ceased to be the default' }),
});
export type PaymentMethod = z.output<typeof paymentMethod>;

const SANDBOX_TOKENS = [
  'the test cards of Stripe for brands, countries, declines, fraud, disputes and refunds, such as `pm_card_visa`, `pm_card_amex`, `pm_card_chargeCustomerFail` and `pm_card_createDispute`, which is disputed seconds later',
  'those that Stripe does not attach to a customer, such as `pm_card_visa_chargeDeclined`, are declined here',
  '`pm_card_declined` and `pm_card_insufficient_funds` can be added, and are declined when they are charged',
  '`pm_card_requires_action` fails with `authentication_required`',
  '`pm_card_timeout` is `pending`, and succeeds within 30 seconds',
  '`pm_card_refund_fails` succeeds, and its first refund fails',
  '`pm_card_dispute_won` and `pm_card_dispute_lost` are disputed and decided so',
].join('; ');

/** Token of the payment processor, in its own spelling: `pm_` and up to 64 letters, digits or underscores. */
const processorToken = z
  .string()
  .regex(/^pm_[A-Za-z0-9_]{1,64}$/, { error: 'invalid_format' })
  .meta({
    ...expects('the id of a payment method at the processor, such as pm_card_visa'),
    description: `Payment method as the processor names it; never a card number. Live: a card of Stripe that no other customer has. Sandbox: ${SANDBOX_TOKENS}.`,
    examples: ['pm_card_visa'],
  });

export const addPaymentMethod = rpc('payment.addMethod', {
  summary: 'Add a payment method',
  description: 'Stores a token of the payment processor; never send a card number. The first one becomes the default.',
  kind: 'write',
  // The processor may be slow.
  isIsolated: true,
  input: z.strictObject({
    account_id: id('acct'),
    processor_payment_method_id: processorToken,
    is_default: z.boolean().default(false),
  }),
  output: paymentMethod,
  errors: ['foreign_account', 'invalid_payment_method', 'card_declined', 'limit_reached', 'change_in_progress'],
});

export const setUpPaymentMethod = rpc('payment.setUpMethod', {
  summary: 'Set up a payment method',
  description:
    'Answers the secret with which Stripe.js (`confirmSetup`) takes a card of the account and has its bank check it, so that it can be charged later without its owner. Then add the id of the payment method that Stripe.js answers. In the sandbox `client_secret` is null: add a test card.',
  kind: 'write',
  isIsolated: true,
  input: z.strictObject({ account_id: id('acct') }),
  output: z.object({ client_secret: z.string().nullable() }),
  errors: ['foreign_account', 'limit_reached', 'change_in_progress'],
});

export const listPaymentMethods = rpc('payment.listMethods', {
  summary: 'List payment methods',
  description: 'The payment methods of the account, newest first.',
  kind: 'list',
  callers: ['gateway', 'booking'],
  input: listQuery({ account_id: id('acct'), ...changingFilters('pm') }),
  output: paymentMethod,
  errors: ['foreign_account'],
});

export const getPaymentMethod = rpc('payment.getMethod', {
  summary: 'Get a payment method',
  description: 'Brand, last four digits and expiry of a card.',
  kind: 'read',
  input: z.strictObject({ payment_method_id: id('pm') }),
  output: paymentMethod,
  errors: ['resource_not_found'],
});

/** Moves the default. `is_default: false` hands it to the newest other method; without another: `invalid_state`. */
export const updatePaymentMethod = rpc('payment.updateMethod', {
  summary: 'Update a payment method',
  description: 'Makes it the default, and the earlier default an ordinary one, at once.',
  kind: 'write',
  reads: getPaymentMethod,
  input: z.strictObject({ payment_method_id: id('pm'), changes: patch({ is_default: z.boolean() }) }),
  output: paymentMethod,
  errors: ['resource_not_found', 'invalid_state', 'change_in_progress'],
});

export const removePaymentMethod = rpc('payment.removeMethod', {
  summary: 'Remove a payment method',
  description: 'Of those that are left the newest becomes the default, if this was it.',
  kind: 'write',
  input: z.strictObject({ payment_method_id: id('pm') }),
  output: z.object({}),
  errors: ['resource_not_found', 'change_in_progress'],
});

export const paymentMethodAdded = event('payment', 'payment_method.added', paymentMethod);
export const paymentMethodRemoved = event('payment', 'payment_method.removed', paymentMethod);
