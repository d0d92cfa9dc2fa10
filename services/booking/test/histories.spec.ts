import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { inEnvironment } from '@swim/platform';
import { Audit } from '../src/audit/audit.service.js';
import { AuditedDatabases } from '../src/audit/audited-databases.repository.js';
import type { Difference } from '../src/audit/audited-money.rules.js';
import { playAll } from './histories/play.js';
import { Services } from './histories/services.js';

const COUNT = Number(process.env.HISTORIES ?? (process.env.CHAOS ? 5_000 : 30));
const SEED = Number(process.env.HISTORY_SEED ?? randomInt(2 ** 31));
/** The only history to play, by its index; by default all are. */
const ONLY = process.env.HISTORY === undefined ? null : Number(process.env.HISTORY);
const RANGE = ONLY === null ? { from: 0, to: COUNT } : { from: ONLY, to: ONLY + 1 };
// What changes now counts: a history has come to rest when it is audited.
const SETTLED_SECONDS = -60;

// A fault ends sooner: only a busy machine takes this long.
jest.setTimeout(1_200_000 + COUNT * 10_000);
let services: Services;
let databases: AuditedDatabases;
beforeAll(async () => {
  services = await Services.start();
  const { config } = await import('../src/audit/config.js');
  databases = new AuditedDatabases(config);
});
afterAll(async () => {
  await databases?.close();
  await services?.stop();
});

describe(`${RANGE.to - RANGE.from} random histories of bookings and payments, with crashes, races and late messages`, () => {
  const audit = () => new Audit(databases, SETTLED_SECONDS);

  it(`lose no money, make none, and keep what was answered (HISTORY_SEED=${SEED})`, async () => {
    const reports = await playAll(services, audit(), { seed: SEED, ...RANGE });
    if (reports.length > 0) throw new Error(`${reports.length} histories failed:\n${reports.join('\n\n')}`);
    expect(services.crashes).toBeGreaterThan(ONLY === null ? COUNT / 40 : -1);
  });

  it('leave nothing that an audit of all bookings and payments reports, late runs included', async () => {
    const differences: Difference[] = [];
    const { bookings, leftOut } = await inEnvironment('test', () =>
      audit().run((difference) => differences.push(difference)),
    );
    expect({ differences, leftOut }).toEqual({ differences: [], leftOut: 0 });
    expect(bookings).toBeGreaterThanOrEqual(RANGE.to - RANGE.from);
  });
});
