import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { weightOf } from '../requests/accept-header.js';

// The first request waits for the compression: the highest quality takes a second for the OpenAPI document and saves a twentieth.
const BROTLI_QUALITY = 6;

const ENCODINGS = ['br', 'gzip'] as const;
type Encoding = (typeof ENCODINGS)[number];

const COMPRESSIONS: Record<Encoding, (body: Buffer) => Buffer> = {
  br: (body) => brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: (body) => gzipSync(body, { level: constants.Z_BEST_COMPRESSION }),
};

/** A document as one request receives it. */
interface Representation {
  /** null: the client already has it (304). */
  body: Buffer | null;
  headers: readonly string[];
}

/** A document that only changes with a release: compressed when it is first requested, and identified by a hash of its bytes. */
export class CachedDocument {
  private readonly encoded: Partial<Record<Encoding, Buffer>> = {};
  private made: { body: Buffer; tag: string } | undefined;

  constructor(
    /** Content-Type. */
    readonly type: string,
    /** The bytes, or what makes them for the first request. */
    private readonly given: Buffer | (() => Buffer),
    /** Headers of every answer with it. */
    private readonly more: readonly string[] = [],
  ) {}

  /** The bytes, not compressed. */
  get body(): Buffer {
    return this.content.body;
  }

  private get content(): { body: Buffer; tag: string } {
    if (!this.made) {
      const body = typeof this.given === 'function' ? this.given() : this.given;
      this.made = { body, tag: hash('sha256', body, 'base64url').slice(0, 22) };
    }
    return this.made;
  }

  /** The answer to a request with these headers (RFC 9110 sections 12.5.3, 13.1.2). */
  representation({ 'accept-encoding': encodings, 'if-none-match': known }: IncomingHttpHeaders): Representation {
    const encoding = encodings === undefined ? undefined : ENCODINGS.find((each) => accepts(String(encodings), each));
    // A strong tag identifies bytes, and compression changes them.
    const tag = `"${this.content.tag}${encoding ? `-${encoding}` : ''}"`;
    const headers = ['ETag', tag, 'Vary', 'Accept-Encoding', ...this.more];
    if (known !== undefined && isAmong(tag, known)) return { body: null, headers };
    if (!encoding) return { body: this.body, headers };
    this.encoded[encoding] ??= COMPRESSIONS[encoding](this.body);
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
