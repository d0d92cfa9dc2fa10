import type { IncomingMessage } from 'node:http';
import type { EventSignals } from '@swim/messaging/client';
import { AppError, BUDGET_MS, Deadline, gauge, makeRequestContext, type RequestContext } from '@swim/platform';
import type { Exchange } from '../exchange.js';
import { authorize } from '../operations/operation-answer.js';
import { unknownField } from '../operations/operation-input.js';
import { readQuery } from '../requests/request-target.js';
import type { Endpoint } from '../router.js';
import { closingOf } from './event-frames.rules.js';
import type { EventReads } from './event-reads.js';
import { EventStream } from './event-stream.js';
import type { StreamLeases } from './stream-leases.js';

/** Open streams of events of this gateway. */
const eventStreams = gauge({ name: 'swim_event_streams', help: 'Streams of events that are open' });

const POSITION = /^(?:0|[1-9]\d{0,14})$/;

/** The sequence in `Last-Event-ID`; undefined without the header. Throws `invalid_format`. */
function readLastEventId({ headers }: Pick<IncomingMessage, 'headers'>): number | undefined {
  const sent = headers['last-event-id'];
  if (sent === undefined) return undefined;
  if (POSITION.test(String(sent))) return Number(sent);
  throw new AppError('invalid_format', {
    field: 'Last-Event-ID',
    bounds: { minimum: 0, expected: 'the sequence of an event, or 0 for all events that are kept' },
  });
}

/** The open streams of this gateway. */
export class EventStreams {
  private readonly open = new Set<EventStream>();
  /** The requests for streams that have a place or are about to get one. */
  private readonly answering = new Set<Promise<void>>();
  private isStopping = false;

  constructor(
    private readonly leases: StreamLeases,
    private readonly reads: EventReads,
    private readonly signals: EventSignals,
  ) {}

  /** Answers `GET /events/stream`; resolves when the stream has ended. Rejects with the error to answer before it begins. */
  async answer(exchange: Exchange, endpoint: Endpoint, values: readonly string[]): Promise<void> {
    authorize(endpoint, values, exchange.principal!);
    for (const name of readQuery(exchange.target.query).keys()) throw unknownField(name);
    const lastEventId = readLastEventId(exchange.request);
    if (exchange.request.method === 'HEAD') return exchange.serveEvents((response) => void response.end());
    if (this.isStopping) return turnAway(exchange);
    const answered = this.lease(exchange, lastEventId, (position, lost) =>
      this.isStopping ? turnAway(exchange) : this.serve(exchange, endpoint, position, lost),
    );
    this.answering.add(answered);
    await answered.finally(() => this.answering.delete(answered));
  }

  /** Ends all streams; resolves when their places are released. */
  async stop(): Promise<void> {
    this.isStopping = true;
    for (const stream of this.open) stream.end();
    await Promise.allSettled(this.answering);
    this.leases.stop();
  }

  private async lease(
    exchange: Exchange,
    lastEventId: number | undefined,
    use: (position: number, lost: AbortSignal) => Promise<void>,
  ): Promise<void> {
    const lost = new AbortController();
    const { lease, position } = await this.leases.open(lastEventId, contextOf(exchange), () => lost.abort());
    try {
      await use(position, lost.signal);
    } finally {
      await this.leases.close(lease);
    }
  }

  private serve(exchange: Exchange, endpoint: Endpoint, position: number, lost: AbortSignal): Promise<void> {
    const principal = exchange.principal!;
    return exchange.serveEvents(async (response) => {
      const stream = new EventStream({
        response,
        position,
        reads: this.reads,
        reader: { principal, requestId: exchange.requestId },
        watch: (listener) => this.signals.watch(principal.env, principal.accountId, listener),
        noteFault: (error) => exchange.dependencies.log.failed(exchange.requestId, error),
        checkKey: async () => authorize(endpoint, [], await exchange.reauthenticate()),
      });
      lost.addEventListener('abort', () => stream.end(), { once: true });
      this.open.add(stream);
      eventStreams.set(this.open.size);
      await stream.run().finally(() => {
        this.open.delete(stream);
        eventStreams.set(this.open.size);
      });
    });
  }
}

/** Answers with the end of a stream: the client comes back to another gateway, or to the next process. */
const turnAway = (exchange: Exchange): Promise<void> =>
  exchange.serveEvents((response) => void response.end(closingOf(Math.random())));

const contextOf = ({ principal, requestId, network, traceparent }: Exchange): RequestContext =>
  makeRequestContext({
    requestId,
    principal: principal!,
    network,
    traceparent,
    deadline: new Deadline(BUDGET_MS.write),
  });
