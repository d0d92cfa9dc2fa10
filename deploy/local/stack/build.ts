import path from 'node:path';
import { ROOT } from '../../system/paths.mjs';
import { pathWithPackages } from '../../system/processes/node-program.mjs';
import { runCommand } from '../../system/processes/run-command.mjs';
import { logProgress } from '../../system/progress.mjs';

/**
 * Builds all packages, and the bundles of the processes; turbo skips those whose sources have not changed.
 * @throws an error with the message of the compiler.
 */
export const build = (log: (line: string) => void) =>
  logProgress(log, 'build: compiling what has changed', () => run(['build', 'bundle']));

/**
 * Builds all packages, without the bundles of the processes.
 * @throws as `build`.
 */
export const compile = () => run(['build']);

async function run(tasks: string[]) {
  await runCommand(path.join(ROOT, 'node_modules/.bin/turbo'), ['run', ...tasks, '--output-logs=errors-only'], {
    cwd: ROOT,
    shownLines: 60,
    env: { ...process.env, PATH: pathWithPackages(), TURBO_TELEMETRY_DISABLED: '1' },
  });
  return 'done';
}
