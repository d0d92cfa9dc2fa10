import fs from 'node:fs';
import path from 'node:path';

const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';

/**
 * Finds the Debian mirror in the machine's apt configuration.
 * @param text - the machine's apt sources, in either of apt's two formats, one after the other.
 * @returns its address; null when none of them is a Debian archive.
 */
export function debianMirror(text: string): string | null {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => !line.startsWith('#'));
  const addresses = lines.flatMap((line) => {
    const oneLine = /^deb\s+(?:\[[^\]]*\]\s+)?(\S+)\s/.exec(line);
    const stanza = /^URIs:\s*(.+)$/i.exec(line);
    return oneLine?.[1] ? [oneLine[1]] : (stanza?.[1]?.split(/\s+/) ?? []);
  });
  return addresses.find((address) => /\/debian\/?$/.test(address)) ?? null;
}

/**
 * The source is a release of Debian, from the machine's mirror, verified with the machine's keys.
 * @throws an error that names what the machine lacks.
 */
export function aptSource(release: string): string {
  const mirror = ownMirror();
  if (!fs.existsSync(KEYRING)) throw new Error(`the package debian-archive-keyring is missing (${KEYRING})`);
  return `deb [signed-by=${KEYRING}] ${mirror} ${release} main\n`;
}

/**
 * @returns the Debian mirror that this machine is set up with.
 * @throws a sentence when there is none.
 */
export function ownMirror(): string {
  const files = ['/etc/apt/sources.list', ...listFolder('/etc/apt/sources.list.d')];
  const text = files.filter((file) => fs.existsSync(file)).map((file) => fs.readFileSync(file, 'utf8'));
  const mirror = debianMirror(text.join('\n'));
  if (mirror) return mirror;
  throw new Error('no Debian mirror stands in /etc/apt/sources.list or /etc/apt/sources.list.d');
}

function listFolder(folder: string) {
  if (!fs.existsSync(folder)) return [];
  return fs.readdirSync(folder).map((name) => path.join(folder, name));
}
