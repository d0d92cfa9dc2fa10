import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ErrorBody, Principal } from '@swim/contracts';
import { AppError } from '@swim/platform';
import { presentedKeyId } from './authentication/authenticator.js';
import { clientAddress, recordedNetworkOf } from './authentication/client-address.js';
import type { Dependencies } from './dependencies.js';
import { envelopeAround, errorEnvelope, successEnvelope } from './envelope.js';
import { defaultRetryAfterSeconds, httpStatusOf } from './http-status.js';
import { lingerOnClose } from './linger.js';
import type { Quota } from './rate-limits/rate-limiter.js';
import { newRequestId } from './request-id.js';
import { ClientGone, hasLongRest } from './requests/raw-body.js';
import { cameOverTls } from './requests/request-head.js';
import type { Target } from './requests/target.js';
import { readTraceparent } from './requests/trace-context.js';
import type { Match } from './router.js';

const REQUEST_ID = /^[A-Za-z0-9_-]{1,64}$/;
const JSON_TYPE = 'application/json; charset=utf-8';
const NOTHING = Buffer.alloc(0);

/** One request and the one answer it gets. The policies store their results here. */
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
    readonly dependencies: Dependencies,
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

  /** The network that the request came from, as it is written down. */
  get network(): string {
    return recordedNetworkOf(clientAddress(this.request, this.dependencies.trustedProxies));
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

  /** Answers with a document of its own, outside the envelope; `caching` is its Cache-Control. */
  serve(type: string, document: Buffer, caching: string, more: readonly string[] = []): void {
    this.send(200, type, document, more, caching);
  }

  /** Answers that the client's copy of a document is still right. */
  serveUnchanged(caching: string, more: readonly string[]): void {
    this.send(304, null, NOTHING, more, caching);
  }

  /**
   * Answers with `data` that comes in pieces, each as soon as the client has taken the one before. What fails before the first
   * piece is answered as such; what fails later ends the connection, so that nobody takes a part for the whole.
   */
  async stream(data: AsyncGenerator<Uint8Array>): Promise<void> {
    const first = await data.next();
    const { head, tail } = envelopeAround(this);
    const { response } = this;
    this.isAnswered = true;
    response.writeHead(200, [...this.headers([]), 'Content-Type', JSON_TYPE]);
    try {
      response.write(head);
      for (let piece = first; !piece.done; piece = await data.next()) {
        if (!response.write(piece.value)) await taken(response);
        if (response.destroyed) break;
      }
      response.end(tail());
    } catch (error) {
      this.dependencies.log.failed(this.requestId, error);
      response.destroy();
    } finally {
      await data.return(undefined);
      this.logAnswer(200);
    }
  }

  /** Answers with the envelope of an error. */
  reject(error: ErrorBody, retryAfterSeconds: number | null, more: readonly string[] = []): void {
    const status = httpStatusOf(error.code, error.details.reason);
    const headers = [...more];
    const seconds = retryAfterSeconds ?? defaultRetryAfterSeconds(status, error.details.reason);
    if (seconds !== null) headers.push('Retry-After', String(seconds));
    if (status === 401) headers.push('WWW-Authenticate', 'Bearer');
    if (status === 405 && this.match.kind === 'method') headers.push('Allow', this.match.allow);
    this.send(status, JSON_TYPE, errorEnvelope(error, this), headers);
  }

  /** Answers with what was thrown; anything but an AppError answers `internal` and nothing more. */
  fail(thrown: unknown): void {
    if (thrown instanceof ClientGone) return;
    this.dependencies.log.failed(this.requestId, thrown);
    const error = thrown instanceof AppError ? thrown : new AppError('internal');
    this.reject(error.toBody(), error.retryAfterSeconds ?? null);
  }

  /** Answers a request that did not arrive whole; its connection is of no further use. */
  abandon(error: AppError): void {
    this.isLast = true;
    this.fail(error);
  }

  private send(status: number, type: string | null, body: Buffer, more: readonly string[], caching = 'no-store'): void {
    if (this.isAnswered) return;
    this.isAnswered = true;
    const headers = this.headers(more, caching);
    if (type !== null) headers.push('Content-Type', type, 'Content-Length', String(body.length));
    this.response.writeHead(status, headers);
    this.response.end(body);
    this.logAnswer(status);
  }

  private headers(more: readonly string[], caching = 'no-store'): string[] {
    const headers = ['Cache-Control', caching, 'X-Content-Type-Options', 'nosniff', 'X-Request-Id', this.requestId];
    const { hsts, trustedProxies } = this.dependencies;
    if (hsts !== null && cameOverTls(this.request, trustedProxies)) headers.push('Strict-Transport-Security', hsts);
    const { quota } = this;
    if (quota) {
      headers.push('X-RateLimit-Limit', String(quota.limit), 'X-RateLimit-Remaining', String(quota.remaining));
      headers.push('X-RateLimit-Reset', String(quota.resetAtSeconds));
    }
    const hasRest = hasLongRest(this.request);
    if (hasRest) lingerOnClose(this.request.socket);
    if (hasRest || this.isLast || this.dependencies.isDraining) headers.push('Connection', 'close');
    for (const part of more) headers.push(part);
    return headers;
  }

  private logAnswer(status: number): void {
    const { requestId, route, request, principal } = this;
    const durationMs = Math.round((performance.now() - this.startedAtMs) * 10) / 10;
    this.dependencies.log.answered({
      requestId,
      method: request.method!,
      route,
      status,
      durationMs,
      accountId: principal?.accountId,
      keyId: principal?.keyId ?? presentedKeyId(request),
      network: this.network,
      traceparent: readTraceparent(request) ?? undefined,
    });
  }
}

/** Resolves when the client has taken what was written, or is gone. */
const taken = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done);
      response.off('close', done);
      resolve();
    };
    response.once('drain', done);
    response.once('close', done);
    if (response.destroyed) done();
  });
