import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import type { CollectionRow } from '../../src/collections/collection-row.js';
import { COLLECTIONS } from '../../src/collections/collections.js';

const SERVICES = Object.keys(COLLECTIONS) as (keyof typeof COLLECTIONS)[];
// Provided to every service that imports them, each with a row of its own for them.
const SHARED = ['erased_members', 'idempotency', 'migrations', 'engine_probe', 'published', 'personal_keys'];
const root = fileURLToPath(new URL('../../../../', import.meta.url));
const REGISTERED = /\.(?:c|keyC|userC)ollection(?:<[^(]*>)?\(\s*'([a-z_]+)'/g;

/** Names of the collections that the sources in a folder register, or write with the driver. */
function registeredIn(folder: string): string[] {
  const files = readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' });
  const sources = files.filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'));
  const names = sources.flatMap((file) =>
    [...readFileSync(`${root}${folder}/${file}`, 'utf8').matchAll(REGISTERED)].map(([, name]) => name!),
  );
  return [...new Set(names)].sort();
}

describe('the table of collections', () => {
  it.each(SERVICES)('has a row for every collection that %s registers, and no other', (service) => {
    const own = Object.keys(COLLECTIONS[service]).filter((name) => !SHARED.includes(name));
    expect(registeredIn(`services/${service}/src`)).toEqual(own.sort());
  });

  it('has rows for the collections of the libraries', () => {
    const rows = SERVICES.flatMap((service) => Object.keys(COLLECTIONS[service]));
    const registered = registeredIn('libs/mongo/src');
    expect(registered).toContain('idempotency');
    for (const name of registered) expect(rows).toContain(name);
  });

  it('gives a reason for every collection, and exports all data that an account entered', () => {
    for (const [name, row] of SERVICES.flatMap((service) => Object.entries<CollectionRow>(COLLECTIONS[service]))) {
      expect([name, row.why.length]).toEqual([name, expect.any(Number)]);
      expect([name, row.why]).not.toEqual([name, '']);
      // Removed collections may still be exported before.
      if (row.erase.how === 'clear') expect([name, row.exportedAs]).not.toEqual([name, null]);
    }
  });
});
