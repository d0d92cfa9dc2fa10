import { OLDEST_GO } from './go-install.ts';

/** Names of the packages that may be chosen, as a regular expression of `apt-cache search --names-only`. */
export const CANDIDATES = '^(postgresql-[0-9]+-(documentdb|rum)|golang-[0-9]+\\.[0-9]+-go|patchelf)$';

/**
 * Chooses the packages of the engine from those of the mirror: the newest PostgreSQL with DocumentDB, and the newest
 * Go.
 * @param options - whether Go is among the packages.
 * @returns the versions, and the names to install.
 * @throws a sentence that names what the mirror lacks, and what it has instead.
 */
export function choosePackages(
  names: string[],
  { withGo }: { withGo: boolean },
): { postgres: string; go: string | null; packages: string[] } {
  const there = new Set(names);
  const postgres = newest(names, /^postgresql-(\d+)-documentdb$/, (version) => there.has(`postgresql-${version}-rum`));
  if (!postgres) throw lack('a PostgreSQL with DocumentDB (postgresql-*-documentdb and postgresql-*-rum)', names);
  if (!there.has('patchelf')) throw lack('patchelf', names);
  const packages = [`postgresql-${postgres}-documentdb`, `postgresql-${postgres}-rum`, 'patchelf'];
  if (!withGo) return { postgres, go: null, packages };
  const go = newest(names, /^golang-(\d+\.\d+)-go$/, (version) => compare(version, OLDEST_GO.join('.')) >= 0);
  if (!go) throw lack(`a Go of ${OLDEST_GO.join('.')} or later (golang-*-go)`, names);
  return { postgres, go, packages: [...packages, `golang-${go}-go`] };
}

function newest(names: string[], pattern: RegExp, fits: (version: string) => boolean) {
  const versions = names.flatMap((name) => pattern.exec(name)?.[1] ?? []).filter(fits);
  return versions.sort(compare).at(-1) ?? null;
}

function compare(one: string, other: string) {
  const [major = 0, minor = 0] = one.split('.').map(Number);
  const [otherMajor = 0, otherMinor = 0] = other.split('.').map(Number);
  return major - otherMajor || minor - otherMinor;
}

function lack(what: string, names: string[]) {
  const has = names.length ? `of this kind it has ${[...names].sort().join(', ')}` : 'it has nothing of this kind';
  return new Error(`the Debian mirror lacks ${what}; ${has}`);
}
