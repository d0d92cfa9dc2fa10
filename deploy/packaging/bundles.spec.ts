import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { SERVICES } from '../local/stack/product-processes.ts';
import { ROOT } from '../system/paths.mjs';

// The longest line in a bundle is a regular expression of a package.
const LONGEST_LINE = 20_000;

it.each([...SERVICES.map((name) => `services/${name}`), 'gateway'])(
  'the bundle of %s has a line for each statement, as stack traces name lines',
  (folder) => {
    const lines = fs.readFileSync(path.join(ROOT, folder, 'bundle/main.js'), 'utf8').split('\n');
    expect(lines.find(({ length }) => length > LONGEST_LINE)?.slice(0, 100)).toBeUndefined();
  },
);
