import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { metrics } from './metrics.js';

/** Checks whether one dependency of this process is usable; throws or rejects when not. */
export type ReadinessCheck = () => Promise<void>;

const CHECK_TIMEOUT_MS = 2_000;

const within = (check: ReadinessCheck): Promise<void> =>
  Promise.race([
    (async () => check())(),
    new Promise<never>((_, reject) => setTimeout(reject, CHECK_TIMEOUT_MS, new Error('no answer in time')).unref()),
  ]);

/** `/health`: the process runs and is ready (503 with the failing checks); `/live`: it runs; `/metrics`: Prometheus text. */
export class HealthServer {
  private readonly checks = new Map<string, ReadinessCheck>();
  private readonly server: Server = createServer((request, response) => void this.answer(request, response));
  private accepting = false;

  addCheck(name: string, check: ReadinessCheck): void {
    this.checks.set(name, check);
  }

  async listen(port: number, host: string): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(port, host, resolve);
    });
  }

  /** Reports ready from here on, while the checks succeed. */
  ready(): void {
    this.accepting = true;
  }

  /** Reports not ready, so that no new requests arrive while the process ends. */
  draining(): void {
    this.accepting = false;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url?.split('?')[0];
    if (path === '/metrics') {
      response.writeHead(200, { 'content-type': metrics.contentType }).end(await metrics.metrics());
      return;
    }
    if (path === '/live') return void response.writeHead(200).end();
    if (path !== '/health' && path !== '/ready') return void response.writeHead(404).end();
    const failing = await this.failing();
    const ok = this.accepting && failing.length === 0;
    response
      .writeHead(ok ? 200 : 503, { 'content-type': 'application/json' })
      .end(JSON.stringify({ status: ok ? 'ok' : 'unavailable', failing }));
  }

  /** The names of the checks that fail now. */
  async failing(): Promise<string[]> {
    const names = [...this.checks.keys()];
    const results = await Promise.allSettled([...this.checks.values()].map(within));
    return names.filter((_, index) => results[index]!.status === 'rejected');
  }
}
