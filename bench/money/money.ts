import { makeDataset } from '../booking/dataset.ts';
import type { Run } from '../booking/stack.ts';
import { startOurs } from '../cost/sides.ts';
import { courses } from './courses.ts';
import { type PaymentsPlan, payments } from './payments.ts';
import { races } from './races.ts';
import { statement } from './statement.ts';

interface Requests {
  requests: number;
  warmUpRequests: number;
  mostTurnedAway?: number;
}

interface Plan {
  pairs: number;
  /** Bookings that racers pay, one after the other. */
  races: number;
  racers: number;
  payments: PaymentsPlan;
  courses: Requests;
  statement: Requests & { lessons: number };
}

const LONG: Plan = {
  pairs: 32,
  races: 10,
  racers: 40,
  payments: { rounds: 3, amount: 400, connections: 64 },
  courses: { requests: 40, warmUpRequests: 5 },
  statement: { lessons: 10_000, requests: 40, warmUpRequests: 3 },
};
const SHORT: Plan = {
  pairs: 4,
  races: 1,
  racers: 10,
  payments: { rounds: 1, amount: 8, connections: 4, mostTurnedAway: 1 },
  courses: { requests: 2, warmUpRequests: 1, mostTurnedAway: 1 },
  statement: { lessons: 200, requests: 3, warmUpRequests: 1, mostTurnedAway: 1 },
};

/**
 * Measures through the gateway whether racing payments charge once, what a payment costs beside a hand-written process, how long a
 * booking of a whole course takes beside one of a lesson, and how long a school's statement of a month takes.
 * @returns the figures, for a person.
 */
export async function money(run: Run): Promise<string> {
  const plan = run.isShort ? SHORT : LONG;
  const stack = await run.stack();
  const ours = await startOurs(run, stack, plan.pairs);
  run.log(`${plan.racers} racers pay one booking, ${plan.races} times`);
  const raced = await races(ours, plan);
  const paid = await payments(run, stack, ours, plan.payments);
  run.log('bookings of a whole course');
  const booked = await courses(ours, await makeDataset(stack, plan.pairs), plan.courses);
  const stated = await statement(run, stack, ours.dataset, plan.statement);
  return [raced, paid, booked, stated].join('\n');
}
