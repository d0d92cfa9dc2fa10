import { afterAll, beforeAll, it } from '@jest/globals';
import {
  addPaymentMethod,
  authenticateSandboxPayment,
  capturePayment,
  createPayment,
  createRefund,
  getPayment,
  type InputOf,
  listRefunds,
  type Operation,
  type Principal,
  receiveStripeWebhook,
  removePaymentMethod,
  setUpPaymentMethod,
  updatePayment,
  updatePaymentMethod,
  voidPayment,
} from '@swim/contracts';
import { newId } from '@swim/platform';
import { publicWrites, RetriedWrites, retried, until } from '@swim/testing';
import {
  aCustomer,
  addCard,
  aFamily,
  type Customer,
  chargesOf,
  methodsOf,
  type PaymentHarness,
  pay,
  paymentFor,
  schoolOf,
  startPayment,
  storedPayments,
} from '../harness.js';

const PATIENCE_MS = 240_000;
const MOST_METHODS = 50;

let payment: PaymentHarness;
let writes: RetriedWrites;
beforeAll(async () => {
  writes = await RetriedWrites.before('payment');
  payment = await startPayment();
});
afterAll(async () => {
  writes?.release();
  await payment?.stop();
  await writes?.close();
});

const call: PaymentHarness['harness']['call'] = (...request) => payment.harness.call(...request);
/** Repeats another client's request while the stopped one has a lease. */
const insist = <O extends Operation>(operation: O, input: InputOf<O>, principal: Principal) =>
  payment.harness.insist(operation, input, { principal, idempotencyKey: newId('req') });
const isDone = async ({ booking }: Customer) =>
  (await storedPayments(payment, booking)).every(({ step }) => step === 'done');

/** A customer with a payment. */
async function aPayment(capture: boolean) {
  const customer = await aCustomer(payment);
  const { id: payment_id } = await pay(payment, customer, { capture });
  await until(() => isDone(customer), 'the payment is settled');
  return { customer, school: schoolOf(customer), payment_id };
}
/** The payment, its charge and its refunds, but for what follows on its own. */
async function moneyOf({ customer, payment_id }: { customer: Customer; payment_id: string }) {
  const { status, amount_cents, metadata } = await call(getPayment, { payment_id }, { principal: customer.family });
  const { items } = await call(listRefunds, { payment_id }, { principal: customer.family });
  const charges = await chargesOf(payment, payment_id);
  return [status, amount_cents, metadata, items.map(({ id, amount_cents: cents }) => [id, cents]), charges];
}

const METHODS = [
  retried(addPaymentMethod, async () => {
    const principal = aFamily();
    // Its method is the last that the wallet has place for.
    const first = await addCard(payment, principal);
    const wallets = payment.harness
      .database('payment_test')
      .collection<{ _id: string; methods: { id: string }[] }>('wallets');
    const { methods } = (await wallets.findOne({ _id: principal.accountId }))!;
    const more = Array.from({ length: MOST_METHODS - 2 }, () => ({ ...methods[0]!, id: newId('pm') }));
    await wallets.updateOne({ _id: principal.accountId }, { $set: { methods: [...methods, ...more] } });
    const input = { account_id: principal.accountId, processor_payment_method_id: 'pm_card_mastercard' };
    return {
      principal,
      input,
      rival: () =>
        call(updatePaymentMethod, { payment_method_id: first.id, changes: { is_default: true } }, { principal }),
      look: async () => (await methodsOf(payment, principal)).map(({ id, is_default }) => [id, is_default]),
    };
  }),
  retried(setUpPaymentMethod, async () => {
    const principal = aFamily();
    return {
      principal,
      input: { account_id: principal.accountId },
      rival: () => addCard(payment, principal),
      look: () => methodsOf(payment, principal),
    };
  }),
  retried(updatePaymentMethod, async () => {
    const principal = aFamily();
    const [{ id: first }, { id: second }] = [await addCard(payment, principal), await addCard(payment, principal)];
    const preferred = (payment_method_id: string) => ({ payment_method_id, changes: { is_default: true } });
    return {
      principal,
      input: preferred(second),
      rival: () => call(updatePaymentMethod, preferred(first), { principal }),
      look: () => methodsOf(payment, principal),
    };
  }),
  retried(removePaymentMethod, async () => {
    const principal = aFamily();
    const { id: payment_method_id } = await addCard(payment, principal);
    return {
      principal,
      input: { payment_method_id },
      rival: () => addCard(payment, principal),
      look: () => methodsOf(payment, principal),
    };
  }),
];

const PAYMENTS = [
  retried(createPayment, async () => {
    const customer = await aCustomer(payment);
    const { family: principal } = customer;
    return {
      principal,
      input: paymentFor(customer.booking, customer.method),
      rival: ({ id: payment_id }) =>
        insist(updatePayment, { payment_id, changes: { metadata: { made: 'second' } } }, principal),
      look: ({ id: payment_id }) => moneyOf({ customer, payment_id }),
    };
  }),
  retried(authenticateSandboxPayment, async () => {
    const customer = await aCustomer(payment, 'pm_card_threeDSecure2Required');
    const { family: principal } = customer;
    const { id: payment_id } = await pay(payment, customer);
    const refund = { payment_id, amount_cents: 100, reason: 'Rain.' };
    return {
      principal,
      input: { payment_id, outcome: 'succeeded' as const },
      rival: () => insist(createRefund, refund, schoolOf(customer)),
      look: () => moneyOf({ customer, payment_id }),
    };
  }),
  retried(updatePayment, async () => {
    const { customer, payment_id } = await aPayment(true);
    const { family: principal } = customer;
    const noted = (made: string) => ({ payment_id, changes: { metadata: { made } } });
    return {
      principal,
      input: noted('first'),
      rival: () => call(updatePayment, noted('second'), { principal }),
      look: () => call(getPayment, { payment_id }, { principal }),
    };
  }),
  retried(capturePayment, async () => {
    const made = await aPayment(false);
    const { payment_id, school: principal } = made;
    return {
      principal,
      input: { payment_id },
      rival: () => insist(createRefund, { payment_id, amount_cents: 100, reason: 'Rain.' }, principal),
      look: () => moneyOf(made),
    };
  }),
  retried(voidPayment, async () => {
    const made = await aPayment(false);
    const { customer, payment_id, school: principal } = made;
    return {
      principal,
      input: { payment_id },
      rival: () => pay(payment, customer, { amount_cents: 100 }),
      look: () => moneyOf(made),
    };
  }),
  retried(createRefund, async () => {
    const made = await aPayment(true);
    const { payment_id, school: principal } = made;
    const refund = { payment_id, amount_cents: 100, reason: 'Rain.' };
    return {
      principal,
      input: refund,
      rival: () => call(createRefund, refund, { principal }),
      look: () => moneyOf(made),
    };
  }),
];

const CASES = [...METHODS, ...PAYMENTS];

// The processor repeats its webhooks, and names their objects itself.
it.each(publicWrites('payment').filter((operation) => operation !== receiveStripeWebhook))(
  'the effect of another client stands when $name, which came before it, is repeated or ends late',
  (operation) => writes.check(payment.harness, operation, CASES),
  PATIENCE_MS,
);
