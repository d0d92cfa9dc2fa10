import { checkBacklog } from './check-backlog.ts';
import { checkBoards } from './check-boards.ts';
import { checkRules } from './check-rules.ts';
import { checkTraces } from './check-traces.ts';
import { findPrometheus } from './prometheus.ts';

/**
 * `npm run monitoring`: checks and tests the rules by promtool. `npm run monitoring -- boards` has Prometheus scrape the product that
 * `npm start` runs, and evaluates every rule and every query of the boards and the scalers on it; `-- backlog` has a thousand events wait for
 * two replicas of notification; `-- traces` starts a product of its own, whose bookings Jaeger must show as one trace each.
 */
const log = (line: string) => console.log(line);
const CHECKS: Record<string, () => Promise<void>> = {
  rules: async () => checkRules((await findPrometheus(log)).promtool, log),
  boards: async () => checkBoards((await findPrometheus(log)).prometheus, log),
  backlog: async () => checkBacklog((await findPrometheus(log)).prometheus, log),
  traces: () => checkTraces(log),
};
try {
  const [, , what = 'rules'] = process.argv;
  const check = CHECKS[what];
  if (!check) throw new Error(`${what}: say nothing, or ${Object.keys(CHECKS).join(', ')}`);
  await check();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
