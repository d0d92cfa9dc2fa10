import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** The behaviour of a receiver towards webhooks. */
export type Behaviour = 'answers' | 'hangs' | 'fails';

/** The endpoint that received a webhook, the id of the event's object, and the time by `performance.now()`. */
export interface Receipt {
  endpoint: string;
  objectId: string;
  atMs: number;
}

/** One local server has a path for each endpoint. */
export class Receivers {
  readonly receipts: Receipt[] = [];
  readonly #behaviours = new Map<string, Behaviour>();
  readonly #server = http.createServer({ keepAliveTimeout: 30_000 });

  static async start(): Promise<Receivers> {
    const receivers = new Receivers();
    receivers.#server.on('request', (request, response) => void receivers.#receive(request, response));
    await new Promise<void>((resolve) => receivers.#server.listen(0, '127.0.0.1', resolve));
    return receivers;
  }

  urlOf(endpoint: string): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/${endpoint}`;
  }

  behave(endpoint: string, behaviour: Behaviour) {
    this.#behaviours.set(endpoint, behaviour);
  }

  async stop() {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  async #receive(request: http.IncomingMessage, response: http.ServerResponse) {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer);
    } catch {
      // The service has ended the attempt, or is stopping.
      return;
    }
    const endpoint = request.url!.slice(1);
    const { data } = JSON.parse(Buffer.concat(chunks).toString()) as { data: { object: { id: string } } };
    this.receipts.push({ endpoint, objectId: data.object.id, atMs: performance.now() });
    const behaviour = this.#behaviours.get(endpoint) ?? 'answers';
    if (behaviour !== 'hangs') response.writeHead(behaviour === 'fails' ? 500 : 200).end('ok');
  }
}
