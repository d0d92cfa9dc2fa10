import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** Files that name images of others. */
export const FILES = ['docker-compose.yml', 'deploy/Dockerfile'];

const IMAGE = /^((?: +image:|FROM) +)([a-z][\w./-]*:[\w.-]+)(?:@(\S+))?/gm;
const DIGEST = /^sha256:[0-9a-f]{64}$/;

/**
 * The images of others that a text names: of a compose file its `image:` lines, of a Dockerfile its `FROM` lines.
 * @param {string} text
 * @returns {{image: string, digest: string|null}[]} name and tag, and what it is pinned to.
 */
export const imagesIn = (text) =>
  [...text.matchAll(IMAGE)].map(([, , image = '', digest]) => ({ image, digest: digest ?? null }));

/**
 * Writes the digest beside the tag of every image.
 * @param {string} text
 * @param {(image: string) => string} digestOf returns the digest from a registry.
 * @returns {string}
 * @throws {Error} when that is not a digest.
 */
export function pinned(text, digestOf) {
  return text.replaceAll(IMAGE, (_, before, image) => {
    const digest = digestOf(image);
    if (!DIGEST.test(digest)) throw new Error(`The registry says "${digest}" of ${image}, which is no digest.`);
    return `${before}${image}@${digest}`;
  });
}

/** @param {string} image */
function queryRegistry(image) {
  const words = ['buildx', 'imagetools', 'inspect', image, '--format', '{{.Manifest.Digest}}'];
  return execFileSync('docker', words, { encoding: 'utf8' }).trim();
}

/** @param {string} root */
function pinFiles(root) {
  /** @type {Map<string, string>} */
  const known = new Map();
  const digestOf = (/** @type {string} */ image) => {
    const digest = known.get(image) ?? queryRegistry(image);
    known.set(image, digest);
    return digest;
  };
  const texts = FILES.map((name) => {
    const file = path.join(root, name);
    return { file, text: fs.readFileSync(file, 'utf8') };
  });
  // All digests are fetched before anything is written.
  const written = texts.map(({ file, text }) => ({ file, text: pinned(text, digestOf) }));
  for (const { file, text } of written) fs.writeFileSync(file, text);
  for (const [image, digest] of known) console.log(`${image} ${digest}`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) pinFiles(process.cwd());
