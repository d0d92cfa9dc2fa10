import { Databases } from '@swim/mongo';
import { createLogger, HealthServer, type Logger } from '@swim/platform';
import { config } from './config.js';

// Who waits for a command sees no log of its tries.
const OPENED_WITHIN_MS = 60_000;

/**
 * Runs a command on the databases of this service, and prints its result as one line. `prepare` makes the repositories, whose
 * collections are registered before the databases are opened. A failure is printed after `failure`, and is exit code 1.
 * @param out - where the result is printed.
 */
export async function runCommand<T>(
  failure: string,
  prepare: (databases: Databases, logger: Logger) => () => Promise<T>,
  out: NodeJS.WritableStream = process.stdout,
): Promise<T | null> {
  try {
    // Standard output contains the result alone, so the logger is silent; errors go to standard error.
    const logger = createLogger('people', 'silent');
    const databases = new Databases(config, 'people', logger, new HealthServer());
    const work = prepare(databases, logger);
    const late = setTimeout(() => {
      console.error(`${failure}: The database cannot be used.`);
      process.exit(1);
    }, OPENED_WITHIN_MS);
    await databases.onModuleInit();
    clearTimeout(late);
    try {
      const result = await work();
      out.write(`${JSON.stringify(result)}\n`);
      return result;
    } finally {
      await databases.onApplicationShutdown();
    }
  } catch (error) {
    console.error(`${failure}:`, error instanceof Error ? error.message : error);
    process.exitCode = 1;
    return null;
  }
}
