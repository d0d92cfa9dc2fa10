import type { RunningProcess } from '../../deploy/system/supervisor.ts';
import { type BookingBody, createMoves, createTimetable, type Dataset, makeDataset } from '../booking/dataset.ts';
import { untilQuiet } from '../booking/sides.ts';
import type { Run, Stack } from '../booking/stack.ts';
import { PROCESSES } from '../booking/stack.ts';
import { startBefore } from './before.ts';

/** What is compared. A side of the product also has what the other requests need. */
export interface CostSide {
  name: string;
  origin: string;
  /** All that work for a request, the database's servers and NATS
included where this run has started them. */
  processes: () => RunningProcess[];
  /** The names of those that are not servers. */
  services: string[];
  dataset: Dataset;
  /** A body of POST /v1/bookings that has not been sent yet. */
  nextBooking: () => BookingBody;
  /** Of the bookings that were made. */
  sessionIds: string[];
  /** Waits for the background work of the requests. */
  drain: () => Promise<void>;
}

/** Objects of earlier responses, which other requests are about. */
export interface Stock {
  /** That no other request has used. */
  bookings: { id: string; session_ids: string[]; instructor_id: string; amount_cents: number; currency: string }[];
  /** Those whose sessions are moved repeatedly. */
  movable: Stock['bookings'];
  /** A free time. */
  nextMove: (instructorId: string) => string;
  /** Of the family, once it is known. */
  paymentMethodId: string | null;
}

/** A side of the product. */
export type StockedSide = CostSide & { stock: Stock };

/** @returns the product. */
export async function startOurs(run: Run, stack: Stack, pairs: number): Promise<StockedSide> {
  const own = () => run.supervisor.processes().filter(({ name }) => PROCESSES.includes(name));
  return productSide('ours', stack, { pairs, processes: () => [...own(), ...serversOfRun()] });
}

/**
 * @param checkout - folder of another checkout.
 * @returns its product.
 */
export async function startOther(run: Run, checkout: string, pairs: number): Promise<StockedSide> {
  const stack = await startBefore(run, checkout);
  const databases = serversOfRun().filter(({ name }) => name !== 'nats');
  return productSide('before', stack, { pairs, processes: () => [...stack.processes(), ...databases] });
}

async function productSide(
  name: string,
  stack: Omit<Stack, 'counter'>,
  { pairs, processes }: { pairs: number; processes: CostSide['processes'] },
): Promise<StockedSide> {
  const dataset = await makeDataset(stack, pairs);
  return {
    name,
    origin: stack.origin,
    processes,
    services: PROCESSES,
    dataset,
    nextBooking: createTimetable(dataset),
    sessionIds: [],
    drain: () => untilQuiet(name, stack.isQuiet),
    stock: { bookings: [], movable: [], nextMove: createMoves(), paymentMethodId: await cardOf(stack) },
  };
}

async function cardOf(stack: Pick<Stack, 'demo'>) {
  const { base_url: baseUrl, accounts } = await stack.demo();
  const url = `${baseUrl}/accounts/${accounts.family.id}/payment-methods`;
  const response = await fetch(url, { headers: { authorization: `Bearer ${accounts.family.key}` } });
  const { data } = (await response.json()) as { data: { id: string }[] };
  return data[0]?.id ?? null;
}

/** The servers that `npm run bench` has started; those that MONGODB_URI and NATS_URL name are not among them. */
function serversOfRun(): RunningProcess[] {
  return JSON.parse(process.env.BENCH_SERVERS ?? '[]');
}
