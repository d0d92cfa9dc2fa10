import { createHmac } from 'node:crypto';
import type { Booking, Credit, Payment, PaymentMethod } from '@swim/contracts';
import { until } from '@swim/testing';
import { WEBHOOKS } from '../../../src/routes.js';
import type { Customer } from '../fixtures/customer.js';
import { aCard, anInstructor, bookingBody, paymentBody } from '../fixtures/fixtures.js';
import { STRIPE_WEBHOOK_SECRET } from '../fixtures/stack.js';
import { collect } from './collecting.js';
import { another, done, FULL_METADATA, MORE_METADATA, newId, rejected, type Scene } from './scene.js';

/** Bookings. */
export async function book(scene: Scene): Promise<void> {
  const { school, family, rosa, mia, leo } = scene;
  const dates = [scene.at(0), scene.at(7)];
  scene.booking = await family.make<Booking>(
    '/bookings',
    scene.group([mia], dates, { notes: 'Please start in the shallow end.', metadata: { crm_order: '4711' } }),
  );
  const path = `/bookings/${scene.booking.id}`;
  await rejected('conflicting_dates', family.post('/bookings', scene.group([leo], [dates[0]!, scene.at(1)])));
  const free = scene.nextTime();
  const body = scene.group([mia], [free]);
  const { sessions: _, ...without } = body;
  const recurrence = {
    start_local: `${scene.at(50).slice(0, 10)}T16:00`,
    timezone: 'America/Phoenix',
    weekdays: ['mon'],
    duration_minutes: 30,
  };
  const day = (at: number) => scene.at(at).slice(0, 10);
  const crowd = await another(school, { max_group_size: 1 });
  const closed = await another(school, { status: 'inactive' });
  for (const [reason, wrong] of [
    ['group_too_large', { ...scene.group([mia, leo], [free]), instructor_id: crowd.id }],
    ['not_found', { ...body, instructor_id: newId('ins') }],
    ['in_past', scene.group([mia], ['2020-01-01T10:00:00Z'])],
    ['too_far_ahead', scene.group([mia], ['2100-01-01T10:00:00Z'])],
    ['inactive_instructor', { ...body, instructor_id: closed.id }],
    ['hold_mismatch', { ...body, hold_id: scene.hold.id }],
    ['overlapping_sessions', scene.group([mia], [free, new Date(Date.parse(free) + 1_800_000).toISOString()])],
    ['too_large', { ...without, recurrence: { ...recurrence, until: day(1_000) } }],
    ['too_long', { ...without, recurrence: { ...recurrence, count: 1, except: [day(56)] } }],
    ['range_reversed', { ...without, recurrence: { ...recurrence, until: day(49) } }],
    ['out_of_range', { ...without, recurrence: { ...recurrence, until: day(51) } }],
    ['invalid_value', { ...without, recurrence: { ...recurrence, count: 3, except: [day(57)] } }],
  ] as const)
    await rejected(reason, family.post('/bookings', wrong));
  const { instructor_id, member_ids } = scene.hold;
  const sessions = scene.hold.sessions.map(({ date, duration_minutes }) => ({ date, duration_minutes }));
  const held = { instructor_id, member_ids, sessions, hold_id: scene.hold.id };
  const converted = await family.make<Booking>('/bookings', held);
  await rejected('invalid_state', family.post('/bookings', held));
  await rejected('invalid_state', family.delete(`/holds/${scene.hold.id}`));
  await done(200, family.get(`/bookings?instructor_id=${rosa.id}&status=confirmed&ids=${scene.booking.id}`));
  await done(200, family.get(`/accounts/${family.id}/bookings?ids=${scene.booking.id}`));
  await done(200, family.get(path));
  await done(200, family.patch(path, { notes: 'She likes the blue kickboard.' }));
  await done(200, family.get(`${path}/cancellation-quote`));
  await done(200, family.patch(`/bookings/${converted.id}`, { metadata: FULL_METADATA }));
  await rejected('too_long', family.patch(`/bookings/${converted.id}`, MORE_METADATA));
  await rejected('foreign_account', family.get(`/bookings?account_id=${school.id}`));
  await rejected('foreign_account', family.get(`/payments?account_id=${school.id}`));
  // One session: several may raise the version of their booking one by one or all at once.
  const single = await family.make<Booking>('/bookings', scene.group([leo], [scene.nextTime()]));
  await done(200, family.post(`/bookings/${single.id}/cancel`, { reason: 'We are away that week.' }));
}

/** Payment methods and payments. */
export async function pay(scene: Scene): Promise<void> {
  const { school, family, booking } = scene;
  const methods = `/accounts/${family.id}/payment-methods`;
  scene.card = await family.make<PaymentMethod>(methods, { processor_payment_method_id: 'pm_card_visa' });
  await done(201, family.post(`${methods}/setup`, {}));
  await rejected('invalid_state', family.patch(`/payment-methods/${scene.card.id}`, { is_default: false }));
  await rejected('invalid_payment_method', family.post(methods, { processor_payment_method_id: 'pm_card_unknown' }));
  const unattachable = { processor_payment_method_id: 'pm_card_visa_chargeDeclined' };
  await rejected('card_declined', family.post(methods, unattachable));
  await done(200, family.get(methods));
  await done(200, family.get(`/payment-methods/${scene.card.id}`));
  await done(200, family.patch(`/payment-methods/${scene.card.id}`, { is_default: true }));
  const [first, second] = [await aCard(family), await aCard(family)];
  await done(204, family.delete(`/payment-methods/${first!.id}`));
  await done(204, family.delete(`${methods}/${second!.id}`));

  const whole = paymentBody(booking, scene.card);
  const half = { ...whole, amount_cents: booking.amount_cents / 2 };
  const payment = await family.make<Payment>('/payments', half);
  const path = `/payments/${payment.id}`;
  await rejected('amount_exceeds_due', family.post('/payments', whole));
  await rejected('not_found', family.post('/payments', { ...half, booking_id: newId('bkg') }));
  await rejected('currency_mismatch', family.post('/payments', { ...half, currency: 'EUR' }));
  const bad = [await aCard(family, 'pm_card_declined'), await aCard(family, 'pm_card_requires_action')];
  await rejected('card_declined', family.post('/payments', { ...half, payment_method_id: bad[0]!.id }));
  await rejected('authentication_required', family.post('/payments', { ...half, payment_method_id: bad[1]!.id }));
  const authorized = await family.make<Payment>('/payments', { ...half, capture: false });
  await rejected('school_only', family.post(`/payments/${authorized.id}/capture`, {}));
  await rejected('school_only', family.post(`/payments/${authorized.id}/void`, {}));
  await rejected(
    'invalid_state',
    school.post(`/payments/${authorized.id}/refunds`, { reason: 'A lesson was missed.' }),
  );
  await done(200, school.post(`/payments/${authorized.id}/capture`, {}));
  await rejected('invalid_state', school.post(`/payments/${authorized.id}/capture`, {}));
  await rejected('invalid_state', school.post(`/payments/${authorized.id}/void`, {}));
  await rejected('already_paid', family.post('/payments', half));
  await done(200, family.get(`/payments?booking_id=${booking.id}&status=succeeded&limit=1`));
  await done(200, family.get(`/accounts/${family.id}/payments?ids=${payment.id}`));
  await done(200, family.get(path));
  await done(200, family.patch(path, { metadata: { invoice: 'R-2027-031' } }));
  await rejected('school_only', family.post(`${path}/refunds`, { reason: 'A lesson was missed.' }));
  await done(201, school.post(`${path}/refunds`, { amount_cents: 1_500, reason: 'The lesson began late.' }));
  await rejected(
    'amount_exceeds_refundable',
    school.post(`${path}/refunds`, { amount_cents: 9_000, reason: 'All of it.' }),
  );
  await done(200, family.get(`${path}/refunds`));
  await done(200, family.patch(`/payments/${authorized.id}`, { metadata: FULL_METADATA }));
  await rejected('too_long', family.patch(`/payments/${authorized.id}`, MORE_METADATA));
  await voided(scene);
  await authenticate(scene);
  await dinars(scene);
  await disputed(scene);
  await attempts(scene);
  await credits(scene);
  await collect(scene);
}

/** A payment that is voided, for a booking that is cancelled then. */
async function voided(scene: Scene): Promise<void> {
  const { family, school, card } = scene;
  const booking = await family.make<Booking>('/bookings', scene.group([scene.leo], [scene.nextTime()]));
  const payment = await family.make<Payment>('/payments', paymentBody(booking, card, { capture: false }));
  await done(200, school.post(`/payments/${payment.id}/void`, {}));
  await done(200, family.post(`/bookings/${booking.id}/cancel`, {}));
  await rejected('invalid_state', family.post('/payments', paymentBody(booking, card)));
  await rejected('invalid_state', family.get(`/bookings/${booking.id}/cancellation-quote`));
}

/** A payment whose bank asks the cardholder. */
async function authenticate(scene: Scene): Promise<void> {
  const { family, leo, card } = scene;
  const booking = await family.once.make<Booking>('/bookings', scene.group([leo], [scene.nextTime()]));
  const asking = await aCard(family.once, 'pm_card_threeDSecure2Required');
  const { id } = await family.once.make<Payment>('/payments', paymentBody(booking, asking));
  const path = `/sandbox/payments/${id}/authenticate`;
  await done(200, family.post(path, { outcome: 'succeeded' }));
  await rejected('invalid_state', family.post(path, { outcome: 'failed' }));
  await rejected(
    'resource_not_found',
    family.post(`/sandbox/payments/${newId('pay')}/authenticate`, { outcome: 'failed' }),
  );
  await family.once.patch(`/payment-methods/${card.id}`, { is_default: true });
}

/** Amounts in Kuwaiti dinars are multiples of ten fils. */
async function dinars(scene: Scene): Promise<void> {
  const { family, school, leo, card } = scene;
  const instructor = await another(school, { currency: 'KWD', hourly_rate_cents: 12_340 });
  const booking = await family.make<Booking>('/bookings', bookingBody(instructor, [leo], [scene.nextTime()]));
  const half = paymentBody(booking, card, { amount_cents: 4_113 });
  await rejected('not_representable', family.post('/payments', half));
  const { id } = await family.make<Payment>('/payments', paymentBody(booking, card));
  const part = { amount_cents: 4_113, reason: 'The lesson began late.' };
  await rejected('not_representable', school.post(`/payments/${id}/refunds`, part));
}

/** A payment that its cardholder disputes. */
async function disputed(scene: Scene): Promise<void> {
  const { family, school } = scene;
  const booking = await family.make<Booking>('/bookings', scene.group([scene.leo], [scene.nextTime()]));
  const card = await aCard(family, 'pm_card_createDispute');
  const { id } = await family.make<Payment>('/payments', paymentBody(booking, card));
  await until(async () => (await family.read<Payment>(`/payments/${id}`)).disputed, 'the payment is disputed');
  await rejected('payment_disputed', school.post(`/payments/${id}/refunds`, { reason: 'A lesson was missed.' }));
}

/** A booking takes no more payments once 20 of them have failed. */
async function attempts(scene: Scene): Promise<void> {
  const { family } = scene;
  const booking = await family.make<Booking>('/bookings', scene.group([scene.leo], [scene.nextTime()]));
  const body = paymentBody(booking, await aCard(family, 'pm_card_declined'));
  for (let attempt = 0; attempt < 20; attempt++) await rejected('card_declined', family.post('/payments', body));
  await rejected('too_many_attempts', family.post('/payments', body));
}

/** Makeup credits, what makes them unfit for a booking, and a school that gives none. */
async function credits(scene: Scene): Promise<void> {
  const { school, family, otherSchool, mia } = scene;
  const booking = await family.make<Booking>('/bookings', scene.group([mia], [scene.nextTime()]));
  await done(201, family.post('/payments', paymentBody(booking, scene.card)));
  await done(200, family.post(`/bookings/${booking.id}/cancel`, { refund_as: 'credit' }));
  const list = `/accounts/${family.id}/credits?status=available`;
  const issued = async () => (await family.once.get<Credit[]>(list)).data[0];
  const { id: makeup_credit_id } = await until(issued, 'the credit is issued');
  await done(200, family.get(list));
  await listOptions(scene, makeup_credit_id);
  const credit = { makeup_credit_id };
  const inEuros = await another(school, { currency: 'EUR' });
  const foreign = await anInstructor(otherSchool, { name: 'Ines Roth' });
  const with_ = (instructor: typeof foreign) => bookingBody(instructor, [mia], [scene.nextTime()], credit);
  await rejected('currency_mismatch', family.post('/bookings', with_(inEuros)));
  await rejected('credit_of_other_school', family.post('/bookings', with_(foreign)));
  const [first] = scene.booking.sessions;
  await rejected('currency_mismatch', family.patch(`/sessions/${first!.id}`, { instructor_id: inEuros.id }));

  const without = await family.make<Booking>('/bookings', bookingBody(foreign, [mia], [scene.nextTime()]));
  const asCredit = { refund_as: 'credit' };
  await rejected('credits_not_offered', family.post(`/sessions/${without.session_ids[0]}/cancel`, asCredit));
  await rejected('credits_not_offered', family.post(`/bookings/${without.id}/cancel`, asCredit));
}

/** Lessons for which a credit can be used. */
async function listOptions(scene: Scene, credit: string): Promise<void> {
  const { school, family } = scene;
  const [{ id: instructor_id }, date] = [await another(school), scene.at(1, 20)];
  const places = { capacity: 6, price_cents: 1800, outside_hours: true };
  await school.once.make('/lessons', { instructor_id, date, duration_minutes: 45, ...places });
  await done(200, family.get(`/credits/${credit}/options?member_id=${scene.mia.id}&date_from=${date}&limit=1`));
  await rejected('not_found', family.get(`/credits/${credit}/options?member_id=${newId('mem')}`));
  await rejected('resource_not_found', family.get(`/credits/${newId('crd')}/options`));
}

/** An account has at most 50 payment methods. */
export async function exceedMethods(scene: Scene): Promise<void> {
  const { neighbours } = scene;
  await Promise.all(Array.from({ length: 50 }, () => aCard(neighbours)));
  const one = { processor_payment_method_id: 'pm_card_visa' };
  const customer = scene.recorded(neighbours);
  const methods = `/accounts/${neighbours.id}/payment-methods`;
  await rejected('limit_reached', customer.post(methods, one));
  await rejected('limit_reached', customer.post(`${methods}/setup`, {}));
}

/** The statement of a month. */
export async function account(scene: Scene): Promise<void> {
  const { school, family } = scene;
  // That of the school, which is in another month than UTC for seven hours.
  const month = new Date().toLocaleDateString('sv', { timeZone: 'America/Phoenix' }).slice(0, 7);
  const statement = `/accounts/${school.id}/statement?month=${month}&currency=USD`;
  await done(200, school.get(statement));
  scene.recording.addRepresentation('getStatement', CSV, withNumbers(await csvOf(school, statement)));
  await rejected('school_only', family.get(`/accounts/${family.id}/statement?month=${month}`));
}

const CSV = 'text/csv';

async function csvOf({ baseUrl, key }: Customer, path: string): Promise<string> {
  const headers = { authorization: `Bearer ${key}`, accept: CSV };
  return until(async () => {
    const response = await fetch(baseUrl + path, { headers });
    return response.ok ? response.text() : null;
  }, 'the statement is answered as CSV');
}

/** The rows of a CSV that say more than their date: months differ in their days. */
const withNumbers = (csv: string): string => csv.replace(/^[\d-]+(?:,0)+\r\n/gm, '');

/** The notice of Stripe that a payment has succeeded. */
export async function noticeOfStripe({ stack, recording }: Scene): Promise<void> {
  const body = {
    id: 'evt_1SoLx2KZ7mQ4vTnA9cWdR3hB',
    object: 'event',
    created: 1_799_658_000,
    data: {
      object: {
        id: 'pi_3SoLx1KZ7mQ4vTnA0fYpG8sJ',
        object: 'payment_intent',
        amount: 6_000,
        currency: 'usd',
        metadata: { payment_id: newId('pay') },
        status: 'succeeded',
      },
    },
    livemode: true,
    type: 'payment_intent.succeeded',
  };
  const seconds = Math.floor(Date.now() / 1_000);
  const signed = createHmac('sha256', STRIPE_WEBHOOK_SECRET)
    .update(`${seconds}.${JSON.stringify(body)}`)
    .digest('hex');
  const webhook = WEBHOOKS.find(({ signatureHeader }) => signatureHeader === 'stripe-signature')!;
  const send = (signature: string) => recording.sendWebhook(stack.origin, webhook, body, signature);
  await done(200, send(`t=${seconds},v1=${signed}`));
  await rejected('invalid_signature', send(`t=${seconds},v1=${'0'.repeat(64)}`));
}
