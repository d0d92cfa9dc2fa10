import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformFileSync } from '@swc/core';

/**
 * Compiles the package once more, for programs that call `require`: `dist/cjs`, with the declarations of `dist`, which are the same. Runs
 * after the build of `dist`.
 */
const PACKAGE = fileURLToPath(new URL('..', import.meta.url));
const CONFIG = path.join(PACKAGE, '../../.swcrc');
const built = readdirSync(path.join(PACKAGE, 'dist'), { recursive: true, encoding: 'utf8' });

for (const name of built.filter((each) => !each.startsWith('cjs'))) {
  const target = path.join(PACKAGE, 'dist/cjs', name);
  mkdirSync(path.dirname(target), { recursive: true });
  if (name.endsWith('.d.ts')) cpSync(path.join(PACKAGE, 'dist', name), target);
  if (!name.endsWith('.js')) continue;
  const source = path.join(PACKAGE, 'src', name.replace(/js$/, 'ts'));
  const { code } = transformFileSync(source, { configFile: CONFIG, swcrc: false, module: { type: 'commonjs' } });
  writeFileSync(target, code);
}
writeFileSync(path.join(PACKAGE, 'dist/cjs/package.json'), '{"type":"commonjs"}\n');
