import type { Booking, Payment } from '@swim/contracts';
import { done, type Scene } from './scene.js';

/** How a school gets money that it is due. */
export async function collect(scene: Scene): Promise<void> {
  await recordCash(scene);
}

/** Money that the school got at the desk, and returns there. */
async function recordCash(scene: Scene): Promise<void> {
  const { school, family, leo } = scene;
  const booking = await family.make<Booking>('/bookings', scene.group([leo], [scene.nextTime()]));
  const { id: booking_id, amount_cents, currency } = booking;
  const cash = { booking_id, amount_cents, currency, method: 'cash', reference: 'Receipt 2027-114' };
  const { id } = await school.make<Payment>('/payments', cash);
  await done(200, family.post(`/bookings/${booking_id}/cancel`, {}));
  await done(201, school.post(`/payments/${id}/refunds`, { reason: 'Returned at the desk.' }));
}
