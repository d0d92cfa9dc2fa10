import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

interface KeyValue {
  key: string;
  value: Record<string, unknown>;
}

/** A span, as OTLP/JSON contains it. */
interface SentSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: KeyValue[];
  status: { code?: number };
}

interface SentSpans {
  resourceSpans: { resource: { attributes: KeyValue[] }; scopeSpans: { spans: SentSpan[] }[] }[];
}

export interface ReceivedSpan extends Omit<SentSpan, 'attributes'> {
  /** The process that recorded it. */
  service: unknown;
  attributes: Record<string, unknown>;
}

const valuesOf = (attributes: KeyValue[]): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

/** A collector of traces (OTLP over HTTP, JSON) that keeps what it receives. */
export class SpanReceiver {
  readonly spans: ReceivedSpan[] = [];
  /** The headers of the latest request. */
  headers: http.IncomingHttpHeaders = {};

  private constructor(private readonly server: http.Server) {}

  static async start(): Promise<SpanReceiver> {
    const receiver = new SpanReceiver(http.createServer((request, response) => void receiver.take(request, response)));
    receiver.server.listen(0, '127.0.0.1');
    await once(receiver.server, 'listening');
    return receiver;
  }

  /** The value of OTEL_EXPORTER_OTLP_ENDPOINT. */
  get endpoint(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  ofTrace(traceId: string): ReceivedSpan[] {
    return this.spans.filter((span) => span.traceId === traceId);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async take(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    this.headers = request.headers;
    const isTraces = request.method === 'POST' && request.url === '/v1/traces';
    const { resourceSpans = [] } = isTraces ? ((await json(request)) as SentSpans) : {};
    for (const { resource, scopeSpans } of resourceSpans) {
      const { 'service.name': service } = valuesOf(resource.attributes);
      for (const span of scopeSpans.flatMap(({ spans }) => spans))
        this.spans.push({ ...span, service, attributes: valuesOf(span.attributes) });
    }
    response.writeHead(isTraces ? 200 : 404, { 'content-type': 'application/json' }).end('{}');
  }
}
