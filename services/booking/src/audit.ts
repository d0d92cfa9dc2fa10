import { setTimeout as pause } from 'node:timers/promises';
import { ENVIRONMENTS } from '@swim/contracts';
import { createLogger, gauge, HealthServer, inEnvironment, whenChanged } from '@swim/platform';
import { Audit } from './audit/audit.service.js';
import { AuditedDatabases } from './audit/audited-databases.repository.js';
import { DIFFERENCES, type Difference } from './audit/audited-money.rules.js';
import { config } from './audit/config.js';

/** When the last audit was completed, by environment, in seconds since 1970 by the database's clock. */
const auditCompletedSeconds = gauge({
  name: 'swim_audit_completed_timestamp_seconds',
  help: 'When the last audit of the money was completed',
  labelNames: ['env'],
});

/** Differences that the last complete audit of the money found, by environment. Each needs an operator's attention. */
const auditDifferences = gauge({
  name: 'swim_audit_differences',
  help: 'Differences between the ledgers of bookings and their payments, by the last complete audit',
  labelNames: ['env'],
});

const MINUTE_MS = 60_000;
const MOST_RETRY_MS = 60_000;

/**
 * Audits both environments once, or these bookings alone, and prints each difference, then the result of each environment, as lines
 * of JSON.
 */
async function auditOnce(audit: Audit, bookingIds: string[]): Promise<void> {
  const print = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);
  for (const env of ENVIRONMENTS) {
    const report = (difference: Difference) => print({ env, ...difference, meaning: DIFFERENCES[difference.kind] });
    const result = await inEnvironment(env, () =>
      bookingIds.length > 0 ? audit.runOn(bookingIds, report) : audit.run(report),
    );
    print(result);
    if (result.differences > 0) process.exitCode = 1;
  }
}

/** Audits both environments every so many minutes, until the process is ended; logs the differences, and counts them as metrics. */
async function auditEvery(minutes: number, audit: Audit, databases: AuditedDatabases): Promise<never> {
  const logger = createLogger('audit', config.LOG_LEVEL);
  const health = new HealthServer();
  await health.listen(config.HEALTH_PORT, config.HEALTH_HOST);
  let completedAtMs = performance.now();
  health.addCheck('audit', async () => {
    if (performance.now() - completedAtMs > 2 * minutes * MINUTE_MS) throw new Error('no audit was completed in time');
  });
  health.addCheck('database', () => inEnvironment('live', async () => void (await databases.now())));
  health.ready();
  databases.watch(logger);
  // It only reads: nothing is left to finish.
  for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => process.exit(0));
  whenChanged(config, () => {
    logger.info('stopping: the supervisor starts an audit with the changed address');
    process.exit(0);
  });
  for (;;) {
    try {
      // A client whose first connection fails is closed by the driver, and opens only by another `connect`.
      await databases.open();
      for (const env of ENVIRONMENTS) {
        await inEnvironment(env, async () => {
          const result = await audit.run(({ kind, sessionId, creditId, ledgerCents: _, otherCents: __, ...ids }) =>
            logger.error({ reason: kind, objectId: sessionId ?? creditId, ...ids }, DIFFERENCES[kind]),
          );
          auditDifferences.set({ env }, result.differences);
          auditCompletedSeconds.set({ env }, (await databases.now()).getTime() / 1_000);
          logger.info({ count: result.bookings }, 'bookings audited');
        });
      }
      completedAtMs = performance.now();
      await pause(minutes * MINUTE_MS);
    } catch (error) {
      logger.error({ err: error }, 'the audit could not be completed, and is repeated');
      await pause(Math.min(minutes * MINUTE_MS, MOST_RETRY_MS));
    }
  }
}

const databases = new AuditedDatabases(config);
const audit = new Audit(databases, config.AUDIT_SETTLED_SECONDS);
try {
  if (config.AUDIT_MINUTES !== undefined) await auditEvery(config.AUDIT_MINUTES, audit, databases);
  await databases.open();
  await auditOnce(audit, process.argv.slice(2));
} catch (error) {
  console.error('The audit could not be completed:', error instanceof Error ? error.message : error);
  process.exitCode = 2;
} finally {
  await databases.close();
}
