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
  it.each(SERVICES)('of %s alone, and its way back, fail no request', async (service) => {
    const failures = await load.failuresDuring(async (roundsMore) => {
      await replace(service, CURRENT);
      await roundsMore(1);
      await replace(service, former);
    });
    expect(failures).toEqual([]);
  });

  it('of all services, and their way back in the same order, fail no request', async () => {
    const failures = await load.failuresDuring(async (roundsMore) => {
      for (const version of [CURRENT, former]) {
        for (const service of SERVICES) {
          await replace(service, version);
          await roundsMore(1);
        }
      }
    });
    expect(failures).toEqual([]);
  });

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
