import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { SERVICES } from '@swim/contracts';
import type { Collections } from '@swim/mongo';

const root = `${import.meta.dirname}/../..`;
// Modules of the library, which these services import, register these collections.
const OF_LIBRARY = ['erased_members', 'personal_keys'];
const REGISTERED = /\.(?:c|keyC|userC)ollection(?:<[^(]*>)?\(\s*'([a-z_]+)'/g;

async function rowsOf(service: string): Promise<Collections> {
  const module = (await import(`${root}/services/${service}/src/collections.ts`)) as { COLLECTIONS: Collections };
  return module.COLLECTIONS;
}

function registeredBy(service: string): string[] {
  const folder = `${root}/services/${service}/src`;
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'),
  );
  const names = sources.flatMap((file) =>
    [...readFileSync(`${folder}/${file}`, 'utf8').matchAll(REGISTERED)].map(([, name]) => name!),
  );
  return [...new Set(names)].sort();
}

describe.each(SERVICES)('collections of %s', (service) => {
  it('have a row each, and no other collection has one', async () => {
    const own = Object.keys(await rowsOf(service)).filter((name) => !OF_LIBRARY.includes(name));
    const registered = registeredBy(service).filter((name) => !OF_LIBRARY.includes(name));
    expect(registered).toEqual(own.sort());
  });

  it('give a reason, and export what an account entered', async () => {
    for (const [name, row] of Object.entries(await rowsOf(service))) {
      expect([name, row.why]).not.toEqual([name, '']);
      // A collection that an erasure removes may still be part of an export.
      if (row.erase.how === 'clear') expect([name, row.exportedAs]).not.toEqual([name, null]);
    }
  });
});
