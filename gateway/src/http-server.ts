import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import { type Socket, Server as TcpServer } from 'node:net';
import { AppError, newId } from '@swim/platform';
import { errorEnvelope } from './envelope.js';
import type { Exchange } from './exchange.js';
import { httpStatusOf } from './http-status.js';
import { linger, lingerOnClose } from './linger.js';

const OPTIONS = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  // How often the two above are looked after.
  connectionsCheckingInterval: 1_000,
  // Longer than load balancers keep idle connections, so that it is never we who close one just as a request comes.
  keepAliveTimeout: 65_000,
  // Node would answer a missing Host without a body; we refuse it ourselves.
  requireHostHeader: false,
};

/** How long, at shutdown, connections without a request stay open for one that is already on its way. */
const IDLE_GRACE_MS = 300;
/** Longest that requests under way are waited for at shutdown: a write's deadline and a little. */
const LAST_ANSWER_MS = 12_000;

/** Takes a request off the wire and sees to its answer. */
export type Accept = (request: IncomingMessage, response: ServerResponse) => Exchange;

interface ClientError extends Error {
  code?: string;
}

function refusalOf(error: ClientError): AppError {
  if (error.code === 'HPE_HEADER_OVERFLOW') return new AppError('headers_too_large', { field: 'headers' });
  const isLate = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  return new AppError('malformed_request', {
    field: 'request',
    ...(isLate ? { message: 'The request did not arrive in time.' } : {}),
  });
}

/** An answer to what never became a request, as the bytes of a whole HTTP response. */
function rawAnswer(error: AppError): Buffer {
  const requestId = newId('req');
  const body = errorEnvelope(error.toBody(), { requestId });
  const status = httpStatusOf(error.code, error.reason);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `Date: ${new Date().toUTCString()}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${body.length}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    `X-Request-Id: ${requestId}`,
    'Connection: close',
  ];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), body]);
}

/** The public port: whatever arrives on it, be it HTTP or not, is answered with the envelope. */
export class HttpServer {
  private readonly server: Server;
  private readonly current = new WeakMap<Socket, Exchange>();
  private readonly broken = new WeakSet<Socket>();

  constructor(private readonly accept: Accept) {
    const take = (request: IncomingMessage, response: ServerResponse) => this.take(request, response);
    // Other expectations than 100-continue may be ignored (RFC 9110 section 10.1.1).
    this.server = createServer(OPTIONS, take).on('checkExpectation', take);
    this.server.on('clientError', (error: ClientError, socket) => this.refuse(error, socket as Socket));
    this.server.on('connect', (_request, socket) => this.answerRaw(socket as Socket, refusalOf(new Error('CONNECT'))));
  }

  /** Listens, and answers the port that it got. */
  async listen(port: number, host: string): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(port, host, resolve);
    });
    return (this.server.address() as { port: number }).port;
  }

  /** Takes no new connections, lets requests under way be answered, then closes what is left. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.once('close', resolve));
    // Not the HTTP server's own `close`, which cuts idle connections at once: a request may be on its way on one.
    TcpServer.prototype.close.call(this.server);
    await new Promise((resolve) => setTimeout(resolve, IDLE_GRACE_MS));
    this.server.closeIdleConnections();
    const timer = setTimeout(() => this.server.closeAllConnections(), LAST_ANSWER_MS);
    await closed;
    clearTimeout(timer);
    // What is left of the HTTP server's own is the timer that looks for slow requests.
    this.server.close(() => undefined);
  }

  private take(request: IncomingMessage, response: ServerResponse): void {
    this.current.set(request.socket, this.accept(request, response));
  }

  private refuse(error: ClientError, socket: Socket): void {
    if (this.broken.has(socket)) return;
    this.broken.add(socket);
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    const exchange = this.current.get(socket);
    if (!exchange) this.answerRaw(socket, refusalOf(error));
    else if (exchange.request.complete) this.refuseNext(error, socket, exchange);
    else if (exchange.response.headersSent) socket.destroy();
    else {
      lingerOnClose(socket);
      exchange.abandon(refusalOf(error));
    }
  }

  /** What is wrong came after a whole request, whose answer goes first. */
  private refuseNext(error: ClientError, socket: Socket, { response }: Exchange): void {
    if (response.writableFinished) this.answerRaw(socket, refusalOf(error));
    else response.once('finish', () => this.answerRaw(socket, refusalOf(error)));
  }

  private answerRaw(socket: Socket, error: AppError): void {
    socket.on('error', () => socket.destroy());
    socket.write(rawAnswer(error));
    linger(socket);
  }
}
