import { headers, type MsgHdrs } from '@nats-io/transport-node';
import { type Principal, principal as principalSchema } from '@swim/contracts';
import {
  type Answer,
  AppError,
  BUDGET_MS,
  Deadline,
  makeRequestContext,
  type RequestContext,
  sharedClock,
} from '@swim/platform';

/** The NATS headers that carry the request context and the answer. Bodies are plain JSON. */
export const HEADER = {
  requestId: 'Request-Id',
  principal: 'Principal',
  deadline: 'Deadline',
  idempotencyKey: 'Idempotency-Key',
  writeKey: 'Write-Key',
  fingerprint: 'Fingerprint',
  dryRun: 'Dry-Run',
  traceparent: 'Traceparent',
  network: 'Network',
  error: 'Error',
  pagination: 'Pagination',
  warnings: 'Warnings',
  replayed: 'Replayed',
  retryAfter: 'Retry-After',
  clock: 'Clock',
} as const;

const MAX_REMEMBERED = 5_000;
const LONGEST_MS = 60_000;
const written = new WeakMap<Principal, string>();
const readPrincipals = new Map<string, Principal>();

function writePrincipal(principal: Principal): string {
  const known = written.get(principal);
  if (known) return known;
  const text = JSON.stringify(principal);
  written.set(principal, text);
  return text;
}

// The same few principals arrive repeatedly: each text is parsed and validated once.
function readPrincipal(text: string): Principal {
  let principal = readPrincipals.get(text);
  if (principal) return principal;
  principal = principalSchema.parse(JSON.parse(text));
  if (readPrincipals.size >= MAX_REMEMBERED) readPrincipals.clear();
  readPrincipals.set(text, principal);
  return principal;
}

/** Writes the headers of a request. The deadline, `budgetMs` from now, is sent as an instant of the shared clock. */
export function writeRequestContext(context: RequestContext, budgetMs: number): MsgHdrs {
  const { requestId, principal, idempotencyKey, writeKey, fingerprint, traceparent, network, dryRun } = context;
  const out = headers();
  out.append(HEADER.requestId, requestId);
  out.append(HEADER.principal, writePrincipal(principal));
  out.append(HEADER.deadline, String(sharedClock.inMs(Math.floor(budgetMs)).getTime()));
  if (idempotencyKey !== null) out.append(HEADER.idempotencyKey, encodeURIComponent(idempotencyKey));
  if (writeKey !== null) out.append(HEADER.writeKey, encodeURIComponent(writeKey));
  if (fingerprint !== null) out.append(HEADER.fingerprint, fingerprint);
  if (traceparent !== null) out.append(HEADER.traceparent, traceparent);
  if (network !== null) out.append(HEADER.network, network);
  if (dryRun) out.append(HEADER.dryRun, '1');
  return out;
}

// The deadline is the instant that the client set, however long the request was queued.
function readDeadline(text: string): Deadline {
  const latestMs = sharedClock.nowMs() + LONGEST_MS;
  const requestedMs = Number(text);
  return requestedMs > 0 ? Deadline.at(Math.min(requestedMs, latestMs)) : new Deadline(BUDGET_MS.read);
}

// A Map is faster: `MsgHdrs` lists all names for each value that it returns.
const valuesOf = (from: MsgHdrs): Map<string, string> =>
  new Map([...from].map(([name, [value = '']]) => [name, value] as const));

export function readRequestContext(from: MsgHdrs | undefined): RequestContext {
  if (!from) throw new AppError('internal', { message: 'The request carries no context headers.' });
  const values = valuesOf(from);
  const keyIn = (name: string) => {
    const key = values.get(name);
    return key ? decodeURIComponent(key) : null;
  };
  return makeRequestContext({
    requestId: values.get(HEADER.requestId) ?? '',
    principal: readPrincipal(values.get(HEADER.principal) ?? ''),
    deadline: readDeadline(values.get(HEADER.deadline) ?? ''),
    idempotencyKey: keyIn(HEADER.idempotencyKey),
    writeKey: keyIn(HEADER.writeKey),
    fingerprint: values.get(HEADER.fingerprint) || null,
    traceparent: values.get(HEADER.traceparent) || null,
    network: values.get(HEADER.network) || null,
    dryRun: values.has(HEADER.dryRun),
  });
}

/** Writes the headers of an answer, with a reading of the sender's clock (Unix ms). */
export function answerHeaders(answer: Answer): MsgHdrs {
  const out = headers();
  out.append(HEADER.clock, String(sharedClock.nowMs()));
  if (answer.error) out.append(HEADER.error, '1');
  if (answer.pagination) out.append(HEADER.pagination, answer.pagination);
  if (answer.warnings) out.append(HEADER.warnings, answer.warnings);
  if (answer.replayed) out.append(HEADER.replayed, '1');
  if (answer.retryAfterSeconds !== null) out.append(HEADER.retryAfter, String(answer.retryAfterSeconds));
  return out;
}

export function readAnswer(body: Uint8Array, from: MsgHdrs | undefined): Answer {
  if (!from) return { body, error: false, pagination: null, replayed: false, retryAfterSeconds: null };
  const values = valuesOf(from);
  const [warnings, retryAfter] = [values.get(HEADER.warnings), values.get(HEADER.retryAfter)];
  return {
    body,
    error: values.has(HEADER.error),
    pagination: values.get(HEADER.pagination) || null,
    ...(warnings === undefined ? {} : { warnings }),
    replayed: values.has(HEADER.replayed),
    retryAfterSeconds: retryAfter === undefined ? null : Number(retryAfter),
  };
}
