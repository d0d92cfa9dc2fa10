import crypto from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { keyedBookingRequest } from '../cost/requests.ts';
import type { StockedSide } from '../cost/sides.ts';
import { milliseconds, percentileOf } from '../measuring/latency.ts';
import { isBusyStatus } from '../measuring/turned-away.ts';

const PAID_WITHIN_MS = 60_000;
const PAUSE_MS = 50;
/** Why a payment is rejected beside another one of the same booking. */
const LOST = ['amount_exceeds_due', 'already_paid'];
/** Why a client sends it again. */
const PASSING = ['change_in_progress', 'idempotency_in_progress'];

/** How many race, and how often. */
interface Plan {
  races: number;
  racers: number;
}

/** What became of one booking that racers paid. */
interface Race {
  tookMs: number;
  /** Payments that the processor has charged. */
  charged: number;
  paidCents: number;
  dueCents: number;
}

/**
 * Has racers pay one booking in full at the same moment, each by a request and a key of its own.
 * @returns the figures, for a person.
 */
export async function races(ours: StockedSide, { races: count, racers }: Plan): Promise<string> {
  const results: Race[] = [];
  for (let race = 0; race < count; race += 1) results.push(await raceFor(ours, racers));
  const isOnce = results.every(({ charged, paidCents, dueCents }) => charged === 1 && paidCents > 0 && dueCents === 0);
  const most = Math.max(...results.map(({ charged }) => charged));
  const times = results.map(({ tookMs }) => tookMs);
  return [
    `POST /v1/payments of one booking by ${racers} racers, ${count} bookings`,
    `  until the last answer: p50 ${milliseconds(percentileOf(times, 50))}, longest ${milliseconds(Math.max(...times))}`,
    `  captures of a booking, at most ${most}; target exactly one each: ${isOnce ? 'met' : 'missed'}`,
    '',
  ].join('\n');
}

async function raceFor(ours: StockedSide, racers: number): Promise<Race> {
  const booking = await bookOne(ours);
  const { paymentMethodId } = ours.stock;
  const body = JSON.stringify({
    booking_id: booking.id,
    payment_method_id: paymentMethodId,
    amount_cents: booking.amount_cents,
    currency: booking.currency,
  });
  const beganAtMs = performance.now();
  await Promise.all(Array.from({ length: racers }, () => pay(ours, body)));
  const tookMs = performance.now() - beganAtMs;
  const payments = await read<{ status: string }[]>(ours, `/v1/payments?booking_id=${booking.id}&limit=100`);
  const now = await read<{ amount_paid_cents: number; amount_due_cents: number }>(ours, `/v1/bookings/${booking.id}`);
  const charged = payments.filter(({ status }) => status === 'succeeded').length;
  return { tookMs, charged, paidCents: now.amount_paid_cents, dueCents: now.amount_due_cents };
}

async function bookOne(ours: StockedSide) {
  const request = keyedBookingRequest(ours);
  const { path, headers, body } = request.setupRequest(request);
  const response = await fetch(ours.origin + path, { method: 'POST', headers, body: body! });
  const text = await response.text();
  if (response.status !== 201) throw new Error(`POST ${path} answered ${response.status}: ${text}`);
  return JSON.parse(text).data as { id: string; amount_cents: number; currency: string };
}

/** Pays once; what a busy machine turned away is sent again, as a client does, under the same key. */
async function pay({ origin, dataset }: StockedSide, body: string): Promise<void> {
  const headers = { ...headersOf(dataset), 'idempotency-key': crypto.randomUUID() };
  const endsAtMs = performance.now() + PAID_WITHIN_MS;
  while (performance.now() < endsAtMs) {
    const response = await fetch(`${origin}/v1/payments`, { method: 'POST', headers, body });
    const text = await response.text();
    if (response.status === 201) return;
    const { reason } = JSON.parse(text).error.details;
    if (LOST.includes(reason)) return;
    if (!isBusyStatus(response.status) && !PASSING.includes(reason))
      throw new Error(`POST /v1/payments answered ${response.status}: ${text}`);
    await sleep(PAUSE_MS);
  }
  throw new Error(`a racer got no answer within ${PAID_WITHIN_MS} ms`);
}

async function read<T>({ origin, dataset }: StockedSide, path: string): Promise<T> {
  const response = await fetch(origin + path, { headers: headersOf(dataset) });
  const text = await response.text();
  if (!response.ok) throw new Error(`GET ${path} answered ${response.status}: ${text}`);
  return JSON.parse(text).data;
}

const headersOf = ({ familyKey }: StockedSide['dataset']) => ({
  authorization: `Bearer ${familyKey}`,
  'content-type': 'application/json',
});
