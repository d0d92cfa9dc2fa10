import type { IncomingMessage } from 'node:http';
import type { Span, Tracer } from '@swim/platform';
import { readTraceparent } from '../requests/request-head.js';

/** The span of a client's request. It has the route, never the path. */
export class RequestSpan {
  private readonly span: Span;

  /** @param route - the pattern of the route; null where none matches. */
  constructor(tracer: Tracer, request: IncomingMessage, route: string | null) {
    const method = request.method!;
    this.span = tracer.begin({
      kind: 'server',
      name: route === null ? method : `${method} ${route}`,
      attributes: { 'http.request.method': method, ...(route === null ? {} : { 'http.route': route }) },
      parent: readTraceparent(request),
    });
  }

  get traceparent(): string {
    return this.span.traceparent;
  }

  /** @param reason - that of the error which was answered; null without one. */
  answered(status: number, reason: string | null): void {
    const isFault = status >= 500;
    const error = isFault ? { 'error.type': reason ?? String(status) } : {};
    this.span.end({ attributes: { 'http.response.status_code': status, ...error }, isFault });
  }

  /** Ends the span of a request whose client has gone. */
  abandoned(): void {
    this.span.end({ attributes: { 'error.type': 'client_gone' } });
  }
}
