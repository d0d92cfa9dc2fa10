import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import { type Socket, Server as TcpServer } from 'node:net';
import { AppError, newId, sharedClock } from '@swim/platform';
import { awaitingContinue } from '../requests/raw-body.js';
import { readRequestId } from '../requests/request-head.js';
import { errorEnvelope } from './envelope.js';
import { httpStatusOf } from './http-status.js';

const MAX_HEADER_BYTES = 16 * 1024;

const OPTIONS = {
  maxHeaderSize: MAX_HEADER_BYTES,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  // How often Node checks both time-outs.
  connectionsCheckingInterval: 1_000,
  // Node would answer a missing Host without a body; `checkHead` rejects it with one.
  requireHostHeader: false,
};

/** Longer than load balancers keep idle connections: otherwise the gateway could close one while a request arrives. */
const IDLE_MS = 65_000;

/** Rejected connections stay open until they have read the error; above this multiple of the limit they get none. */
const HARD_LIMIT_FACTOR = 2;

/**
 * Most requests of a connection that wait for their answers at a time. Node reads all requests of a connection that have
 * arrived in one turn of the event loop: two thousand short ones blocked it for a fifth of a second.
 */
const MAX_PIPELINED = 16;

/** How long, at shutdown, connections without a request stay open for one that the client has already sent. */
const IDLE_GRACE_MS = 300;
/** Longest wait at shutdown for requests in flight: the deadline of a write and a margin. */
const LAST_ANSWER_MS = 12_000;
const LINGER_MS = 2_000;

/** The exchange of a request, as far as the server uses it. */
interface Accepted {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Rejects a request that did not arrive whole. */
  abandon(error: AppError): void;
}

/** Receives a request and answers it. */
export type Accept = (request: IncomingMessage, response: ServerResponse) => Accepted;

interface ClientError extends Error {
  code?: string;
}

function appErrorOf(error: ClientError): AppError {
  if (error.code === 'HPE_HEADER_OVERFLOW')
    return new AppError('headers_too_large', {
      field: 'headers',
      message: `The request headers are too large. Send at most ${MAX_HEADER_BYTES / 1024} KiB.`,
      bounds: { maximum: MAX_HEADER_BYTES },
    });
  const isLate = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  return new AppError('malformed_request', {
    field: 'request',
    ...(isLate
      ? { message: 'The request did not arrive in time. Send it again.', bounds: { expected: 'complete in time' } }
      : {}),
  });
}

/** The facts that an answer without an exchange contains. */
interface Origin {
  requestId: string;
  /** Origin of the documentation; empty for URLs relative to the request's. */
  publicOrigin: string;
}

/** The answer to a request without an exchange, whose connection ends with it. */
function lastAnswer(
  error: AppError,
  { requestId, publicOrigin }: Origin,
): { status: number; headers: [string, string][]; body: Buffer } {
  const body = errorEnvelope(error.toBody(), { requestId }, publicOrigin);
  const status = httpStatusOf(error.code, error.reason);
  const headers: [string, string][] = [
    ['Content-Type', 'application/json; charset=utf-8'],
    ['Content-Length', String(body.length)],
    ['Cache-Control', 'no-store'],
    ['X-Content-Type-Options', 'nosniff'],
    ['X-Request-Id', requestId],
    ['Connection', 'close'],
  ];
  if (status === 503) headers.push(['Retry-After', '1']);
  return { status, headers, body };
}

/** The last answer of a connection as the bytes of an HTTP response. */
function rawAnswer(error: AppError, origin: Origin): Buffer {
  const { status, headers, body } = lastAnswer(error, origin);
  const lines = [['Date', sharedClock.now().toUTCString()], ...headers].map(([name, value]) => `${name}: ${value}`);
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), body]);
}

/**
 * Ends a connection on which the client may still be sending: closes the gateway's half after the answer, and discards what
 * arrives within LINGER_MS. If it were closed at once, the system would reset it, and the client would lose the answer.
 */
function linger(socket: Socket): void {
  if (socket.destroyed) return;
  socket.end();
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
}

/** Lets a connection linger when Node has written the answer and closes it. */
export function lingerOnClose(socket: Socket): void {
  socket.destroySoon = () => linger(socket);
}

/** Resolves when the client has read what was written, or has disconnected. */
export const drained = (response: ServerResponse): Promise<void> =>
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

export interface HttpServerSettings {
  /** Connections that are served at a time; one more is answered 503. */
  maxConnections: number;
  /** Origin of URLs in answers; empty for URLs relative to the request's. */
  publicOrigin: string;
  /** How long, at shutdown, every connection is still served, and closed with its next answer. */
  drainMs: number;
}

/** The public port: answers every request, and every input that is not HTTP, with the envelope. */
export class HttpServer {
  private readonly server: Server;
  private readonly current = new WeakMap<Socket, Accepted>();
  private readonly broken = new WeakSet<Socket>();
  private readonly unanswered = new WeakMap<Socket, number>();
  private connections = 0;

  constructor(
    private readonly accept: Accept,
    private readonly settings: HttpServerSettings,
  ) {
    const { maxConnections, drainMs } = settings;
    // A client that may keep a connection for no longer than the shutdown lasts never sends on one that is being closed.
    const promisedMs = drainMs || IDLE_MS;
    const keepAlive = { keepAliveTimeout: promisedMs, keepAliveTimeoutBuffer: Math.max(IDLE_MS - promisedMs, 1_000) };
    const take = (request: IncomingMessage, response: ServerResponse) => this.take(request, response);
    // Other expectations than 100-continue may be ignored (RFC 9110 section 10.1.1).
    this.server = createServer({ ...OPTIONS, ...keepAlive }, take).on('checkExpectation', take);
    // Sent when the body is read: a request that is rejected for its head, key or size needs none.
    this.server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
      awaitingContinue.set(request, () => response.writeContinue());
      take(request, response);
    });
    // Node would drop headers after the 2,000th; `checkHead` rejects too many.
    this.server.maxHeadersCount = 0;
    this.server.maxConnections = maxConnections * HARD_LIMIT_FACTOR;
    this.server.on('connection', (socket: Socket) => this.admit(socket));
    this.server.on('clientError', (error: ClientError, socket) => this.reject(error, socket as Socket));
    this.server.on('connect', (request: IncomingMessage, socket) =>
      this.answerRaw(socket as Socket, appErrorOf(new Error('CONNECT')), readRequestId(request)),
    );
  }

  /** Listens, and returns the port. */
  async listen(port: number, host: string): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(port, host, resolve);
    });
    return (this.server.address() as { port: number }).port;
  }

  /** Accepts no new connections, waits for the answers in flight, then closes the remaining connections. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.once('close', resolve));
    // The HTTP server's own `close` would end idle connections at once, on which a request may arrive.
    TcpServer.prototype.close.call(this.server);
    await new Promise((resolve) => setTimeout(resolve, IDLE_GRACE_MS));
    // Requests that have arrived while the process was paused are read before the next immediate.
    await new Promise((resolve) => setImmediate(resolve));
    this.server.closeIdleConnections();
    const timer = setTimeout(() => this.server.closeAllConnections(), LAST_ANSWER_MS);
    await closed;
    clearTimeout(timer);
    // Stops the HTTP server's timer that checks for slow requests.
    this.server.close(() => undefined);
  }

  private admit(socket: Socket): void {
    if (this.connections >= this.settings.maxConnections) {
      this.broken.add(socket);
      const message = 'The gateway has reached its limit of connections. Retry in a moment.';
      this.answerRaw(socket, new AppError('overloaded', { message }));
      return;
    }
    this.connections++;
    socket.once('close', () => this.connections--);
  }

  private take(request: IncomingMessage, response: ServerResponse): void {
    // A rejected connection already has its answer.
    const { socket } = request;
    if (this.broken.has(socket)) return;
    const unanswered = this.unanswered.get(socket) ?? 0;
    if (unanswered >= MAX_PIPELINED) {
      this.endPipelining(request, response);
      return;
    }
    this.unanswered.set(socket, unanswered + 1);
    response.once('close', () => this.unanswered.set(socket, this.unanswered.get(socket)! - 1));
    this.current.set(socket, this.accept(request, response));
  }

  /** Rejects the first request above the limit of a connection, after the answers before it, and ends the connection. */
  private endPipelining(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    this.broken.add(socket);
    const message = `The connection has ${MAX_PIPELINED} requests that wait for their answers. Wait for some, or open another.`;
    const origin = { requestId: readRequestId(request), publicOrigin: this.settings.publicOrigin };
    const { status, headers, body } = lastAnswer(new AppError('overloaded', { message }), origin);
    lingerOnClose(socket);
    response.writeHead(status, headers.flat()).end(body);
  }

  private reject(error: ClientError, socket: Socket): void {
    if (this.broken.has(socket)) return;
    this.broken.add(socket);
    // Browsers open connections ahead of requests, and would take this answer for that of the next one.
    const isUnused = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket.bytesRead === 0;
    if (isUnused || error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    const exchange = this.current.get(socket);
    if (!exchange) this.answerRaw(socket, appErrorOf(error));
    else if (exchange.request.complete) this.rejectNext(error, socket, exchange);
    else if (exchange.response.headersSent) socket.destroy();
    else {
      lingerOnClose(socket);
      exchange.abandon(appErrorOf(error));
    }
  }

  /** Answers an error after a whole request, whose answer comes first. */
  private rejectNext(error: ClientError, socket: Socket, { response }: Accepted): void {
    if (response.writableFinished) this.answerRaw(socket, appErrorOf(error));
    else response.once('finish', () => this.answerRaw(socket, appErrorOf(error)));
  }

  private answerRaw(socket: Socket, error: AppError, requestId: string = newId('req')): void {
    socket.on('error', () => socket.destroy());
    socket.write(rawAnswer(error, { requestId, publicOrigin: this.settings.publicOrigin }));
    linger(socket);
  }
}
