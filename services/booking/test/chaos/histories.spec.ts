import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { Audit } from '../../src/audit/audit.service.js';
import { AuditedDatabases } from '../../src/audit/audited-databases.repository.js';
import { expectWhole } from '../histories/checks.js';
import { histories } from '../histories/commands.js';
import { History } from '../histories/history.js';
import { Services } from '../histories/services.js';

const COUNT = Number(process.env.HISTORIES ?? 5_000);
const SEED = Number(process.env.HISTORY_SEED ?? randomInt(2 ** 31));
/** Histories that run side by side. */
const AT_ONCE = 25;
// What changes now counts: a history has come to rest when it is audited.
const SETTLED_SECONDS = -60;

jest.setTimeout(600_000 + COUNT * 3_000);
let services: Services;
let databases: AuditedDatabases;
beforeAll(async () => {
  services = await Services.start();
  const { config } = await import('../../src/audit/config.js');
  databases = new AuditedDatabases(config);
});
afterAll(async () => {
  await databases?.close();
  await services?.stop();
});

type Sampled = ReturnType<typeof histories.generate>['value'];

/** Runs a history; resolves with what went wrong. */
async function play([book, pay, commands]: Sampled, history: History): Promise<unknown> {
  try {
    const model = { bookings: 0, payments: 0 };
    await book.run(model, history);
    await pay.run(model, history);
    await fc.asyncModelRun(() => ({ model, real: history }), commands);
    return null;
  } catch (error) {
    return error;
  }
}

describe('random histories of bookings and payments, with crashes, races and late messages', () => {
  it(`leave no money lost, made or held too long (seed ${SEED})`, async () => {
    const audit = new Audit(databases, SETTLED_SECONDS);
    const sampled = fc.sample(histories, { numRuns: COUNT, seed: SEED });
    for (let from = 0; from < COUNT; from += AT_ONCE) {
      const batch = sampled
        .slice(from, from + AT_ONCE)
        .map((commands) => ({ commands, history: new History(services) }));
      const faults = await Promise.all(batch.map(({ commands, history }) => play(commands, history)));
      await services.untilIdle();
      for (const [index, { history }] of batch.entries()) {
        const fault =
          faults[index] ??
          (await expectWhole(history, audit).then(
            () => null,
            (error: unknown) => error,
          ));
        if (!fault) continue;
        const run = `HISTORY_SEED=${SEED}, history ${from + index}`;
        throw new Error(`${run}:\n${history.log.join('\n')}\n${(fault as Error).stack}`, { cause: fault });
      }
    }
    expect(sampled).toHaveLength(COUNT);
  });
});
