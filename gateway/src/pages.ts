import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { AppError, sharedClock } from '@swim/platform';
import type { ServiceHealth } from './calls/service-health.js';
import type { DashboardFiles } from './dashboard-files.js';
import type { DocsContent } from './docs/content.js';
import { markdownOf } from './docs/markdown.js';
import { docsSite, markdownPathOf } from './docs/site.js';
import { CachedDocument } from './http/cached-document.js';
import type { OpenApiDocument } from './openapi/document.js';
import { openApi30 } from './openapi/version-30.js';

/** The committed OpenAPI document, which `GET /v1/openapi.json` answers. */
export const OPENAPI_FILE = fileURLToPath(new URL('../openapi.json', import.meta.url));

/** The page that answers a path below `/docs` that has none. */
export const NOT_FOUND_PAGE = '/docs/404';

/** The library of the docs' search, as a module for browsers. */
const SEARCH_LIBRARY = fileURLToPath(
  new URL('../es/index.js', pathToFileURL(createRequire(import.meta.url).resolve('minisearch'))),
);

const SCRIPT_TYPE = 'text/javascript; charset=utf-8';
const JSON_TYPE = 'application/json; charset=utf-8';
/** RFC 7763. */
const MARKDOWN_TYPE = 'text/markdown; charset=utf-8';
const DAY_MS = 86_400_000;
/** RFC 9116 section 2.5.5 recommends less than a year. */
const SECURITY_TXT_DAYS = 180;

// The pages load their own style, script and index of the search; no other page may embed them.
const DOCS_HEADERS = [
  'Content-Security-Policy',
  "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
];

// Editors and viewers of OpenAPI documents run in a browser.
const ANY_ORIGIN = ['Access-Control-Allow-Origin', '*'];

/** Reads the OpenAPI document. */
export const readOpenApi = async (): Promise<OpenApiDocument> =>
  JSON.parse(await readFile(OPENAPI_FILE, 'utf8')) as OpenApiDocument;

const readDocsFile = (name: string): Promise<Buffer> =>
  readFile(fileURLToPath(new URL(`../docs/${name}`, import.meta.url)));

const htmlOf = (page: string) => new CachedDocument('text/html; charset=utf-8', Buffer.from(page), DOCS_HEADERS);

/**
 * The documents that do not change while the gateway runs, by their paths: the OpenAPI document and the documentation.
 * @param publicOrigin - Where the gateway is reached from outside: the first server of the OpenAPI document, and the links of `llms.txt`;
 * empty where nobody said.
 */
export async function readDocuments(
  document: OpenApiDocument,
  publicOrigin: string,
): Promise<ReadonlyMap<string, CachedDocument>> {
  const [content, style, script, search, library] = await Promise.all([
    ...['content.json', 'docs.css', 'docs.js', 'search.js'].map(readDocsFile),
    readFile(SEARCH_LIBRARY),
  ]);
  const site = docsSite(document, JSON.parse(content!.toString()) as DocsContent, publicOrigin);
  const [here, ...elsewhere] = document.servers;
  const served = { ...document, servers: [{ ...here!, url: publicOrigin + here!.url }, ...elsewhere] };
  const ofMachines = (value: object) => new CachedDocument(JSON_TYPE, Buffer.from(JSON.stringify(value)), ANY_ORIGIN);
  const documents = new Map([
    ['/v1/openapi.json', ofMachines(served)],
    ['/v1/openapi-3.0.json', ofMachines(openApi30(served))],
    ['/docs/docs.css', new CachedDocument('text/css; charset=utf-8', style!)],
    ['/docs/docs.js', new CachedDocument(SCRIPT_TYPE, script!)],
    ['/docs/search.js', new CachedDocument(SCRIPT_TYPE, search!)],
    ['/docs/minisearch.js', new CachedDocument(SCRIPT_TYPE, library!)],
    ['/docs/search.json', new CachedDocument(JSON_TYPE, Buffer.from(site.index))],
    ['/llms.txt', new CachedDocument('text/plain; charset=utf-8', Buffer.from(site.llms))],
    [NOT_FOUND_PAGE, htmlOf(site.notFound)],
  ]);
  for (const [path, html] of site.pages) {
    const page = htmlOf(html);
    const markdown = () => Buffer.from(markdownOf(page.body.toString()));
    documents.set(path, page).set(markdownPathOf(path), new CachedDocument(MARKDOWN_TYPE, markdown));
  }
  return documents;
}

/** The public pages, which the gateway answers without a key. */
export class Pages {
  constructor(
    readonly documents: ReadonlyMap<string, CachedDocument>,
    readonly dashboard: DashboardFiles,
    readonly health: ServiceHealth,
    private readonly securityContacts: readonly string[],
  ) {}

  /** `security.txt` (RFC 9116); throws `unknown_route` where no security contact is configured. */
  securityTxt(): Buffer {
    if (this.securityContacts.length === 0) throw new AppError('unknown_route');
    const expiresAt = new Date((Math.floor(sharedClock.nowMs() / DAY_MS) + SECURITY_TXT_DAYS) * DAY_MS);
    const contacts = this.securityContacts.map((contact) => `Contact: ${contact}\n`).join('');
    return Buffer.from(`${contacts}Expires: ${expiresAt.toISOString()}\nPreferred-Languages: en\n`);
  }
}
