import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findTimeZoneOffences } from '../system/processes/node-program.mjs';
import { findLockOffences } from './lock-file.ts';

const MAX_LINES = 300;
const MAX_MARKDOWN_KB = 310;
const MAX_FILES = 15;
const NOT_OURS = /^(?:node_modules|dist|bundle|coverage|generated|[.](?!ci$|github$).*)$/;
const SOURCE = /[.](?:[cm]?[jt]sx?|json|ya?ml|html|css|sh|conf)$|(?:^|\/)(?:Dockerfile|[.]ci\/run)$/;
const CODE = /[.](?:[cm]?[jt]sx?)$/;
const TEST = /[.]spec[.][cm]?[jt]s$|\/test\//;

// These files count as the back end that a person reads: no tests, dashboard or tools.
const BACK_END = /^(?:services\/[^/]+|libs\/(?:contracts|mongo|messaging|platform)|gateway)\/src\/.*[.]ts$/;

// The patterns are written so that this file does not match itself.
const POSTPONED = /\b(?:TO{1}DO|FIX{1}ME)\b/;
const SELECTED = /\b(?:describe|it|test)(?:[.]concurrent)?[.](?:only|skip)\b|\b[fx](?:describe|it|test)\s*\(/;
const TYPE_IMPORT = /(?:\btypeof|\bextends|\btype\s+\w+[^=]*=|[:<|&])\s*import\(/;
const MACHINE_CLOCK = /\bDate[.]now\b|\bnew Date\(\)|\btimeOrigin\b/;
const GOES_BY_THE_SHARED_CLOCK = /^(?:libs\/(?!(?:testing|sdk)\/)[^/]+|services\/[^/]+|gateway)\/src\/.*[.]ts$/;
const THE_SHARED_CLOCK = 'libs/platform/src/context/clock.ts';
const MAY_DECLARE_INDEXES = /^(?:services\/[^/]+|libs\/mongo)\/src\/.*[.]ts$/;
const INDEX = /^\s*(?:\w*[sS]chema[.]index\((?!\{ \[)|indexDue\(\w+,)/;
const OF_NO_PRODUCT = /^libs\/(?:mongo|messaging|platform)\/src\/.*[.]ts$/;
const NAMES_A_PROCESS = /(['"`])(?:gateway|scheduling|people|booking|payment|notification)\1/;
const DRAWER = /^(?:utils|common|helpers|interfaces)$/;

const onLines = (pattern: RegExp, path: string, lines: string[], sentence: string) =>
  lines.flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1} ${sentence}`] : []));

/** Folders and files with generic names collect unrelated code. */
function namesDrawer(path: string) {
  const drawer = path.split('/').find((part) => DRAWER.test(part.replace(CODE, '')));
  return drawer ? [`${path} lies in '${drawer}', which says nothing: name it after what it does.`] : [];
}

function isTooLong(path: string, lines: string[]) {
  const long = /[.](?:tsx?|mjs)$/.test(path) && lines.length > MAX_LINES;
  return long ? [`${path} has ${lines.length} lines; the ceiling is ${MAX_LINES}: split it by what it knows.`] : [];
}

/** Every index costs on each write: the comment above it names the queries that use it. */
const findIndexesWithoutQuery = (path: string, lines: string[]) =>
  lines.flatMap((line, index) =>
    INDEX.test(line) && !/^\s*\/\/ /.test(lines[index - 1] ?? '')
      ? [`${path}:${index + 1} declares an index without a comment above: name the query that uses it, or remove it.`]
      : [],
  );

/** A growing amount of documents repeats facts. */
export const findMarkdownOffences = (kilobytes: number) =>
  kilobytes > MAX_MARKDOWN_KB
    ? [`All Markdown has ${kilobytes} KB; the ceiling is ${MAX_MARKDOWN_KB}: remove what another document says.`]
    : [];

/** A folder with more files than this is a list to search, not a concept. */
export function findFolderOffences(paths: readonly string[]) {
  const folders = Map.groupBy(
    paths.filter((path) => CODE.test(path) && path.includes('/')),
    (path) => dirname(path),
  );
  return [...folders].flatMap(([folder, { length }]) =>
    length > MAX_FILES ? [`${folder} has ${length} files; the ceiling is ${MAX_FILES}: make folders by meaning.`] : [],
  );
}

/** Returns every offence in one file as a sentence that begins with its location. */
export function findOffences(path: string, text: string) {
  const lines = text.replace(/\n$/, '').split('\n');
  const offences = [...namesDrawer(path), ...isTooLong(path, lines)];
  if (SOURCE.test(path)) {
    offences.push(...onLines(POSTPONED, path, lines, 'postpones work in a comment: do it, or open an issue.'));
  }
  if (TEST.test(path)) {
    offences.push(...onLines(SELECTED, path, lines, 'runs or skips chosen tests only: the others would go unnoticed.'));
  }
  if (GOES_BY_THE_SHARED_CLOCK.test(path) && !TEST.test(path) && path !== THE_SHARED_CLOCK) {
    const sentence = 'reads the clock of this machine, which may be wrong: take the time from sharedClock or Clock.';
    offences.push(...onLines(MACHINE_CLOCK, path, lines, sentence));
  }
  if (OF_NO_PRODUCT.test(path) && !TEST.test(path)) {
    const sentence = 'names a process of the product: the contracts, or the service, tell the library.';
    offences.push(...onLines(NAMES_A_PROCESS, path, lines, sentence));
  }
  if (MAY_DECLARE_INDEXES.test(path) && !TEST.test(path)) offences.push(...findIndexesWithoutQuery(path, lines));
  if (/[.]ts$/.test(path)) {
    const sentence = 'imports inside a type, where the import check does not look: import it at the top.';
    offences.push(...onLines(TYPE_IMPORT, path, lines, sentence));
  }
  return offences;
}

function* filesIn(folder: string, names = SOURCE): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (NOT_OURS.test(entry.name) && !entry.isFile()) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesIn(path, names);
    else if (entry.isFile() && entry.name !== 'package-lock.json' && names.test(path)) yield path;
  }
}

const linesOfBackEnd = (files: { path: string; text: string }[]) =>
  files
    .filter(({ path }) => BACK_END.test(path) && !TEST.test(path))
    .reduce((lines, { text }) => lines + text.split('\n').length - 1, 0);

function main(root: string) {
  const files = [...filesIn(root)].map((file) => ({ path: relative(root, file), text: readFileSync(file, 'utf8') }));
  const markdown = [...filesIn(root, /[.]md$/)].reduce((bytes, file) => bytes + statSync(file).size, 0);
  const kilobytes = Math.ceil(markdown / 1_000);
  const offences = [
    ...findMarkdownOffences(kilobytes),
    ...files.flatMap(({ path, text }) => findOffences(path, text)),
    ...findFolderOffences(files.map(({ path }) => path)),
    ...findLockOffences(readFileSync(join(root, 'package-lock.json'), 'utf8')),
    ...findTimeZoneOffences(process.versions.tz),
  ];
  for (const offence of offences) console.error(offence);
  const verdict =
    offences.length === 0 ? 'no offence' : `${offences.length} offence${offences.length === 1 ? '' : 's'}`;
  console.log(
    `Source conventions: ${files.length} files, ${linesOfBackEnd(files)} lines of back-end source, ${kilobytes} KB of Markdown, ${verdict}.`,
  );
  process.exitCode = offences.length === 0 ? 0 : 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(fileURLToPath(new URL('../../', import.meta.url)));
