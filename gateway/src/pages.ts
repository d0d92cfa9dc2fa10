import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { fileURLToPath } from 'node:url';
import { constants, gzipSync } from 'node:zlib';
import { AppError, sharedClock } from '@swim/platform';
import type { BusConnection } from './calls/bus-connection.js';
import { docsPage } from './docs-page.js';
import type { OpenApiDocument } from './openapi/document.js';

/** The committed OpenAPI document, which `GET /v1/openapi.json` answers. */
export const OPENAPI_FILE = fileURLToPath(new URL('../openapi.json', import.meta.url));

const DAY_MS = 86_400_000;
/** RFC 9116 section 2.5.5 recommends less than a year. */
const SECURITY_TXT_DAYS = 180;

// The page has no script, and no other page may embed it.
const DOCS_HEADERS = [
  'Content-Security-Policy',
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
];

/** A document as one request receives it. */
interface Representation {
  /** null: the client already has it (304). */
  body: Buffer | null;
  headers: readonly string[];
}

/** A document that only changes with a release: compressed once, and identified by a hash of its bytes. */
class CachedDocument {
  private readonly gzipped: Buffer;
  private readonly tag: string;

  constructor(
    readonly type: string,
    private readonly body: Buffer,
    private readonly more: readonly string[] = [],
  ) {
    this.gzipped = gzipSync(body, { level: constants.Z_BEST_COMPRESSION });
    this.tag = hash('sha256', body, 'base64url').slice(0, 22);
  }

  /** The answer to a request with these headers (RFC 9110 sections 12.5.3, 13.1.2). */
  representation({ 'accept-encoding': encodings, 'if-none-match': known }: IncomingHttpHeaders): Representation {
    const isGzipped = encodings !== undefined && acceptsGzip(String(encodings));
    // A strong tag identifies bytes, and compression changes them.
    const tag = `"${this.tag}${isGzipped ? '-gzip' : ''}"`;
    const headers = ['ETag', tag, 'Vary', 'Accept-Encoding', ...this.more];
    if (known !== undefined && isAmong(tag, known)) return { body: null, headers };
    if (!isGzipped) return { body: this.body, headers };
    return { body: this.gzipped, headers: [...headers, 'Content-Encoding', 'gzip'] };
  }
}

/** Whether `Accept-Encoding` accepts gzip, by name or by `*`, other than with `q=0`. */
function acceptsGzip(encodings: string): boolean {
  return encodings.split(',').some((each) => {
    const [name, ...parameters] = each.split(';').map((part) => part.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith('q='));
    return (name === 'gzip' || name === '*') && (weight === undefined || Number(weight.slice(2)) > 0);
  });
}

function isAmong(tag: string, known: string): boolean {
  return known.split(',').some((each) => {
    const text = each.trim();
    return text === '*' || text === tag || text === `W/${tag}`;
  });
}

/** Reads the OpenAPI document. */
export const readOpenApi = async (): Promise<OpenApiDocument> =>
  JSON.parse(await readFile(OPENAPI_FILE, 'utf8')) as OpenApiDocument;

/** The OpenAPI document, and the documentation page that is made of it. */
export function readDocuments(document: OpenApiDocument): Pages['documents'] {
  return {
    openapi: new CachedDocument('application/json; charset=utf-8', Buffer.from(JSON.stringify(document))),
    docs: new CachedDocument('text/html; charset=utf-8', Buffer.from(docsPage(document)), DOCS_HEADERS),
  };
}

/** The public pages, which the gateway answers without a key and without a service. */
export class Pages {
  constructor(
    readonly documents: { readonly openapi: CachedDocument; readonly docs: CachedDocument },
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
