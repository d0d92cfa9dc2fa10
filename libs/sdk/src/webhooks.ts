import { SwimError } from './errors.js';
import type { AccountEvent } from './generated/models.js';

/** Why a webhook was rejected. */
export type WebhookRejection =
  | 'missing_header'
  | 'invalid_secret'
  | 'invalid_timestamp'
  | 'out_of_tolerance'
  | 'no_matching_signature';

/** A webhook that does not come from the service, or is too old. Answer it with 400. */
export class WebhookVerificationError extends SwimError {
  override readonly name = 'WebhookVerificationError';

  constructor(
    readonly reason: WebhookRejection,
    message: string,
  ) {
    super(message);
  }
}

/** The headers of a request: of Fetch, of Node, or any object with their names in lower case. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** How a webhook is verified. */
export interface WebhookOptions {
  /** How far its timestamp may be from now, in seconds; 300 by default. */
  readonly toleranceSeconds?: number | undefined;
  /** The time to compare with, in epoch milliseconds; by default that of this machine. */
  readonly nowMs?: number | undefined;
}

const DEFAULT_TOLERANCE_SECONDS = 300;
const SECRET = /^whsec_([A-Za-z0-9+/]+={0,2})$/;
const SIGNATURE = /^v1,([A-Za-z0-9+/]+={0,2})$/;
/** An endpoint has at most two secrets; many signatures would only cost time. */
const MOST_SIGNATURES = 16;

function headerOf(headers: WebhookHeaders, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new WebhookVerificationError('missing_header', `The header ${name} is missing.`);
}

/** Bytes of base64; null where it is malformed. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

async function keyOf(secret: string): ReturnType<typeof crypto.subtle.importKey> {
  const bytes = bytesOf(SECRET.exec(secret)?.[1] ?? '');
  if (bytes === null || bytes.length === 0)
    throw new WebhookVerificationError('invalid_secret', 'A webhook secret is `whsec_` and base64.');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

function checkTime(
  text: string,
  { toleranceSeconds = DEFAULT_TOLERANCE_SECONDS, nowMs = Date.now() }: WebhookOptions,
): void {
  if (!/^\d{1,12}$/.test(text))
    throw new WebhookVerificationError('invalid_timestamp', 'The header webhook-timestamp is not a Unix second.');
  if (Math.abs(nowMs / 1_000 - Number(text)) > toleranceSeconds)
    throw new WebhookVerificationError(
      'out_of_tolerance',
      `The webhook was sent more than ${toleranceSeconds} seconds from now.`,
    );
}

/** What was signed. Throws where a framework has parsed the body: its bytes cannot be had from the object. */
function textOf(body: unknown): string {
  if (typeof body === 'string') return body;
  if (ArrayBuffer.isView(body)) return new TextDecoder().decode(body as Uint8Array);
  throw new TypeError(
    'verifyWebhook needs the body as it arrived, a string or bytes, and got a parsed one: use express.raw({ type: "application/json" }) for this route in Express, or a content type parser with parseAs: "buffer" in Fastify.',
  );
}

/**
 * Verifies a webhook (Standard Webhooks 1.0) and returns its event. `body` is the body as it arrived, before any parser;
 * `secret` that of the endpoint, or several while one is rotated. Throws a WebhookVerificationError, or a TypeError for a parsed body.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  options: WebhookOptions = {},
): Promise<AccountEvent> {
  const text = textOf(body);
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(headers, name),
  ) as [string, string, string];
  checkTime(timestamp, options);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`);
  const keys = await Promise.all([secret].flat().map(keyOf));
  for (const each of signatures.split(' ').slice(0, MOST_SIGNATURES)) {
    const signature = bytesOf(SIGNATURE.exec(each)?.[1] ?? '');
    if (signature === null) continue;
    for (const key of keys)
      if (await crypto.subtle.verify('HMAC', key, signature, signed)) return JSON.parse(text) as AccountEvent;
  }
  throw new WebhookVerificationError('no_matching_signature', 'No signature of the webhook was made with this secret.');
}
