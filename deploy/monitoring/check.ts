import { checkBoards } from './check-boards.ts';
import { checkRules } from './check-rules.ts';
import { findPrometheus } from './prometheus.ts';

/**
 * `npm run monitoring`: checks and tests the rules by promtool. `npm run monitoring -- boards` has Prometheus scrape the product that
 * `npm start` runs, and evaluates every rule and every query of the boards and the scalers on it.
 */
const log = (line: string) => console.log(line);
try {
  const programs = await findPrometheus(log);
  await (process.argv[2] === 'boards' ? checkBoards(programs.prometheus, log) : checkRules(programs.promtool, log));
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
