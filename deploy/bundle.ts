import fs from 'node:fs';
import { type Plugin, rolldown } from 'rolldown';
import { KEPT_PACKAGES } from './kept-packages.ts';

/**
 * Bundles the process of the package in the current folder with the packages that it uses: `dist/main.js` becomes `bundle/main.js` and
 * the chunks that it loads. A process then starts in half of the time. Names and lines stay, so that stack traces can be read.
 */
const OUT = 'bundle';
const PROCESS = ['main', 'plugin'];
/** The programs of operators have chunks of their own: those of the process stay as few as they are. */
const PROGRAMS = ['audit', 'bus-setup', 'demo', 'demo-data', 'erasures', 'rewrap', 'sign-in-links'];

/** Optional packages that are not installed stay imports, which fail when they are executed. */
const optionalPackages: Plugin = {
  name: 'optional packages',
  async resolveId(source, importer, options) {
    if (!importer || /^(\.|\/|node:|\0)/.test(source)) return null;
    const found = await this.resolve(source, importer, { ...options, skipSelf: true });
    return found ? null : { id: source, external: true };
  },
};

fs.rmSync(OUT, { recursive: true, force: true });
await write(PROCESS, '[name].js');
await write(PROGRAMS, 'program-[name].js');

async function write(entries: string[], chunkFileNames: string) {
  const inputs = entries.map((name) => [name, `dist/${name}.js`]).filter(([, file]) => fs.existsSync(file!));
  if (inputs.length === 0) return;
  const bundle = await rolldown({
    input: Object.fromEntries(inputs),
    platform: 'node',
    preserveEntrySignatures: 'allow-extension',
    external: KEPT_PACKAGES,
    plugins: [optionalPackages],
  });
  await bundle.write({
    dir: OUT,
    format: 'esm',
    keepNames: true,
    entryFileNames: '[name].js',
    chunkFileNames,
    comments: { legal: false, annotation: false, jsdoc: false },
    minify: false,
    // Chunks import each other in cycles; a module is executed when the first that imports it needs it.
    strictExecutionOrder: true,
  });
  await bundle.close();
}
