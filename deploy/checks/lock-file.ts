const FOLDER = 'node_modules/';

interface LockEntry {
  link?: boolean;
  integrity?: string;
  engines?: object;
  optionalDependencies?: Record<string, string>;
}

/** Entries by the path of the package. */
type LockEntries = Record<string, LockEntry>;

/**
 * Returns every offence in package-lock.json as a sentence.
 * @param text - the content of the file.
 */
export function findLockOffences(text: string): string[] {
  const { packages } = JSON.parse(text) as { packages: LockEntries };
  return Object.entries(packages).flatMap(([place, entry]) => [
    ...lacksIntegrity(place, entry),
    ...lacksOptional(place, entry, packages),
    ...needsNewNode(place, entry, packages[''] ?? {}),
  ]);
}

function lacksIntegrity(place: string, entry: LockEntry) {
  if (!place.includes(FOLDER) || entry.link || entry.integrity) return [];
  const advice = 'Take a version that the registry has for every platform, and run npm install.';
  return [`package-lock.json: ${place} has no integrity: npm would install whatever it gets. ${advice}`];
}

/** npm leaves packages of other platforms out of the file when the registry does not have them. */
function lacksOptional(place: string, entry: LockEntry, packages: LockEntries) {
  const missing = Object.keys(entry.optionalDependencies ?? {}).filter((name) => !isInstalled(place, name, packages));
  return missing.map((name) => `package-lock.json: ${place || 'the root'} asks for ${name}, which the file lacks.`);
}

/** npm silently omits packages that require a later Node than the one it runs on; a native program requires none. */
function needsNewNode(place: string, { engines }: LockEntry, root: LockEntry) {
  const name = place.slice(place.lastIndexOf(FOLDER) + FOLDER.length);
  if (!engines || !root.optionalDependencies?.[name]) return [];
  return [`package-lock.json: ${place} has 'engines': remove them, or npm on an old Node does not install it.`];
}

function isInstalled(place: string, name: string, packages: LockEntries) {
  for (let base = place; ; base = base.slice(0, Math.max(base.lastIndexOf(`/${FOLDER}`), 0))) {
    if (packages[`${base}${base && '/'}${FOLDER}${name}`]) return true;
    if (base === '') return false;
  }
}
