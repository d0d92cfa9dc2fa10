import { checkBacklog } from './check-backlog.ts';
import { checkBoards } from './check-boards.ts';
import { checkRules } from './check-rules.ts';
import { findPrometheus } from './prometheus.ts';

/**
 * `npm run monitoring`: checks and tests the rules by promtool. `npm run monitoring -- boards` has Prometheus scrape the product that
 * `npm start` runs, and evaluates every rule and every query of the boards and the scalers on it; `-- backlog` has a thousand events wait for
 * two replicas of notification.
 */
const log = (line: string) => console.log(line);
try {
  const programs = await findPrometheus(log);
  if (process.argv[2] === 'boards') await checkBoards(programs.prometheus, log);
  else if (process.argv[2] === 'backlog') await checkBacklog(programs.prometheus, log);
  else await checkRules(programs.promtool, log);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
