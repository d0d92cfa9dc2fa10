import { makeDataset } from '../booking/dataset.ts';
import type { Run } from '../booking/stack.ts';
import { availabilityFigure } from './availability.ts';
import { CalendarDatabase } from './calendar-database.ts';
import { growthFigures } from './growth.ts';
import { raceFigures } from './races.ts';

const LONG = {
  pairs: 64,
  availability: { sessions: 200, requests: 500, warmUpRequests: 200 },
  races: { racers: 64, rounds: 5, seconds: 4, warmUpRequests: 1 },
  growth: { few: 1_000, many: 1_000_000, posts: 400, lists: 1_000, warmUpRequests: 100 },
};
const SHORT = {
  pairs: 4,
  availability: { sessions: 31, requests: 20, warmUpRequests: 2, mostTurnedAway: 1 },
  races: { racers: 16, rounds: 1, seconds: 0.3, warmUpRequests: 1, mostTurnedAway: 1 },
  growth: { few: 200, many: 2_000, posts: 10, lists: 20, warmUpRequests: 2, mostTurnedAway: 1 },
};

/**
 * Measures what a full calendar costs: availability of a busy instructor, many claims for one day, many sessions stored.
 * @returns the figures, for a person.
 */
export async function calendar(run: Run): Promise<string> {
  const plan = run.isShort ? SHORT : LONG;
  const stack = await run.stack();
  const database = new CalendarDatabase(run.env);
  run.atEnd(() => database.close());
  const { pairs, ...accounts } = await makeDataset(stack, plan.pairs);
  const [busiest, ...others] = pairs;
  const figures = [
    await availabilityFigure(stack, { ...accounts, pair: busiest! }, plan.availability, run.log),
    await raceFigures(stack, database, plan.races, run.log),
    await growthFigures(stack, { ...accounts, pairs: others }, database, plan.growth, run.log),
  ];
  return figures.join('\n');
}
