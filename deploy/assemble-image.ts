import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { KEPT_PACKAGES } from './kept-packages.ts';

/**
 * Lays out what runs in the image of a process: its folder in OUT/service, and in OUT/node_modules the packages that are not bundled, with those
 * that these need. Run in the root of the clone when all is built:
 * `node deploy/assemble-image.ts SERVICE OUT`.
 */
const [name = '', out = ''] = process.argv.slice(2);
/** Sources, tests and the unbundled process stay behind; the programs of operators are found where a clone has them. */
const LEFT_OUT = ['src', 'test', 'dist', 'dashboard', 'node_modules', '.turbo'];

const folder = name === 'gateway' ? name : `services/${name}`;
if (!name || !fs.existsSync(path.join(folder, 'package.json'))) {
  console.error(`SERVICE is '${name}'; it must be ${fs.readdirSync('services').join(' ')} or gateway`);
  process.exit(1);
}

fs.mkdirSync(path.join(out, 'service'), { recursive: true });
for (const entry of fs.readdirSync(folder)) {
  if (!LEFT_OUT.includes(entry)) copy(path.join(folder, entry), path.join(out, 'service', entry));
}
if (name === 'gateway') copy('gateway/dashboard/dist', path.join(out, 'service/dashboard/dist'));
fs.symlinkSync('bundle', path.join(out, 'service/dist'));
for (const place of neededPlaces()) copy(place, path.join(out, place));

function copy(from: string, to: string) {
  fs.cpSync(from, to, { recursive: true, dereference: true, filter: (each) => !each.endsWith('.tsbuildinfo') });
}

/** The folders of the packages that are not bundled, and of those that these need; a nested one comes with its parent. */
function neededPlaces(): string[] {
  const places = new Set<string>();
  const waiting = needsOf(folder).filter((each) => KEPT_PACKAGES.some((kept) => kept.test(each.name)));
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const place = placeOf(next.name, next.from);
    if (!place || places.has(place)) continue;
    places.add(place);
    waiting.push(...needsOf(place));
  }
  const all = [...places];
  return all.filter((each) => !all.some((other) => each.startsWith(`${other}${path.sep}`)));
}

function needsOf(place: string): { name: string; from: string }[] {
  const { dependencies = {}, optionalDependencies = {} } = JSON.parse(
    fs.readFileSync(path.join(place, 'package.json'), 'utf8'),
  );
  return Object.keys({ ...dependencies, ...optionalDependencies }).map((each) => ({
    name: each,
    from: path.resolve(place),
  }));
}

/** Where a package is installed, as Node finds it; null for an optional one that is not. */
function placeOf(wanted: string, from: string): string | null {
  for (const each of createRequire(path.join(from, 'index.js')).resolve.paths(wanted) ?? []) {
    const place = path.join(each, wanted);
    if (fs.existsSync(path.join(place, 'package.json'))) return path.relative(process.cwd(), place);
  }
  return null;
}
