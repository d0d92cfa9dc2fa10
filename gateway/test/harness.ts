import { connect } from 'node:net';
import type { ErrorBody, Pagination } from '@swim/contracts';
import { freePort, type ServiceProcess, startNats, startProcess, type TestNats } from '@swim/testing';
import { FakeServices } from './fake-services.js';

const MAIN = new URL('../dist/main.js', import.meta.url);

/** An answer of the port. */
export interface Answered {
  status: number;
  headers: Headers;
  text: string;
  body: Envelope;
}

/** A parsed body; it has only the members of the answer, and none where it is not JSON. */
export interface Envelope {
  success: boolean;
  data: Record<string, unknown>;
  pagination: Pagination;
  error: ErrorBody;
  meta: { timestamp: string; request_id: string; dry_run?: boolean; warnings?: string[] };
}

/** A gateway in a process of its own, as in production. */
export interface GatewayProcess {
  readonly origin: string;
  readonly port: number;
  readonly healthPort: number;
  readonly output: () => string;
  readonly child: ServiceProcess;
  send(method: string, path: string, options?: SendOptions): Promise<Answered>;
  /** Sends these bytes on a connection of their own and answers all that comes until it ends. */
  bytes(text: string | Buffer, options?: { endsAfterMs?: number }): Promise<Answered>;
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** How a request is made. */
export interface SendOptions {
  key?: string | undefined;
  body?: unknown;
  raw?: string | Buffer;
  headers?: Record<string, string>;
}

/** Real NATS, fakes for the services, and as many gateways as a test starts. */
export interface GatewayHarness {
  readonly nats: TestNats;
  readonly services: FakeServices;
  gateway(env?: Record<string, string>): Promise<GatewayProcess>;
  stop(): Promise<void>;
}

const parsed = (text: string): Envelope => {
  try {
    return JSON.parse(text) as Envelope;
  } catch {
    return {} as Envelope;
  }
};

async function send(
  origin: string,
  method: string,
  path: string,
  { key, body, raw, headers = {} }: SendOptions,
): Promise<Answered> {
  const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  const response = await fetch(origin + path, {
    method,
    redirect: 'manual',
    headers: {
      ...(key ? { authorization: `Bearer ${key}` } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(sent === undefined ? {} : { body: sent as string }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: parsed(text) };
}

/** Reads the first answer in these bytes of HTTP. */
export function readAnswer(bytes: string): Answered {
  const [head = '', ...rest] = bytes.split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const headers = new Headers(
    lines.map((line): [string, string] => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const text = rest.join('\r\n\r\n').slice(0, Number(headers.get('content-length') ?? 0) || undefined);
  return { status: Number(first.split(' ')[1] ?? 0), headers, text, body: parsed(text) };
}

function sendBytes(port: number, bytes: string | Buffer, endsAfterMs: number): Promise<Answered> {
  return new Promise((resolve, reject) => {
    let got = '';
    const socket = connect({ host: '127.0.0.1', port }, () => socket.write(bytes));
    const timer = setTimeout(() => socket.destroy(), endsAfterMs);
    socket.on('data', (chunk) => (got += chunk.toString('utf8')));
    socket.on('error', reject);
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(readAnswer(got));
    });
  });
}

/** Starts `main` and resolves when it is ready; rejects with what it wrote when it ends instead. */
export async function startGatewayProcess(env: Record<string, string>, main = MAIN): Promise<GatewayProcess> {
  for (;;) {
    try {
      return await startOnce(env, main);
    } catch (error) {
      // Somebody else was given the same free port meanwhile.
      if (!(error as Error).message.includes('EADDRINUSE')) throw error;
    }
  }
}

async function startOnce(env: Record<string, string>, main: URL): Promise<GatewayProcess> {
  const port = Number(env.PORT ?? (await freePort()));
  const healthPort = Number(env.HEALTH_PORT ?? (await freePort()));
  const settings = {
    PORT: String(port),
    HOST: '127.0.0.1',
    HEALTH_PORT: String(healthPort),
    HEALTH_HOST: '127.0.0.1',
  };
  const child = await startProcess(main, { LOG_LEVEL: 'warn', ...settings, ...env }, { captures: true });
  const origin = `http://127.0.0.1:${port}`;
  return {
    origin,
    port,
    healthPort,
    child,
    output: child.output,
    send: (method, path, options = {}) => send(origin, method, path, options),
    bytes: (text, { endsAfterMs = 5_000 } = {}) => sendBytes(port, text, endsAfterMs),
    stop: (signal = 'SIGTERM') => child.kill(signal),
  };
}

/** Starts NATS and the fakes. */
export async function startHarness(): Promise<GatewayHarness> {
  const nats = await startNats();
  const services = await FakeServices.on(nats.url);
  const gateways: GatewayProcess[] = [];
  return {
    nats,
    services,
    async gateway(env = {}) {
      const gateway = await startGatewayProcess({ NATS_URL: nats.url, NATS_PASSWORD: nats.password, ...env });
      gateways.push(gateway);
      return gateway;
    },
    async stop() {
      await Promise.all(gateways.map((gateway) => gateway.stop()));
      await services.connection.close();
      await nats.stop();
    },
  };
}

/** Limits that no test means to meet. */
export const NO_LIMITS = {
  RATE_LIMIT_PER_HOUR: '1000000000',
  RATE_LIMIT_PER_MINUTE: '1000000',
  FAILED_AUTH_PER_MINUTE: '1000000',
};
