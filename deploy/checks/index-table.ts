import { readFileSync } from 'node:fs';

const TABLE = 'docs/indexes.md';
const MAY_DECLARE = /^(?:services\/[^/]+|libs\/mongo)\/src\/.*(?<![.]spec)[.]ts$/;
const DECLARED = /\b\w*[sS]chema[.]index\(\s*\{([^}]*)\}/g;
const DECLARED_DUE = /\bindexDue\(\s*\w+,\s*'(\w+)'/g;
const HELPER = 'libs/mongo/src/due-fields.ts';
const FIELD = /(?:'([^']+)'|(\w+)):/g;
/** A file, and the list of its indexes below it. */
const SECTION = /^`(\S+[.]ts)`\n\n((?:- .*\n)+)/gm;
const ROW = /^- `([^`]+)`: *(.*)$/gm;

const indexesIn = (text: string) => [
  ...[...text.matchAll(DECLARED)].map(([, keys = '']) =>
    [...keys.matchAll(FIELD)].map(([, a, b]) => a ?? b).join(', '),
  ),
  ...[...text.matchAll(DECLARED_DUE)].map(([, field]) => field),
];

/**
 * Compares the list of indexes with the declared ones: every index costs on each write, so each needs a query that uses it.
 * @param files - relative to the root.
 * @param table - the text of docs/indexes.md.
 * @returns one sentence for each offence, which begins with its location.
 */
export function findIndexOffences(files: { path: string; text: string }[], table: string): string[] {
  const declared = files
    .filter(({ path }) => MAY_DECLARE.test(path) && path !== HELPER)
    .flatMap(({ path, text }) => indexesIn(text).map((index) => `${path} ${index}`));
  const rows = new Map(
    [...table.matchAll(SECTION)].flatMap(([, path, list = '']) =>
      [...list.matchAll(ROW)].map(([, index, query]): [string, string | undefined] => [`${path} ${index}`, query]),
    ),
  );
  return [
    ...declared
      .filter((each) => !rows.get(each))
      .map((each) => `${each} is an index without a query in ${TABLE}: add a row, or remove the index.`),
    ...[...rows.keys()]
      .filter((each) => !declared.includes(each))
      .map((each) => `${TABLE} has a row for ${each}, which no schema declares.`),
  ];
}

/** @param root - of the repository. */
export const readIndexTable = (root: string) => readFileSync(`${root}/${TABLE}`, 'utf8');
