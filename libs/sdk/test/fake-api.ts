import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Swim } from '../src/index.js';
import type { ClientOptions } from '../src/transport.js';

/** A request as it arrived. */
export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly atMs: number;
}

/** Answers one request; the last one of a script answers all that follow. */
export type Step = (response: ServerResponse, received: Received) => void;

const META = { timestamp: '2027-03-01T16:00:00.000Z', request_id: 'req_1' };

const json = (status: number, body: object, headers: Record<string, string> = {}): Step => {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };
};

/** A success with this `data`. */
export const data = (value: unknown, more: object = {}): Step =>
  json(200, { success: true, data: value, meta: META, ...more });
/** An error of the API. */
export const failure = (
  status: number,
  code: string,
  details: { reason: string },
  headers: Record<string, string> = {},
): Step => json(status, { success: false, error: { code, message: 'No.', details }, meta: META }, headers);
/** Closes the connection without an answer. */
export const hangUp: Step = (response) => void response.destroy();
/** Never answers. */
export const silence: Step = () => undefined;

/** A server on a real port that answers as its script says. */
export class FakeApi {
  readonly received: Received[] = [];
  private steps: Step[] = [];
  private readonly server = createServer((request, response) => void this.take(request, response));

  /** The answers to the next requests. */
  script(...steps: Step[]): this {
    this.received.length = 0;
    this.steps = steps;
    return this;
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** A client of this server. */
  client(options: Partial<ClientOptions> = {}): Swim {
    const { port } = this.server.address() as AddressInfo;
    return new Swim({ apiKey: 'swl_test_x', baseUrl: `http://127.0.0.1:${port}/v1/`, ...options });
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const atMs = performance.now();
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = '', url = '', headers } = request;
    const received = { method, url, headers, body: Buffer.concat(chunks).toString(), atMs };
    this.received.push(received);
    const step = this.steps.length > 1 ? this.steps.shift() : this.steps[0];
    step?.(response, received);
  }
}
