import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CachedDocument } from './http/cached-document.js';

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

/** The page where a card is added, or a payment confirmed, in Stripe's own fields. */
const CARD_PAGE = `${ROOT}/live/card`;

/** A Content-Security-Policy; `more` is added to its directives. */
function policyOf(more: Readonly<Record<string, string>> = {}): string {
  const own = { 'script-src': "'self'", 'img-src': "'self' data:", 'connect-src': "'self'" };
  const sources = Object.entries({ ...own, ...more }).map(([name, from]) => `${name} ${from}`);
  const rest = "font-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";
  return ["default-src 'none'", sources[0], "style-src 'self'", ...sources.slice(1), rest].join('; ');
}

const SELF_ONLY = policyOf();

/** Stripe's script, its frames and its API; as its documentation demands it. */
const WITH_STRIPE = policyOf({
  'script-src': "'self' https://js.stripe.com https://*.js.stripe.com",
  'img-src': "'self' data: https://*.stripe.com",
  'connect-src': "'self' https://api.stripe.com",
  'frame-src': 'https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com',
});

/**
 * Nothing inline, nothing from elsewhere, in no frame; addresses of its pages, which contain ids, stay in it. A page asks where the
 * device is for the coordinates of a pool.
 */
const headersWith = (policy: string): readonly string[] => [
  'Content-Security-Policy',
  policy,
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

interface DashboardSettings {
  readonly folder?: string;
  readonly publishableKey?: string | undefined;
}

/** The page with the key by which Stripe's script knows whose cards it stores; without one the page as it is. */
function cardPage(html: Buffer, publishableKey: string | undefined): CachedDocument {
  if (publishableKey === undefined) return new CachedDocument(typeOf(PAGE), html, headersWith(SELF_ONLY));
  const meta = `<meta name="stripe-publishable-key" content="${publishableKey}" />`;
  const page = Buffer.from(html.toString().replace('<head>', () => `<head>${meta}`));
  return new CachedDocument(typeOf(PAGE), page, headersWith(WITH_STRIPE));
}

/** The dashboard: one page for each of its addresses but that of cards, and its assets. */
export class DashboardFiles {
  private constructor(
    private readonly page: ServedFile,
    private readonly card: ServedFile,
    private readonly assets: ReadonlyMap<string, ServedFile>,
  ) {}

  /** Reads what is built. Throws where a file has a type that is not known here, or nothing is built. */
  static async read({ folder = FOLDER, publishableKey }: DashboardSettings = {}): Promise<DashboardFiles> {
    const names = await readdir(join(folder, ASSETS));
    const assets = await Promise.all(names.map((name) => readFile(join(folder, ASSETS, name))));
    const html = await readFile(join(folder, PAGE));
    const page = new CachedDocument(typeOf(PAGE), html, headersWith(SELF_ONLY));
    return new DashboardFiles(
      { document: page, caching: PAGE_CACHING },
      { document: cardPage(html, publishableKey), caching: PAGE_CACHING },
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
    if (path === CARD_PAGE) return this.card;
    return path.startsWith(`${ROOT}/api/`) ? null : this.page;
  }
}

function typeOf(name: string): string {
  const type = TYPES[extname(name)];
  if (!type) throw new Error(`The dashboard has a file ${name}, and no Content-Type is declared for ${extname(name)}.`);
  return type;
}
