import type { ErrorBody } from '@swim/contracts';
import { sharedClock, type Warning } from '@swim/platform';

/** The members of an answer's `meta`, except the time. */
export interface EnvelopeMeta {
  requestId: string;
  isDryRun?: boolean;
  /** Non-fatal notes for the developer. */
  notes?: readonly (string | Warning)[];
}

const SUCCESS = Buffer.from('{"success":true,"data":');
const FAILURE = Buffer.from('{"success":false,"error":');
const NULL = Buffer.from('null');

function tailOf({ requestId, isDryRun, notes }: EnvelopeMeta, pagination: string | null): string {
  const page = pagination === null ? '' : `,"pagination":${pagination}`;
  const dryRun = isDryRun ? ',"dry_run":true' : '';
  const warnings = notes?.length ? `,"warnings":${JSON.stringify(notes)}` : '';
  // Request ids consist of [A-Za-z0-9_-], so that they need no escaping.
  return `${page},"meta":{"timestamp":"${sharedClock.now().toISOString()}","request_id":"${requestId}"${dryRun}${warnings}}}`;
}

function joined(head: Buffer, body: Uint8Array, tail: string): Buffer {
  const bytes = Buffer.allocUnsafe(head.length + body.length + Buffer.byteLength(tail));
  head.copy(bytes);
  bytes.set(body, head.length);
  bytes.write(tail, head.length + body.length);
  return bytes;
}

/** The success envelope around the unparsed bytes of `data`; `pagination` is JSON, for lists. */
export const successEnvelope = (data: Uint8Array, pagination: string | null, meta: EnvelopeMeta): Buffer =>
  joined(SUCCESS, data.length === 0 ? NULL : data, tailOf(meta, pagination));

/** An error with the URL at which the documentation explains its reason; relative without an origin. */
export const withDocUrl = (error: ErrorBody, origin = ''): ErrorBody => ({
  ...error,
  details: { ...error.details, doc_url: `${origin}/docs/errors#${error.details.reason}` },
});

/** The error envelope; `origin` is that of the documentation. */
export const errorEnvelope = (error: ErrorBody, meta: EnvelopeMeta, origin?: string): Buffer =>
  joined(FAILURE, Buffer.from(JSON.stringify(withDocUrl(error, origin))), tailOf(meta, null));

/** The success envelope around `data` in pieces. */
export const envelopeAround = (meta: EnvelopeMeta): { head: Buffer; tail: () => string } => ({
  head: SUCCESS,
  tail: () => tailOf(meta, null),
});
