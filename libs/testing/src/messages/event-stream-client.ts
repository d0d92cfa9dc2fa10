import type { AccountEvent } from '@swim/contracts';
import { type EventSourceMessage, EventSourceParserStream } from 'eventsource-parser/stream';
import { until } from '../waiting/until.js';

/** What a client of `GET /events/stream` has received so far. */
export class EventStreamClient {
  /** The messages, each with the fields `id`, `event` and `data` of the stream. */
  readonly messages: EventSourceMessage[] = [];
  readonly comments: string[] = [];
  /** The values of `retry`, in ms. */
  readonly retries: number[] = [];
  /** The last id, with which a client resumes. */
  lastEventId = '';
  hasEnded = false;

  private constructor(
    readonly response: Response,
    private readonly connection: AbortController,
  ) {}

  /** Opens a stream at an address without the path. `lastEventId` is sent as it is. Throws unless the stream begins. */
  static async open(origin: string, key: string, lastEventId?: number | string): Promise<EventStreamClient> {
    const connection = new AbortController();
    const response = await fetch(`${origin}/v1/events/stream`, {
      headers: {
        authorization: `Bearer ${key}`,
        ...(lastEventId === undefined ? {} : { 'last-event-id': String(lastEventId) }),
      },
      signal: connection.signal,
    });
    if (response.status !== 200) throw new Error(`The stream is answered ${response.status}: ${await response.text()}`);
    const client = new EventStreamClient(response, connection);
    void client.receive();
    await until(() => client.lastEventId !== '', 'the stream begins');
    return client;
  }

  /** The events, without other messages. */
  get events(): AccountEvent[] {
    return this.messages.filter(({ event }) => event === undefined).map(({ data }) => JSON.parse(data) as AccountEvent);
  }

  /** Resolves with the events once there are `count`. */
  received(count: number): Promise<AccountEvent[]> {
    return until(() => (this.events.length >= count ? this.events : null), `${count} events are received`);
  }

  /** Resolves when the stream has ended. */
  async ended(): Promise<void> {
    await until(() => this.hasEnded, 'the stream ends');
  }

  /** Disconnects. */
  close(): void {
    this.connection.abort();
  }

  private async receive(): Promise<void> {
    const messages = this.response.body!.pipeThrough(new TextDecoderStream()).pipeThrough(
      new EventSourceParserStream({
        onId: (id) => {
          this.lastEventId = id;
        },
        onRetry: (ms) => this.retries.push(ms),
        onComment: (comment) => this.comments.push(comment),
      }),
    );
    try {
      for await (const message of messages) this.messages.push(message);
    } catch {
      // Disconnected, by either side.
    } finally {
      this.hasEnded = true;
    }
  }
}
