import fs from 'node:fs';
import path from 'node:path';
import { rolldown } from 'rolldown';
import { PLUGINS } from './bundle-plugins.ts';

/**
 * Bundles the process of the package in the current folder with the packages that it uses: `dist/main.js` becomes `bundle/main.js` and
 * the chunks that it loads. V8 keeps the source of each module that is loaded, and Node keeps each module: a process takes 16 MB less, and
 * half of the processor time to start. Names and lines stay, so that stack traces can be read.
 */
const OUT = 'bundle';
// What is loaded by the path of a file: native packages, and the gateway's framework, which searches its own folders.
const KEPT_APART = [/^@node-rs\//, /^express-gateway/];
const ENTRIES = ['main', 'plugin'];

const NON_ASCII = /[\u0080-\uffff]/g;

/**
 * The same code in ASCII: with one other character, V8 keeps each character of a source in two bytes. Only the text that the function of
 * a tagged template gets would differ: a test finds those.
 */
const inAscii = (code: string): string =>
  code.replace(NON_ASCII, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/**
 * The chunk of a module: one for each package, and what remains for our own code. V8 parses a chunk as a whole, and glibc keeps the memory
 * that this takes: 17 MB for one of 4 MB, 5 MB for these.
 */
const packageOf = (id: string): string | null =>
  /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1]?.replace('@', '').replace('/', '-') ?? null;

const inputs = ENTRIES.map((name) => [name, `dist/${name}.js`] as const).filter(([, file]) => fs.existsSync(file));
const bundle = await rolldown({
  input: Object.fromEntries(inputs),
  platform: 'node',
  preserveEntrySignatures: 'allow-extension',
  external: KEPT_APART,
  plugins: [...PLUGINS],
});
const { output } = await bundle.generate({
  format: 'esm',
  keepNames: true,
  entryFileNames: '[name].js',
  chunkFileNames: '[name].js',
  comments: { legal: false, annotation: false, jsdoc: false },
  minify: false,
  // By default, the group of a package has those that it uses, too.
  codeSplitting: { groups: [{ name: packageOf, debugName: 'packages' }], includeDependenciesRecursively: false },
  // Chunks import each other in cycles, as modules of packages do; a module is executed when the first that imports it needs it.
  strictExecutionOrder: true,
});
await bundle.close();

fs.rmSync(OUT, { recursive: true, force: true });
fs.mkdirSync(OUT);
for (const file of output)
  if (file.type === 'chunk') fs.writeFileSync(path.join(OUT, file.fileName), inAscii(file.code));
