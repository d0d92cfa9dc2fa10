import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { AppError, sharedClock } from '@swim/platform';
import type { BusConnection } from './calls/bus-connection.js';
import { type DocsContent, docsSite } from './docs/site.js';
import type { OpenApiDocument } from './openapi/document.js';
import { weightOf } from './requests/accept-header.js';

/** The committed OpenAPI document, which `GET /v1/openapi.json` answers. */
export const OPENAPI_FILE = fileURLToPath(new URL('../openapi.json', import.meta.url));

const JSON_TYPE = 'application/json; charset=utf-8';
// Thirty pages are compressed at each start: the highest quality takes seconds and saves a twentieth.
const BROTLI_QUALITY = 6;
const DAY_MS = 86_400_000;
/** RFC 9116 section 2.5.5 recommends less than a year. */
const SECURITY_TXT_DAYS = 180;

// The pages load their own style, script and index of the search; no other page may embed them.
const DOCS_HEADERS = [
  'Content-Security-Policy',
  "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
];

const ENCODINGS = ['br', 'gzip'] as const;
type Encoding = (typeof ENCODINGS)[number];

/** A document as one request receives it. */
interface Representation {
  /** null: the client already has it (304). */
  body: Buffer | null;
  headers: readonly string[];
}

/** A document that only changes with a release: compressed once, and identified by a hash of its bytes. */
class CachedDocument {
  private readonly encoded: Readonly<Record<Encoding, Buffer>>;
  private readonly tag: string;

  constructor(
    readonly type: string,
    private readonly body: Buffer,
    private readonly more: readonly string[] = [],
  ) {
    this.encoded = {
      br: brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
      gzip: gzipSync(body, { level: constants.Z_BEST_COMPRESSION }),
    };
    this.tag = hash('sha256', body, 'base64url').slice(0, 22);
  }

  /** The answer to a request with these headers (RFC 9110 sections 12.5.3, 13.1.2). */
  representation({ 'accept-encoding': encodings, 'if-none-match': known }: IncomingHttpHeaders): Representation {
    const encoding = encodings === undefined ? undefined : ENCODINGS.find((each) => accepts(String(encodings), each));
    // A strong tag identifies bytes, and compression changes them.
    const tag = `"${this.tag}${encoding ? `-${encoding}` : ''}"`;
    const headers = ['ETag', tag, 'Vary', 'Accept-Encoding', ...this.more];
    if (known !== undefined && isAmong(tag, known)) return { body: null, headers };
    if (!encoding) return { body: this.body, headers };
    return { body: this.encoded[encoding], headers: [...headers, 'Content-Encoding', encoding] };
  }
}

/** Whether `Accept-Encoding` accepts an encoding, by name or by `*`, other than with `q=0`; its name has precedence. */
const accepts = (encodings: string, encoding: Encoding): boolean =>
  (weightOf(encoding, encodings) ?? weightOf('*', encodings) ?? 0) > 0;

function isAmong(tag: string, known: string): boolean {
  return known.split(',').some((each) => {
    const text = each.trim();
    return text === '*' || text === tag || text === `W/${tag}`;
  });
}

/** Reads the OpenAPI document. */
export const readOpenApi = async (): Promise<OpenApiDocument> =>
  JSON.parse(await readFile(OPENAPI_FILE, 'utf8')) as OpenApiDocument;

const readDocsFile = (name: string): Promise<Buffer> =>
  readFile(fileURLToPath(new URL(`../docs/${name}`, import.meta.url)));

/** The documents that do not change while the gateway runs, by their paths: the OpenAPI document and the documentation. */
export async function readDocuments(document: OpenApiDocument): Promise<ReadonlyMap<string, CachedDocument>> {
  const [content, style, script] = await Promise.all(['content.json', 'docs.css', 'docs.js'].map(readDocsFile));
  const site = docsSite(document, JSON.parse(content!.toString()) as DocsContent);
  const documents = new Map([
    ['/v1/openapi.json', new CachedDocument(JSON_TYPE, Buffer.from(JSON.stringify(document)))],
    ['/docs/docs.css', new CachedDocument('text/css; charset=utf-8', style!)],
    ['/docs/docs.js', new CachedDocument('text/javascript; charset=utf-8', script!)],
    ['/docs/search.json', new CachedDocument(JSON_TYPE, Buffer.from(site.index))],
  ]);
  for (const [path, page] of site.pages)
    documents.set(path, new CachedDocument('text/html; charset=utf-8', Buffer.from(page), DOCS_HEADERS));
  return documents;
}

/** The public pages, which the gateway answers without a key and without a service. */
export class Pages {
  constructor(
    readonly documents: ReadonlyMap<string, CachedDocument>,
    private readonly busConnection: BusConnection,
    private readonly securityContacts: readonly string[],
  ) {}

  /** `data` of a health answer; throws `unavailable` when no request could be served. */
  health(): Buffer {
    if (!this.busConnection.isUp || !sharedClock.isSet) throw new AppError('unavailable', { retryAfterSeconds: 1 });
    return Buffer.from('{"status":"ok"}');
  }

  /** `security.txt` (RFC 9116); throws `unknown_route` where no security contact is configured. */
  securityTxt(): Buffer {
    if (this.securityContacts.length === 0) throw new AppError('unknown_route');
    const expiresAt = new Date((Math.floor(sharedClock.nowMs() / DAY_MS) + SECURITY_TXT_DAYS) * DAY_MS);
    const contacts = this.securityContacts.map((contact) => `Contact: ${contact}\n`).join('');
    return Buffer.from(`${contacts}Expires: ${expiresAt.toISOString()}\nPreferred-Languages: en\n`);
  }
}
