import { BenchDatabase } from '../booking/database.mjs';
import { makeDataset } from '../booking/dataset.mjs';
import { startStack } from '../booking/stack.mjs';
import { availabilityFigure } from './availability.mjs';
import { CalendarDatabase } from './calendar-database.mjs';
import { growthFigures } from './growth.mjs';
import { raceFigures } from './races.mjs';

const LONG = {
  pairs: 64,
  availability: { requests: 500, warmUpRequests: 200 },
  races: { rounds: 5, seconds: 4 },
  growth: { few: 1_000, many: 1_000_000, posts: 400, lists: 1_000, warmUpRequests: 100 },
};
const SHORT = {
  pairs: 4,
  availability: { requests: 60, warmUpRequests: 20 },
  races: { rounds: 1, seconds: 0.5 },
  growth: { few: 1_000, many: 10_000, posts: 40, lists: 80, warmUpRequests: 10 },
};

/**
 * Measures what a full calendar costs: availability of a busy instructor, many who want one day, many sessions stored.
 * @param {import('../run.mjs').Run} run
 * @returns {Promise<string>} the figures, for a person.
 */
export async function calendar(run) {
  const plan = run.isShort ? SHORT : LONG;
  const stack = await startStack(run);
  const [everything, database] = [new BenchDatabase(stack.env), new CalendarDatabase(stack.env)];
  run.atEnd(() => database.close());
  run.atEnd(() => everything.removeAll());
  const { pairs, ...accounts } = await makeDataset(stack, plan.pairs, run.log);
  const [busiest, ...others] = pairs;
  const figures = [
    await availabilityFigure(stack, { ...accounts, pair: busiest }, plan.availability, run.log),
    await raceFigures(stack, database, plan.races, run.log),
    await growthFigures(stack, { ...accounts, pairs: others }, database, plan.growth, run.log),
  ];
  return figures.join('\n');
}
