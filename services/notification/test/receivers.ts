import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';

/** A webhook that a receiver got. */
export interface ReceivedWebhook {
  headers: http.IncomingHttpHeaders;
  body: string;
  /** The body as JSON. */
  event: { id: string; type: string; sequence: number };
  atMs: number;
}

type Answer = (response: http.ServerResponse, webhook: ReceivedWebhook) => void;

/** Answers with a status and a body. */
export const answering =
  (status: number, body = '', headers: http.OutgoingHttpHeaders = {}): Answer =>
  (response) =>
    void response.writeHead(status, headers).end(body);

/** A real HTTP server that receives webhooks, and answers as a test says. */
export class Receiver {
  readonly received: ReceivedWebhook[] = [];
  /** Most requests that were open at once. */
  mostOpen = 0;
  answer: Answer = answering(200, 'ok');
  private open = 0;

  private constructor(private readonly server: http.Server) {}

  static async start(answer?: Answer): Promise<Receiver> {
    const server = http.createServer({ keepAliveTimeout: 30_000 });
    const receiver = new Receiver(server);
    if (answer) receiver.answer = answer;
    server.on('request', (request, response) => void receiver.receive(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/webhooks`;
  }

  /** The ids of the events that it got, each once. */
  get eventIds(): Set<string> {
    return new Set(this.received.map(({ event }) => event.id));
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async receive(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    this.open++;
    this.mostOpen = Math.max(this.mostOpen, this.open);
    response.on('close', () => this.open--);
    response.on('error', () => undefined);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const webhook = { headers: request.headers, body, event: JSON.parse(body), atMs: performance.now() };
    this.received.push(webhook);
    this.answer(response, webhook);
  }
}

/** What a webhook contains, verified by two libraries; throws unless the secret has signed it. */
export function verified({ headers, body }: ReceivedWebhook, secret: string): unknown {
  const signed = {
    'webhook-id': String(headers['webhook-id']),
    'webhook-timestamp': String(headers['webhook-timestamp']),
    'webhook-signature': String(headers['webhook-signature']),
  };
  new SvixWebhook(secret).verify(body, signed);
  return new Webhook(secret).verify(body, signed);
}
