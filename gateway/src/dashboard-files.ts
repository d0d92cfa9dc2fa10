import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CachedDocument } from './cached-document.js';

/** The files that `@swim/dashboard` builds. */
const FOLDER = fileURLToPath(new URL('../dashboard/dist', import.meta.url));
const ROOT = '/dashboard';
const ASSETS = 'assets';
const PAGE = 'index.html';

/** The names of assets contain a hash of their bytes, so that a changed one has another name. */
const ASSET_CACHING = 'public, max-age=31536000, immutable';
/** The page names the assets of its release: browsers revalidate it, and it has an `ETag`. */
const PAGE_CACHING = 'no-cache';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

const SELF_ONLY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

/**
 * Nothing inline, nothing from elsewhere, in no frame; addresses of its pages, which contain ids, stay in it. A page asks where the
 * device is for the coordinates of a pool.
 */
const PAGE_HEADERS = [
  'Content-Security-Policy',
  SELF_ONLY,
  'Cross-Origin-Opener-Policy',
  'same-origin',
  'Referrer-Policy',
  'same-origin',
  'Permissions-Policy',
  'camera=(), geolocation=(self), microphone=(), payment=()',
];

/** A file as it is served. */
export interface ServedFile {
  readonly document: CachedDocument;
  /** Value of Cache-Control. */
  readonly caching: string;
}

/** The dashboard: one page for each of its addresses, and its assets. */
export class DashboardFiles {
  private constructor(
    private readonly page: ServedFile,
    private readonly assets: ReadonlyMap<string, ServedFile>,
  ) {}

  /** Reads what is built. Throws where a file has a type that is not known here, or nothing is built. */
  static async read(folder = FOLDER): Promise<DashboardFiles> {
    const names = await readdir(join(folder, ASSETS));
    const assets = await Promise.all(names.map((name) => readFile(join(folder, ASSETS, name))));
    const page = new CachedDocument(typeOf(PAGE), await readFile(join(folder, PAGE)), PAGE_HEADERS);
    return new DashboardFiles(
      { document: page, caching: PAGE_CACHING },
      new Map(
        names.map((name, at) => [
          `${ROOT}/${ASSETS}/${name}`,
          { document: new CachedDocument(typeOf(name), assets[at]!), caching: ASSET_CACHING },
        ]),
      ),
    );
  }

  /** The file of a path; the page for every path that no file can have; null for an asset of another release. */
  find(path: string): ServedFile | null {
    if (path.startsWith(`${ROOT}/${ASSETS}/`)) return this.assets.get(path) ?? null;
    return path.startsWith(`${ROOT}/api/`) ? null : this.page;
  }
}

function typeOf(name: string): string {
  const type = TYPES[extname(name)];
  if (!type) throw new Error(`The dashboard has a file ${name}, and no Content-Type is declared for ${extname(name)}.`);
  return type;
}
