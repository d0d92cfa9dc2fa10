import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parseAst } from 'rolldown/parseAst';
import { SERVICES } from '../local/product-processes.ts';
import { ROOT } from '../system/paths.mjs';

// A regular expression of a package.
const LONGEST_LINE = 20_000;
// Mongoose. V8 needs four times the size of a chunk to parse it, and glibc keeps that.
const LARGEST_CHUNK = 1_000_000;

interface Tagged {
  type: 'TaggedTemplateExpression';
  quasi: { quasis: { value: { raw: string } }[] };
}

/** The tagged templates in a syntax tree whose function gets the text as it is written. */
function taggedIn(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(taggedIn);
  if (typeof node !== 'object' || node === null) return [];
  const { type, quasi } = node as Partial<Tagged>;
  const own = type === 'TaggedTemplateExpression' ? quasi!.quasis.map(({ value }) => value.raw) : [];
  return [...own, ...Object.values(node).flatMap(taggedIn)];
}

describe.each([...SERVICES.map((name) => `services/${name}`), 'gateway'])('the bundle of %s', (folder) => {
  const files = fs.readdirSync(path.join(ROOT, folder, 'bundle'));
  const read = (file: string) => fs.readFileSync(path.join(ROOT, folder, 'bundle', file), 'utf8');

  it('is in ASCII, and has no tagged template whose text the escapes change', () => {
    expect(files).toContain('main.js');
    for (const file of files) {
      const code = read(file);
      expect([file, /[\u0080-\uffff]/.exec(code)]).toEqual([file, null]);
      expect([file, taggedIn(parseAst(code)).filter((raw) => raw.includes('\\u'))]).toEqual([file, []]);
    }
  });

  it('is split by package, so that V8 parses no chunk of several megabytes', () => {
    for (const file of files) expect([file, read(file).length < LARGEST_CHUNK]).toEqual([file, true]);
  });

  it('imports node:http without the clients that Node would load with it', () => {
    expect(files.filter((file) => /from "(node:)?http"/.test(read(file)))).toEqual([]);
  });

  it('has a line for each statement, as stack traces name lines', () => {
    // The list of common passwords is one text.
    for (const file of files.filter((each) => !each.startsWith('zxcvbn'))) {
      const lines = read(file).split('\n');
      expect([file, lines.find(({ length }) => length > LONGEST_LINE)?.slice(0, 100)]).toEqual([file, undefined]);
    }
  });
});
