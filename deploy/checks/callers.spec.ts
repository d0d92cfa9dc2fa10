import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import type { EventType, Operation } from '@swim/contracts';
import { SERVICES } from '../local/stack/product-processes.ts';
import { ROOT } from '../system/paths.mjs';
import { builtContracts, isOperation } from './architecture-diagrams.ts';

const contracts = await builtContracts();
const OPERATIONS = Object.entries(contracts).filter((entry): entry is [string, Operation] => isOperation(entry[1]));
const IMPORT = /import (?!type )\{([^}]*)\} from '@swim\/contracts'/g;
const IMPORT_OF_ALL = /import \* as api from '@swim\/contracts'/;

const sourcesOf = (folder: string) =>
  fs
    .readdirSync(path.join(ROOT, folder, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'))
    .map((name) => fs.readFileSync(path.join(ROOT, folder, 'src', name), 'utf8'));

/**
 * Returns the names that a process imports from the contracts as values: it requests each operation among them that it
 * does not own.
 */
function namesUsedBy(folder: string) {
  const imported = sourcesOf(folder).flatMap((text) => [
    ...[...text.matchAll(IMPORT)].flatMap(([, names = '']) => names.split(',')),
    ...(IMPORT_OF_ALL.test(text) ? [...text.matchAll(/\bapi\.(\w+)/g)].map(([, name = '']) => name) : []),
  ]);
  return imported.map((each) => each.trim()).filter((each) => each !== '' && !each.startsWith('type '));
}

/** The messaging library requests these operations on behalf of every process. */
const shared = namesUsedBy('libs/messaging');
const used = new Map<string, Set<string>>([
  ['gateway', new Set([...shared, ...namesUsedBy('gateway')])],
  ...SERVICES.map((name) => [name, new Set([...shared, ...namesUsedBy(`services/${name}`)])] as const),
]);

it('every package below services/ is a service of the contracts', () => {
  expect([...contracts.SERVICES].sort()).toEqual(SERVICES);
});

it.each(OPERATIONS)('%s names as its callers exactly the processes that request it', (name, { callers, service }) => {
  const real = [...used].filter(([owner, names]) => owner !== service && names.has(name)).map(([owner]) => owner);
  expect([...callers].sort()).toEqual(real.sort());
});

it('every public route is an operation that the gateway may request', () => {
  expect(contracts.ROUTES.filter(({ operation }) => !operation.callers.includes('gateway'))).toEqual([]);
});

it('every service consumes exactly the events that its subscriptions name', () => {
  const consumed = (name: string) => {
    const decorators = sourcesOf(`services/${name}`).flatMap((text) => [
      ...text.matchAll(/@On(?:\((\w+)\)|EveryEvent\(\))/g),
    ]);
    return decorators.map(([, event]) => (event ? (contracts[event] as EventType).type : '*')).sort();
  };
  for (const name of SERVICES) {
    const named = (contracts.SUBSCRIPTIONS[name] ?? []).map((each) => (each === '*' ? each : each.type));
    expect([name, [...new Set(consumed(name))]]).toEqual([name, named.sort()]);
  }
});
