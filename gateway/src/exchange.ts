import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BlockList } from 'node:net';
import type { ErrorBody, Principal } from '@swim/contracts';
import { AppError, type Tracer, type Warning } from '@swim/platform';
import { clientAddress, recordedNetworkOf } from './authentication/addresses.js';
import { type Authenticator, presentedKeyId } from './authentication/authenticator.js';
import type { FailedAttempts } from './authentication/failed-attempts.js';
import type { LookUpTurns } from './authentication/look-up-turns.js';
import type { ServiceCalls } from './calls/service-calls.js';
import type { SessionAuthenticator } from './dashboard/session-authenticator.js';
import { envelopeAround, errorEnvelope, successEnvelope } from './http/envelope.js';
import type { HeldRejections } from './http/held-rejections.js';
import { drained, lingerOnClose } from './http/http-server.js';
import { defaultRetryAfterSeconds, httpStatusOf } from './http/http-status.js';
import type { RequestLog } from './http/request-log.js';
import { RequestSpan } from './http/request-span.js';
import type { Pages } from './pages.js';
import type { Quota, RateLimiter } from './rate-limits/rate-limiter.js';
import type { RequestRecorder } from './recorded-requests/request-recorder.js';
import { ClientGone, hasLongRest } from './requests/raw-body.js';
import { cameOverTls, readRequestId, readTraceparent } from './requests/request-head.js';
import type { Target } from './requests/request-target.js';
import type { Endpoint, Match } from './router.js';
import { MCP_PATH } from './routes.js';

const JSON_TYPE = 'application/json; charset=utf-8';
const EVENT_STREAM = 'text/event-stream; charset=utf-8';
const NOTHING = Buffer.alloc(0);
const UNKNOWN = 'unknown';

/** Answers requests of some endpoints. */
interface EndpointAnswers {
  answer(exchange: Exchange, endpoint: Endpoint, values: readonly string[]): Promise<void>;
}

/** The parts of a running gateway that policies use. */
export interface Dependencies {
  readonly authenticator: Authenticator;
  /** Authenticates the users of the dashboard. */
  readonly sessions: SessionAuthenticator;
  readonly limiter: RateLimiter;
  /** Limits each user of the dashboard, beside the limits of accounts. */
  readonly userLimiter: RateLimiter;
  readonly calls: ServiceCalls;
  readonly streams: EndpointAnswers & { stop(): Promise<void> };
  readonly feeds: EndpointAnswers;
  readonly pages: Pages;
  /** Limits the networks that send webhooks with a wrong signature. */
  readonly webhookSenders: { readonly attempts: FailedAttempts; readonly turns: LookUpTurns };
  /** Answers messages of the Model Context Protocol. */
  readonly mcp: { answer(exchange: Exchange): Promise<void> };
  readonly log: RequestLog;
  /** Null where no traces are recorded. */
  readonly tracer: Tracer | null;
  /** Delays rejections for overload. */
  readonly heldRejections: HeldRejections;
  /** Records the answered requests of accounts for their log. */
  readonly recorder: RequestRecorder;
  /** Wrong tokens of links and feeds, by network. */
  readonly linkAttempts: FailedAttempts;
  /** Peers whose `X-Forwarded-…` headers are trusted. */
  readonly trustedProxies: BlockList;
  /** Value of Strict-Transport-Security on answers over TLS; null to leave it out. */
  readonly hsts: string | null;
  /** Origin of the absolute URLs in answers; empty for URLs relative to the request's. */
  readonly publicOrigin: string;
  /** Set when the process is about to end: answers then have `Connection: close`. */
  isDraining: boolean;
}

/** One request and its one answer. The policies store their results here. */
export class Exchange {
  readonly startedAtMs = performance.now();
  principal: Principal | null = null;
  quota: Quota | null = null;
  isDryRun = false;
  /** Non-fatal notes for the developer: `meta.warnings`. */
  readonly notes: (string | Warning)[] = [];
  private id = '';
  /** The reason of the error that was answered; null without one. */
  private reason: string | null = null;
  /** Id of the object that was created; null unless a user of the dashboard created one. */
  private createdId: string | null = null;
  private knownNetwork: string | null = null;
  private isAnswered = false;
  private isLast = false;
  private readonly span: RequestSpan | null;

  constructor(
    readonly request: IncomingMessage,
    readonly response: ServerResponse,
    readonly target: Target,
    readonly match: Match,
    readonly dependencies: Dependencies,
  ) {
    const { tracer } = dependencies;
    this.span = tracer && new RequestSpan(tracer, request, this.route === UNKNOWN ? null : this.route);
  }

  /** W3C trace context for what this request causes: that of its span, or else the client's. */
  get traceparent(): string | null {
    return this.span ? this.span.traceparent : readTraceparent(this.request);
  }

  /** `req_…`, or the client's own id. */
  get requestId(): string {
    if (this.id === '') this.identify();
    return this.id;
  }

  /** Sets the request's id. */
  identify(): void {
    this.id = readRequestId(this.request);
  }

  /** The client's network, as logs contain it. */
  get network(): string {
    this.knownNetwork ??= recordedNetworkOf(clientAddress(this.request, this.dependencies.trustedProxies));
    return this.knownNetwork;
  }

  /** The principal as its key or session is now; throws when it has ended. */
  reauthenticate(): Promise<Principal> {
    const { authenticator, sessions } = this.dependencies;
    const { userId, env } = this.principal!;
    return userId === undefined
      ? authenticator.reauthenticate(this.request)
      : sessions.reauthenticate(this.request, env);
  }

  /** Pattern of the route, for logs and metrics: never the path itself, which contains ids. */
  get route(): string {
    const { match } = this;
    if (match.kind === 'operation' || match.kind === 'dashboard') return match.endpoint.path;
    if (match.kind === 'webhook') return match.webhook.path;
    if (match.kind === 'mcp') return MCP_PATH;
    return match.kind === 'page' ? match.page.path : match.kind === 'method' ? match.path : UNKNOWN;
  }

  /** Answers with the bytes of `data`; `pagination` is JSON, for lists. */
  succeed(status: number, data: Uint8Array, pagination: string | null, more: readonly string[] = []): void {
    if (status === 201 && this.principal?.userId !== undefined) this.createdId = idOf(data);
    if (status === 204) this.send(status, null, NOTHING, more);
    else this.send(status, JSON_TYPE, successEnvelope(data, pagination, this), more);
  }

  /** Answers with a document without the envelope; `caching` is its Cache-Control. */
  serve(type: string, document: Buffer, caching: string, more: readonly string[] = [], status = 200): void {
    this.send(status, type, document, more, caching);
  }

  /** Answers with a body that another protocol than the API's has made. */
  relay(status: number, type: string | null, body: Buffer): void {
    this.send(status, type, body, []);
  }

  /** Answers that the client's copy of a document is current. */
  serveUnchanged(caching: string, more: readonly string[]): void {
    this.send(304, null, NOTHING, more, caching);
  }

  /**
   * Answers with `data` in pieces, each as soon as the client has read the one before. Rejects with an error that occurs
   * before the first piece; a later one ends the connection, so that the client does not take a part for the whole.
   */
  async stream(data: AsyncGenerator<Uint8Array>): Promise<void> {
    const first = await data.next();
    const { head, tail } = envelopeAround(this);
    const { response } = this;
    this.beginAnswer(200);
    response.writeHead(200, [...this.headers([]), 'Content-Type', JSON_TYPE]);
    try {
      response.write(head);
      for (let piece = first; !piece.done; piece = await data.next()) {
        if (!response.write(piece.value)) await drained(response);
        if (response.destroyed) break;
      }
      response.end(tail());
    } catch (error) {
      this.dependencies.log.brokenOff(this.requestId, error);
      response.destroy();
    } finally {
      await data.return(undefined);
      this.logAnswer(200);
    }
  }

  /** Answers with server-sent events, which `write` writes; it ends the response. */
  async serveEvents(write: (response: ServerResponse) => Promise<void> | void): Promise<void> {
    const { response } = this;
    this.beginAnswer(200);
    // Buffering proxies would hold events back.
    response.writeHead(200, [...this.headers([]), 'Content-Type', EVENT_STREAM, 'X-Accel-Buffering', 'no']);
    try {
      await write(response);
    } catch (error) {
      this.dependencies.log.failed(this.requestId, error);
      response.destroy();
    } finally {
      this.logAnswer(200);
    }
  }

  /** Answers with the envelope of an error; a client with a key or session that is rejected for overload waits for it. */
  reject(error: ErrorBody, retryAfterSeconds: number | null, more: readonly string[] = []): void {
    const status = httpStatusOf(error.code, error.details.reason);
    if (!this.isAnswered) this.reason = error.details.reason;
    const headers = [...more];
    const seconds = retryAfterSeconds ?? defaultRetryAfterSeconds(status, error.details.reason);
    if (seconds !== null) headers.push('Retry-After', String(seconds));
    if (status === 401) headers.push('WWW-Authenticate', 'Bearer');
    if (status === 405 && this.match.kind === 'method') headers.push('Allow', this.match.allow);
    const { heldRejections, publicOrigin } = this.dependencies;
    const answer = () => this.send(status, JSON_TYPE, errorEnvelope(error, this, publicOrigin), headers);
    // Clients without a valid key must not take the places of the others.
    if (error.details.reason === 'overloaded' && this.principal) heldRejections.hold(this.response, answer);
    else answer();
  }

  /** Answers with the error that was thrown; with `internal` unless it is an AppError. */
  fail(thrown: unknown): void {
    if (thrown instanceof ClientGone) {
      this.span?.abandoned();
      return;
    }
    this.dependencies.log.failed(this.requestId, thrown);
    const error = thrown instanceof AppError ? thrown : new AppError('internal');
    this.reject(error.toBody(), error.retryAfterSeconds ?? null);
  }

  /** Rejects a request that did not arrive whole, and ends its connection. */
  abandon(error: AppError): void {
    this.isLast = true;
    this.fail(error);
  }

  private send(status: number, type: string | null, body: Buffer, more: readonly string[], caching = 'no-store'): void {
    if (this.isAnswered) return;
    this.beginAnswer(status);
    const headers = this.headers(more, caching);
    if (type !== null) headers.push('Content-Type', type, 'Content-Length', String(body.length));
    this.response.writeHead(status, headers);
    this.response.end(body);
    this.logAnswer(status);
  }

  private beginAnswer(status: number): void {
    this.isAnswered = true;
    const { principal, reason, durationMs } = this;
    const isLimited = reason === 'hourly_limit' || reason === 'burst_limit';
    if (principal) this.dependencies.recorder.count(principal, { status, isLimited, durationMs });
  }

  private get durationMs(): number {
    return Math.round((performance.now() - this.startedAtMs) * 10) / 10;
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
    const { requestId, route, request, principal, durationMs } = this;
    const method = request.method!;
    this.dependencies.log.answered({ method, route, status, durationMs }, () => ({
      requestId,
      accountId: principal?.accountId,
      keyId: principal?.keyId ?? presentedKeyId(request),
      network: this.network,
      traceparent: this.traceparent ?? undefined,
    }));
    this.span?.answered(status, this.reason);
    if (!principal) return;
    const { match, isDryRun, reason, createdId, network } = this;
    const { query } = this.target;
    const answered = { requestId, method, match, query, status, reason, durationMs, network, isDryRun, createdId };
    this.dependencies.recorder.record(principal, answered);
  }
}

function idOf(data: Uint8Array): string | null {
  const { id } = JSON.parse(Buffer.from(data).toString()) as { id?: unknown };
  return typeof id === 'string' ? id : null;
}
