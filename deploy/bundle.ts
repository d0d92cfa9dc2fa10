import fs from 'node:fs';
import { type Plugin, rolldown } from 'rolldown';

/**
 * Bundles the process of the package in the current folder with the packages that it uses: `dist/main.js` becomes `bundle/main.js` and
 * the chunks that it loads. A process then starts in half of the time. Names and lines stay, so that stack traces can be read.
 */
const OUT = 'bundle';
// Native packages, and the gateway's framework, which searches its own folders, are loaded by the path of a file.
const KEPT_APART = [/^@node-rs\//, /^express-gateway/];
const ENTRIES = ['main', 'plugin'];

/** Optional packages that are not installed stay imports, which fail when they are executed. */
const optionalPackages: Plugin = {
  name: 'optional packages',
  async resolveId(source, importer, options) {
    if (!importer || /^(\.|\/|node:|\0)/.test(source)) return null;
    const found = await this.resolve(source, importer, { ...options, skipSelf: true });
    return found ? null : { id: source, external: true };
  },
};

const inputs = ENTRIES.map((name) => [name, `dist/${name}.js`] as const).filter(([, file]) => fs.existsSync(file));
const bundle = await rolldown({
  input: Object.fromEntries(inputs),
  platform: 'node',
  preserveEntrySignatures: 'allow-extension',
  external: KEPT_APART,
  plugins: [optionalPackages],
});
fs.rmSync(OUT, { recursive: true, force: true });
await bundle.write({
  dir: OUT,
  format: 'esm',
  keepNames: true,
  entryFileNames: '[name].js',
  chunkFileNames: '[name].js',
  comments: { legal: false, annotation: false, jsdoc: false },
  minify: false,
  // Chunks import each other in cycles; a module is executed when the first that imports it needs it.
  strictExecutionOrder: true,
});
await bundle.close();
