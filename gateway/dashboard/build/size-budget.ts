import { gzipSync } from 'node:zlib';
import type { Plugin, Rolldown } from 'vite';

type Bundle = Rolldown.OutputBundle;
type Chunk = Rolldown.OutputChunk;

/** What a browser loads before it shows the page to sign in: script, compressed by gzip. */
const FIRST_LOAD_KB = 170;
/** What it loads for one page more. */
const ROUTE_KB = 60;
const FIRST_PAGE = /\/features\/authentication\/.*-page\.tsx$/;
const LOCALE = /\/texts\/\w+\.ts$/;

interface Sizes {
  readonly firstLoad: number;
  readonly routes: ReadonlyMap<string, number>;
}

/** Fails the build when a first visit, or one page, would load more script than its budget. */
export function sizeBudget(): Plugin {
  return {
    name: 'size-budget',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const { firstLoad, routes } = sizesOf(bundle);
        const lines = [...routes].map(([name, size]) => `${size.toFixed(1)} KB ${name}`).sort();
        if (process.env.SIZES) console.log(`first load ${firstLoad.toFixed(1)} KB\n${lines.join('\n')}`);
        const heavy = [...routes].filter(([, size]) => size > ROUTE_KB).map(([name]) => name);
        if (firstLoad > FIRST_LOAD_KB)
          this.error(`The first load has ${firstLoad.toFixed(1)} KB of script; the budget is ${FIRST_LOAD_KB} KB.`);
        if (heavy.length > 0) this.error(`More than ${ROUTE_KB} KB of script: ${heavy.join(', ')}.`);
      },
    },
  };
}

function sizesOf(bundle: Bundle): Sizes {
  const chunks = Object.values(bundle).filter((each) => each.type === 'chunk');
  const sizes = new Map(chunks.map((chunk) => [chunk.fileName, gzipSync(chunk.code, { level: 9 }).length / 1000]));
  const sizeOf = (names: Iterable<string>) => [...names].reduce((sum, name) => sum + (sizes.get(name) ?? 0), 0);
  const entry = chunks.find(({ isEntry }) => isEntry);
  if (!entry) throw new Error('The bundle has no entry.');
  const first = closureOf(entry, bundle);
  const beyondEntry = (chunk: Chunk) => sizeOf([...closureOf(chunk, bundle)].filter((name) => !first.has(name)));
  const later = chunks.filter(({ isDynamicEntry, facadeModuleId }) => isDynamicEntry && facadeModuleId);
  const most = (pattern: RegExp) =>
    Math.max(0, ...later.filter(({ facadeModuleId }) => pattern.test(facadeModuleId!)).map(beyondEntry));
  return {
    firstLoad: sizeOf(first) + most(LOCALE) + most(FIRST_PAGE),
    routes: new Map(later.map((chunk) => [chunk.name, beyondEntry(chunk)])),
  };
}

/** A chunk and those that it imports statically. */
function closureOf(chunk: Chunk, bundle: Bundle, found = new Set<string>()): Set<string> {
  found.add(chunk.fileName);
  for (const name of chunk.imports) {
    const next = bundle[name];
    if (next?.type === 'chunk' && !found.has(name)) closureOf(next, bundle, found);
  }
  return found;
}
