import type { KeyObject } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { ENVIRONMENTS, type Environment } from '@swim/contracts';
import { inSpan, type SpanOutcome, TRACER, type Tracer } from '@swim/platform';
import { TargetGuard } from '../../webhook-endpoints/target-guard.service.js';
import type { TryResult } from '../delivery.rules.js';
import { signatureHeaders } from './webhook-signature.js';

/** A try takes at most this long in all (contract, Events and webhooks). */
const MOST_MS = 15_000;
/** So much of an answer's body is read. */
const MOST_RESPONSE_BYTES = 16 * 1024;
const MOST_HEADER_BYTES = 16 * 1024;
/** So many answers of 1xx may come before the final one: each costs time, and their number has no other bound. */
const MOST_INTERIM = 10;
const IDLE_MS = 4_000;
const MOST_IDLE = 256;
/** Why a try is ended before its answer. */
const [LATE, EARLY] = ['late', 'early'] as const;

/** A request of a webhook. */
export interface WebhookRequest {
  env: Environment;
  url: string;
  /** The event's id, the same for each try. */
  id: string;
  /** Each signs the request. */
  signingKeys: readonly KeyObject[];
  body: string;
  /** The trace that it belongs to; null without one. */
  traceparent: string | null;
  /** When it is sent, by the shared clock. */
  now: Date;
}

/** The result of a try, and what it took. */
export interface WebhookResponse extends TryResult {
  durationMs: number;
  /** At most the first 16 KiB of the answer; null without one. */
  body: string | null;
}

type Agents = { http: http.Agent; https: https.Agent };
type Received = Pick<WebhookResponse, 'statusCode' | 'retryAfter' | 'body'>;

// Messages of Node name addresses; these do not.
const MESSAGES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was closed before an answer came.',
  EPIPE: 'The connection was closed before an answer came.',
  ENOTFOUND: 'The name of the host does not resolve.',
  ETIMEDOUT: 'The host did not answer the connection.',
  EHOSTUNREACH: 'The host is unreachable.',
  ENETUNREACH: 'The host is unreachable.',
  HPE_HEADER_OVERFLOW: `The headers of the answer are larger than ${MOST_HEADER_BYTES / 1024} KiB.`,
  TOO_MANY_INTERIM: `More than ${MOST_INTERIM} answers of 1xx came before the final one.`,
  FORBIDDEN_TARGET: 'The URL leads to an address that is not public.',
};

/** The headers of a webhook (Standard Webhooks 1.0). */
function webhookHeaders(request: WebhookRequest): http.OutgoingHttpHeaders {
  return {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(request.body),
    'user-agent': 'Swim-Webhooks/1.0',
    'accept-encoding': 'identity',
    ...signatureHeaders(request),
  };
}

/**
 * Sends webhooks: one POST each, without redirects and proxies, to addresses that the guard allows when the connection is
 * made. Connections are kept for a few seconds.
 */
@Injectable()
export class WebhookSenderService implements OnApplicationShutdown {
  // A connection of the sandbox may lead to where live data must not go.
  private readonly agents: Record<Environment, Agents>;

  constructor(
    private readonly targets: TargetGuard,
    @Inject(TRACER) private readonly tracer: Tracer | null,
  ) {
    const agentsOf = (env: Environment): Agents => {
      const options = {
        keepAlive: true,
        timeout: IDLE_MS,
        maxFreeSockets: MOST_IDLE,
        lookup: targets.lookupFor(env),
      };
      return { http: new http.Agent(options), https: new https.Agent(options) };
    };
    this.agents = { live: agentsOf('live'), test: agentsOf('test') };
  }

  onApplicationShutdown(): void {
    for (const env of ENVIRONMENTS) {
      this.agents[env].http.destroy();
      this.agents[env].https.destroy();
    }
  }

  /** Sends a request; the result of a failed one contains the error. `signal` ends it early. */
  send(request: WebhookRequest, signal?: AbortSignal): Promise<WebhookResponse> {
    const { tracer } = this;
    const { traceparent: parent } = request;
    if (!tracer || parent === null) return this.attempt(request, signal);
    const start = { kind: 'client', name: 'POST', attributes: { 'http.request.method': 'POST' }, parent } as const;
    return inSpan(tracer, start, () => this.attempt(request, signal), spanOutcome);
  }

  private async attempt(request: WebhookRequest, signal: AbortSignal | undefined): Promise<WebhookResponse> {
    const startedAtMs = performance.now();
    // AbortSignal.timeout and AbortSignal.any would keep memory for each try until its time is over, long after the answer.
    const ending = new AbortController();
    const endLate = () => ending.abort(LATE);
    const endEarly = () => ending.abort(EARLY);
    const timer = setTimeout(endLate, MOST_MS);
    signal?.addEventListener('abort', endEarly, { once: true });
    if (signal?.aborted) endEarly();
    const received = await this.receive(request, ending.signal).then(
      (answer) => ({ ...answer, error: errorOfStatus(answer.statusCode!) }),
      (error: NodeJS.ErrnoException) => ({
        statusCode: null,
        retryAfter: null,
        body: null,
        error: ending.signal.reason === LATE ? `No answer came within ${MOST_MS / 1_000} seconds.` : messageOf(error),
      }),
    );
    clearTimeout(timer);
    signal?.removeEventListener('abort', endEarly);
    return { ...received, durationMs: Math.round(performance.now() - startedAtMs) };
  }

  private async receive(request: WebhookRequest, signal: AbortSignal): Promise<Received> {
    const url = new URL(request.url);
    // Node looks up names only: an address in the URL is checked here.
    this.targets.checkAddress(request.env, url);
    const agents = this.agents[request.env];
    return this.post(request, url, { signal, agent: url.protocol === 'https:' ? agents.https : agents.http });
  }

  private post(
    request: WebhookRequest,
    url: URL,
    options: Pick<http.RequestOptions, 'signal' | 'agent'>,
  ): Promise<Received> {
    const { promise, resolve, reject } = Promise.withResolvers<Received>();
    const { request: open } = url.protocol === 'https:' ? https : http;
    const sent = open(url, {
      ...options,
      method: 'POST',
      headers: webhookHeaders(request),
      maxHeaderSize: MOST_HEADER_BYTES,
      lookup: this.targets.lookupFor(request.env),
    });
    let isOver = false;
    let isAnswered = false;
    sent.once('response', (response) => {
      isOver = isAnswered = true;
      void readAnswer(response).then(resolve, reject);
    });
    endInterim(sent, resolve);
    sent.on('error', (error: NodeJS.ErrnoException) => {
      // The status is there: the answer ends with what has come of its body.
      if (isAnswered) return;
      // The receiver has closed a connection that was kept while the request was on its way.
      if (!(sent.reusedSocket && options.agent && error.code === 'ECONNRESET' && !isOver)) return reject(error);
      isOver = true;
      this.post(request, url, { ...options, agent: false }).then(resolve, reject);
    });
    // Whatever ends a request, the try ends with it: otherwise it would keep its endpoint's turn for ever.
    sent.once('close', () => {
      if (!isOver) reject(failureOf('ECONNRESET'));
    });
    sent.end(request.body);
    return promise;
  }
}

/** Ends a request that is answered 101, which no webhook asks for, or with more answers of 1xx than are read. */
function endInterim(sent: http.ClientRequest, resolve: (received: Received) => void): void {
  // Without a listener the request would end with `close` alone.
  sent.once('upgrade', ({ statusCode }, socket) => {
    resolve({ statusCode: statusCode!, retryAfter: null, body: null });
    socket.destroy();
  });
  let interim = 0;
  sent.on('information', () => {
    if (++interim > MOST_INTERIM) sent.destroy(failureOf('TOO_MANY_INTERIM'));
  });
}

/** Reads the start of an answer. Once the status is there, it counts, whatever becomes of the body. */
async function readAnswer(response: http.IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= MOST_RESPONSE_BYTES) break;
    }
  } catch {
    // Cut off: what has come is kept.
  }
  const body = Buffer.concat(chunks).subarray(0, MOST_RESPONSE_BYTES).toString();
  return { statusCode: response.statusCode!, retryAfter: response.headers['retry-after'] ?? null, body };
}

const failureOf = (code: string): NodeJS.ErrnoException => Object.assign(new Error(code), { code });

const spanOutcome = ({ statusCode, error }: WebhookResponse): SpanOutcome => ({
  attributes: {
    ...(statusCode === null ? {} : { 'http.response.status_code': statusCode }),
    ...(error === null ? {} : { 'error.type': statusCode === null ? 'no_answer' : String(statusCode) }),
  },
  isFault: error !== null,
});

const errorOfStatus = (status: number): string | null => {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400
    ? `The answer was ${status}: redirects are not followed.`
    : `The answer was ${status}.`;
};

function messageOf(error: NodeJS.ErrnoException): string {
  const code = error.code ?? '';
  const first = (error as { errors?: NodeJS.ErrnoException[] }).errors?.[0]?.code ?? '';
  if (MESSAGES[code] ?? MESSAGES[first]) return (MESSAGES[code] ?? MESSAGES[first])!;
  if (code.startsWith('HPE_')) return 'The answer is not valid HTTP.';
  return code === '' ? 'The request failed.' : `The request failed (${code}).`;
}
