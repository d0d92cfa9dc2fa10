import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ErrorBody, Principal } from '@swim/contracts';
import { AppError } from '@swim/platform';
import { errorEnvelope, successEnvelope } from './envelope.js';
import { defaultRetryAfterSeconds, httpStatusOf } from './http-status.js';
import { lingerOnClose } from './linger.js';
import type { Parts } from './parts.js';
import type { Quota } from './rate-limits/rate-limiter.js';
import { newRequestId } from './request-id.js';
import { ClientGone, hasLongRest } from './requests/raw-body.js';
import type { Target } from './requests/target.js';
import type { Match } from './router.js';

const REQUEST_ID = /^[A-Za-z0-9_-]{1,64}$/;
const JSON_TYPE = 'application/json; charset=utf-8';
const NOTHING = Buffer.alloc(0);

/** One request and the one answer it gets. What the policies find out about it is kept here. */
export class Exchange {
  readonly startedAtMs = performance.now();
  principal: Principal | null = null;
  quota: Quota | null = null;
  isDryRun = false;
  /** Non-fatal notes for the developer: `meta.warnings`. */
  readonly notes: string[] = [];
  private id = '';
  private isAnswered = false;
  private isLast = false;

  constructor(
    readonly request: IncomingMessage,
    readonly response: ServerResponse,
    readonly target: Target,
    readonly match: Match,
    readonly parts: Parts,
  ) {}

  /** `req_…`, or what the client named it. */
  get requestId(): string {
    if (this.id === '') this.identify();
    return this.id;
  }

  /** Keeps the client's own id where it is well-formed, else makes one. */
  identify(): void {
    const given = this.request.headers['x-request-id'];
    this.id = typeof given === 'string' && REQUEST_ID.test(given) ? given : newRequestId();
  }

  /** Pattern of the route, for logs and metrics: never the path itself, which holds ids. */
  get route(): string {
    const { match } = this;
    if (match.kind === 'operation') return match.endpoint.path;
    return match.kind === 'page' ? match.page.path : match.kind === 'method' ? match.path : 'unknown';
  }

  /** Answers with the bytes of `data`; `pagination` is JSON, for lists. */
  succeed(status: number, data: Uint8Array, pagination: string | null, more: readonly string[] = []): void {
    if (status === 204) this.send(status, null, NOTHING, more);
    else this.send(status, JSON_TYPE, successEnvelope(data, pagination, this), more);
  }

  /** Answers with a document of its own, outside the envelope. */
  serve(type: string, document: Buffer, more: readonly string[] = []): void {
    this.send(200, type, document, more);
  }

  /** Answers with the envelope of a refusal. */
  refuse(error: ErrorBody, retryAfterSeconds: number | null, more: readonly string[] = []): void {
    const status = httpStatusOf(error.code, error.details.reason);
    const headers = [...more];
    const seconds = retryAfterSeconds ?? defaultRetryAfterSeconds(status, error.details.reason);
    if (seconds !== null) headers.push('Retry-After', String(seconds));
    if (status === 401) headers.push('WWW-Authenticate', 'Bearer');
    if (status === 405 && this.match.kind === 'method') headers.push('Allow', this.match.allow);
    this.send(status, JSON_TYPE, errorEnvelope(error, this), headers);
  }

  /** Answers with what was thrown; anything but an AppError is told as `internal` and nothing more. */
  fail(thrown: unknown): void {
    if (thrown instanceof ClientGone) return;
    this.parts.log.failed(this.requestId, thrown);
    const error = thrown instanceof AppError ? thrown : new AppError('internal');
    this.refuse(error.toBody(), error.retryAfterSeconds ?? null);
  }

  /** Answers a request that did not arrive whole; its connection is of no further use. */
  abandon(error: AppError): void {
    this.isLast = true;
    this.fail(error);
  }

  private send(status: number, type: string | null, body: Buffer, more: readonly string[]): void {
    if (this.isAnswered) return;
    this.isAnswered = true;
    const headers = ['Cache-Control', 'no-store', 'X-Content-Type-Options', 'nosniff', 'X-Request-Id', this.requestId];
    if (type !== null) headers.push('Content-Type', type, 'Content-Length', String(body.length));
    const { quota } = this;
    if (quota) {
      headers.push('X-RateLimit-Limit', String(quota.limit), 'X-RateLimit-Remaining', String(quota.remaining));
      headers.push('X-RateLimit-Reset', String(quota.resetAtSeconds));
    }
    const hasRest = hasLongRest(this.request);
    if (hasRest) lingerOnClose(this.request.socket);
    if (hasRest || this.isLast || this.parts.isDraining) headers.push('Connection', 'close');
    for (const part of more) headers.push(part);
    this.response.writeHead(status, headers);
    this.response.end(body);
    this.tell(status);
  }

  private tell(status: number): void {
    const { requestId, route, request, principal } = this;
    const durationMs = Math.round((performance.now() - this.startedAtMs) * 10) / 10;
    this.parts.log.answered({
      requestId,
      method: request.method!,
      route,
      status,
      durationMs,
      accountId: principal?.accountId,
    });
  }
}
