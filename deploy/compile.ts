import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformFile } from '@swc/core';

/**
 * Compiles the package in the current folder: `src/**\/*.ts` without specs becomes `dist/**\/*.js` with source maps, by the
 * options of `.swcrc`. Types are not checked; `npm run check:types` does that for all packages at once.
 */
const CONFIG = fileURLToPath(new URL('../.swcrc', import.meta.url));
const sources = fs
  .readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'));

async function compile(name: string) {
  const source = path.join('src', name);
  const target = path.join('dist', name.replace(/\.ts$/, '.js'));
  const { code, map } = await transformFile(source, {
    configFile: CONFIG,
    swcrc: false,
    sourceMaps: true,
    sourceFileName: path.relative(path.dirname(target), source),
  });
  fs.mkdirSync(path.dirname(target), { recursive: true });
  fs.writeFileSync(target, `${code}//# sourceMappingURL=${path.basename(target)}.map\n`);
  fs.writeFileSync(`${target}.map`, map!);
}

fs.rmSync('dist', { recursive: true, force: true });
await Promise.all(sources.map(compile));
