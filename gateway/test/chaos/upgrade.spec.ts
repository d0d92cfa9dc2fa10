import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AccountEvent, SERVICES, type ServiceName } from '@swim/contracts';
import { until } from '@swim/testing';
import { Customer } from '../journeys/fixtures/customer.js';
import { CURRENT, Stack, type Version } from '../journeys/fixtures/stack.js';
import { Load } from './load.js';

/** The commit of the former version; that of the clone where none is named, beside which its changed files run. */
const { UPGRADE_FROM = 'HEAD' } = process.env;
const TREE = fileURLToPath(new URL('../../../deploy/checks/upgrade/commit-tree.ts', import.meta.url));
const REPLICAS = 2;
/** The former version is compiled first. */
const PREPARED_WITHIN_MS = 900_000;
/** Each of the 32 mixtures takes some seconds. */
const ALL_MIXTURES_MS = 900_000;

const run = promisify(execFile);
let former: Version;
let stack: Stack;
let load: Load;
beforeAll(async () => {
  const { stdout } = await run(process.execPath, [TREE, UPGRADE_FROM]);
  former = { root: pathToFileURL(`${stdout.trim()}/`), built: 'dist' };
  stack = await Stack.start({}, former);
  for (const service of SERVICES) await stack.add(service);
  load = await Load.on(stack);
}, PREPARED_WITHIN_MS);
afterAll(async () => {
  await stack?.stop();
  if (former) await rm(former.root, { recursive: true, force: true });
});

/** Replaces each replica of a service by one of this version, one after the other. */
async function replace(service: ServiceName, version: Version): Promise<void> {
  stack.version = version;
  for (let count = 0; count < REPLICAS; count++) {
    await stack.add(service);
    await stack.retire(service);
  }
}

describe('an update', () => {
  // Each step replaces one service, in the order of a Gray code: every mixture of the versions runs, each service goes back.
  it(
    'of one service, forth or back, fails no request in any mixture of the versions',
    async () => {
      const updated = new Set<ServiceName>();
      for (let step = 1; step <= 2 ** SERVICES.length; step++) {
        const service = SERVICES[Math.min(31 - Math.clz32(step & -step), SERVICES.length - 1)]!;
        const version = updated.has(service) ? former : CURRENT;
        const before = [...updated];
        const failures = await load.failuresDuring(() => replace(service, version));
        expect({ service, before, failures }).toEqual({ service, before, failures: [] });
        if (!updated.delete(service)) updated.add(service);
      }
      expect(updated).toEqual(new Set());
    },
    ALL_MIXTURES_MS,
  );

  it('of the gateway fails no request; then no event is lost and no money', async () => {
    stack.version = CURRENT;
    const next = new Customer(`${await stack.addGateway()}/v1`, stack.family.id, stack.family.key);
    let families = [stack.family, next];
    const retire = async () => {
      families = [next];
      await stack.retire('gateway');
    };
    expect(await load.failuresDuring(retire, () => families)).toEqual([]);
    const events = await until(async () => {
      const all = await next.readAll<AccountEvent>('/events');
      return all.filter(({ type }) => type === 'session.created').length === load.sessionsMade ? all : null;
    }, 'every session has its event');
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => events.length - index));
    await until(() => stack.isAuditClean(), 'the audit finds no difference');
  });
});
