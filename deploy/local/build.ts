import path from 'node:path';
import { pathWithPackages } from '../system/node-program.mjs';
import { ROOT } from '../system/paths.mjs';
import { logProgress } from '../system/progress.mjs';
import { runCommand } from '../system/run-command.mjs';

/**
 * Builds all packages; turbo skips those whose sources have not changed.
 * @throws with what the compiler says.
 */
export const build = (log: (line: string) => void) => logProgress(log, 'build: compiling what has changed', compile);

async function compile() {
  await runCommand(path.join(ROOT, 'node_modules/.bin/turbo'), ['run', 'build', '--output-logs=errors-only'], {
    cwd: ROOT,
    shownLines: 60,
    env: { ...process.env, PATH: pathWithPackages(), TURBO_TELEMETRY_DISABLED: '1' },
  });
  return 'done';
}
