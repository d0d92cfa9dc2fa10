import type { Booking, Payment } from '@swim/contracts';
import { bookingBody } from '../fixtures/fixtures.js';
import { another, done, newId, rejected, type Scene } from './scene.js';

/** How a school gets money that it is due. */
export async function collect(scene: Scene): Promise<void> {
  await recordCash(scene);
  await setPrices(scene);
  await chargeByConsent(scene);
}

/** What a family consents to be charged for. */
async function chargeByConsent(scene: Scene): Promise<void> {
  const { school, family, leo, card } = scene;
  const booking = await school.make<Booking>('/bookings', scene.group([leo], [scene.nextTime()]));
  const { id: booking_id, amount_cents, currency } = booking;
  const charge = { booking_id, amount_cents, currency };
  await rejected('no_consent', school.post('/payments', charge));
  await rejected('required', family.post('/payments', charge));
  const method = { payment_method_id: card.id };
  await rejected('read_only', school.patch(`/bookings/${booking_id}`, method));
  await rejected('not_found', family.patch(`/bookings/${booking_id}`, { payment_method_id: newId('pm') }));
  await done(200, family.patch(`/bookings/${booking_id}`, method));
  await done(200, school.patch(`/sessions/${booking.session_ids[0]}`, { price_cents: amount_cents + 500 }));
  await rejected('consent_exceeded', school.post('/payments', { ...charge, amount_cents: amount_cents + 500 }));
  await done(201, school.post('/payments', charge));
}

/** Prices other than those of the rate. */
async function setPrices(scene: Scene): Promise<void> {
  const { school, family, mia } = scene;
  const [session] = scene.group([mia], [scene.nextTime()]).sessions;
  const priced = { ...session, price_cents: 2_000, price_reason: 'Second child of the family' };
  const booking = await school.make<Booking>('/bookings', { ...scene.group([mia], []), sessions: [priced] });
  const path = `/sessions/${booking.session_ids[0]}`;
  await done(200, school.patch(path, { price_cents: 1_500, price_reason: 'The pool was cold' }));
  await rejected('school_only', family.patch(path, { price_cents: 0 }));
  const dinars = await another(school, { currency: 'KWD' });
  const odd = { ...session, price_cents: 4_113 };
  const inDinars = { ...scene.group([mia], []), instructor_id: dinars.id, sessions: [odd] };
  await rejected('not_representable', school.post('/bookings', inDinars));
  const { session_ids } = await family.make<Booking>('/bookings', bookingBody(dinars, [mia], [scene.nextTime()]));
  await rejected('not_representable', school.patch(`/sessions/${session_ids[0]}`, { price_cents: 4_113 }));
  await done(200, family.post(`/bookings/${booking.id}/cancel`, {}));
}

/** Money that the school got at the desk, and returns there. */
async function recordCash(scene: Scene): Promise<void> {
  const { school, family, leo } = scene;
  const booking = await family.make<Booking>('/bookings', scene.group([leo], [scene.nextTime()]));
  const { id: booking_id, amount_cents, currency } = booking;
  const cash = { booking_id, amount_cents, currency, method: 'cash', reference: 'Receipt 2027-114' };
  await rejected('school_only', family.post('/payments', cash));
  const { id } = await school.make<Payment>('/payments', cash);
  await done(200, family.post(`/bookings/${booking_id}/cancel`, {}));
  await done(201, school.post(`/payments/${id}/refunds`, { reason: 'Returned at the desk.' }));
}
