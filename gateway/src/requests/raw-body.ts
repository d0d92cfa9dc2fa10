import type { IncomingMessage } from 'node:http';
import { AppError } from '@swim/platform';

/** Maximum size of a body (contract, HTTP). */
export const MAX_BODY_BYTES = 256 * 1024;

const JSON_TYPE = /^application\/json\s*(?:;|$)/i;
const CHARSET = /;\s*charset\s*=\s*("?)([^\s;"]*)\1/i;
const UTF_8 = /^utf-?8$/i;
const NOTHING = Buffer.alloc(0);

/** Requests whose clients wait for `100 Continue` before they send the body, by what sends it. */
export const awaitingContinue = new WeakMap<IncomingMessage, () => void>();

/** The client disconnected before its request was complete: there is no answer. */
export class ClientGone extends Error {}

/** Content-Length of the request; null without one (chunked). */
function declaredBytes(request: IncomingMessage): number | null {
  const { headers } = request;
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : null;
}

/** Whether the headers announce a body. */
export const hasBody = (request: IncomingMessage): boolean => declaredBytes(request) !== 0;

/** Whether the rest of the body is longer than the gateway reads, of unknown length, or only sent if the client chooses to. */
export function hasLongRest(request: IncomingMessage): boolean {
  if (awaitingContinue.has(request)) return true;
  const declared = declaredBytes(request);
  return !request.complete && (declared === null || declared > MAX_BODY_BYTES);
}

function checkType({ headers }: IncomingMessage): void {
  const type = headers['content-type'] ?? '';
  // JSON defines no parameters (RFC 8259 section 11); only another encoding would be misread.
  if (!JSON_TYPE.test(type) || !UTF_8.test(CHARSET.exec(type)?.[2] ?? 'utf-8')) {
    throw new AppError('unsupported_media_type', {
      field: 'Content-Type',
      bounds: { allowed: ['application/json'] },
    });
  }
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity')
    throw new AppError('unsupported_media_type', {
      field: 'Content-Encoding',
      message: 'Content-Encoding must be identity, or absent: send the body without compression.',
      bounds: { allowed: ['identity'] },
    });
}

const tooLarge = () => new AppError('body_too_large', { field: 'body', bounds: { maximum: MAX_BODY_BYTES } });

/**
 * Reads the whole body of a request; no bytes when it has none. Throws `unsupported_media_type`, `body_too_large` (without
 * reading the rest), or ClientGone.
 */
export async function readRawBody(request: IncomingMessage): Promise<Buffer> {
  const declared = declaredBytes(request);
  if (declared === 0) return NOTHING;
  if (declared !== null && declared > MAX_BODY_BYTES) throw tooLarge();
  if (declared !== null || request.headers['content-type'] !== undefined) checkType(request);
  const bytes = await collect(request);
  if (bytes.length > 0 && declared === null) checkType(request);
  return bytes;
}

function collect(request: IncomingMessage): Promise<Buffer> {
  awaitingContinue.get(request)?.();
  awaitingContinue.delete(request);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const detach = () => request.off('data', take).off('end', finish).off('close', give);
    const take = (chunk: Buffer): void => {
      length += chunk.length;
      chunks.push(chunk);
      if (length <= MAX_BODY_BYTES) return;
      detach();
      reject(tooLarge());
    };
    const finish = (): void => {
      detach();
      resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, length));
    };
    const give = (): void => {
      detach();
      reject(new ClientGone());
    };
    request.on('data', take).on('end', finish).on('close', give);
  });
}
