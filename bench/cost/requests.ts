import crypto from 'node:crypto';
import { bookingRequest } from '../booking/requests.ts';
import { type BenchRequest, type ChangingRequest, load } from '../measuring/load.ts';
import type { CostSide, Stock, StockedSide } from './sides.ts';

const MOVABLE_A_PAIR = 4;

/** How many sessions are moved in turn: more than there are clients. */
export const movableOf = ({ dataset }: StockedSide): number => MOVABLE_A_PAIR * dataset.pairs.length;

interface OtherRequest {
  /** How many bookings a request uses up. */
  used: number;
  requestOf: (side: StockedSide) => ChangingRequest;
}

/**
 * A request of each kind that is measured, each with an Idempotency-Key of its own. What needs a booking takes one from the
 * stock.
 */
export const OTHER_REQUESTS: Record<string, OtherRequest> = {
  'POST /v1/sessions': {
    used: 0,
    requestOf: (side: StockedSide) => posting(side, () => ['/v1/sessions', sessionOf(side)]),
  },
  'POST /v1/payments': {
    used: 1,
    requestOf: (side: StockedSide) => posting(side, () => ['/v1/payments', paymentOf(side.stock)]),
  },
  'PATCH /v1/sessions/{id}': { used: 0, requestOf: patching },
  'POST /v1/sessions/{id}/cancel': {
    used: 1,
    requestOf: (side: StockedSide) =>
      posting(side, () => [`/v1/sessions/${takeBooking(side.stock).session_ids[0]}/cancel`, {}]),
  },
};

type KeyedRequest = ChangingRequest & Required<Pick<BenchRequest, 'onResponse'>>;

/** @returns a different possible booking each time; those that were made go into the stock. */
export function keyedBookingRequest(side: CostSide & { stock?: Stock }): KeyedRequest {
  const request = bookingRequest(side, side.dataset);
  const setupRequest = (each: BenchRequest) => withKey(request.setupRequest(each));
  const onResponse = (status: number, body: string) => {
    if (status !== 201) return;
    const { id, session_ids, instructor_id, amount_cents, currency } = JSON.parse(body).data;
    side.sessionIds.push(...session_ids);
    side.stock?.bookings.push({ id, session_ids, instructor_id, amount_cents, currency });
  };
  return { ...request, setupRequest, onResponse };
}

/** Books until as many bookings are there as the next requests need. */
export async function fillStock(side: StockedSide, count: number, connections: number) {
  const request = keyedBookingRequest(side);
  while (side.stock.bookings.length < count) {
    await load({ ...side, pids: () => [], request, amount: count }, 1, connections);
  }
}

const withKey = (request: BenchRequest) => ({
  ...request,
  headers: { ...request.headers, 'idempotency-key': crypto.randomUUID() },
});

function posting(side: StockedSide, next: () => [string, object]): ChangingRequest {
  const { headers } = bookingRequest(side, side.dataset);
  const setupRequest = (request: BenchRequest) => {
    const [path, body] = next();
    return withKey({ ...request, path, body: JSON.stringify(body) });
  };
  return { method: 'POST', path: '/', headers, setupRequest };
}

/** Moves the same sessions in turn, so that no two requests at a time are about one session. */
function patching(side: StockedSide): ChangingRequest {
  const { stock } = side;
  const movable = movableOf(side);
  const { headers } = bookingRequest(side, side.dataset);
  let count = 0;
  const setupRequest = (request: BenchRequest) => {
    if (stock.movable.length < movable && stock.bookings.length > 0) stock.movable.push(takeBooking(stock));
    const { session_ids: sessionIds, instructor_id: instructorId } = stock.movable[count++ % stock.movable.length]!;
    const body = JSON.stringify({ date: stock.nextMove(instructorId) });
    return withKey({ ...request, path: `/v1/sessions/${sessionIds[0]}`, body });
  };
  return { method: 'PATCH', path: '/', headers, setupRequest };
}

function sessionOf({ nextBooking }: CostSide) {
  const { instructor_id, member_ids, sessions } = nextBooking();
  return { instructor_id, member_id: member_ids[0], ...sessions[0] };
}

function paymentOf(stock: Stock) {
  const { id, amount_cents, currency } = takeBooking(stock);
  return { booking_id: id, payment_method_id: stock.paymentMethodId, amount_cents, currency };
}

function takeBooking({ bookings }: Stock) {
  const booking = bookings.shift();
  if (!booking) throw new Error('no booking is left for these requests');
  return booking;
}
