import { ApiError, ConnectionError, SwimError, UnexpectedAnswerError } from './errors.js';
import { openEventStream } from './event-stream.js';
import type { AccountEvent } from './generated/models.js';
import { Events } from './generated/resources.js';
import { pauseMs, wait } from './retry.js';

/** How events are received. */
export interface ListenOptions {
  /** Begins after the event with this sequence; 0: with the oldest that is kept. By default only new events are received. */
  readonly after?: number | undefined;
  /** Only events of these types; all by default. */
  readonly types?: readonly AccountEvent['type'][] | undefined;
  /** Ends the iteration with an error. */
  readonly signal?: AbortSignal | undefined;
  /** `stream`, by default, becomes `poll` where the API, or a proxy before it, has no stream. */
  readonly mode?: 'stream' | 'poll' | undefined;
  /** Milliseconds between two polls; 10,000 by default. Each poll is a request of the limit. */
  readonly pollIntervalMs?: number | undefined;
}

/** Events after `after` are no longer kept: read the objects themselves, then listen without `after`. */
export class EventsTruncatedError extends SwimError {
  override readonly name = 'EventsTruncatedError';

  constructor(
    /** Sequence of the last event that was received. */
    readonly after: number,
  ) {
    super(`Events that followed the sequence ${after} are no longer kept.`);
  }
}

type Received = AsyncGenerator<AccountEvent, void, undefined>;

const DEFAULT_POLL_MS = 10_000;
const POLL_PAGE = 100;

/** Whether a try to connect may succeed later. */
function isPassing(error: unknown): boolean {
  if (error instanceof ApiError || error instanceof UnexpectedAnswerError)
    return error.status >= 500 || error.status === 429;
  return error instanceof ConnectionError;
}

/** Whether the API, or a proxy before it, has no stream. */
const hasNoStream = (error: unknown): boolean =>
  (error instanceof ApiError || error instanceof UnexpectedAnswerError) && [404, 405, 406].includes(error.status);

const retryAfterOf = (error: unknown): number | null => (error instanceof ApiError ? error.retryAfterSeconds : null);

/** Where a listener is: the sequence of the last event that it has received. */
interface Position {
  after: number;
}

/** `client.events`, to which a client can also listen. */
export class EventFeed extends Events {
  /**
   * The account's events in order, as they happen, each once. Reconnects by itself, after the last event that it received;
   * leave the loop to stop. Store the `sequence` of what you have handled, and resume with it as `after`. Throws an ApiError
   * that a retry cannot mend, and EventsTruncatedError.
   */
  async *listen(options: ListenOptions = {}): Received {
    const position = { after: options.after ?? (await this.#newest(options.signal)) };
    for await (const event of this.#received(position, options)) {
      if (event.sequence <= position.after) continue;
      position.after = event.sequence;
      if (!options.types || options.types.includes(event.type)) yield event;
    }
  }

  async #newest(signal: AbortSignal | undefined): Promise<number> {
    const { data } = await this.list({ limit: 1 }, { signal });
    return data[0]?.sequence ?? 0;
  }

  async *#received(position: Position, options: ListenOptions): Received {
    if (options.mode !== 'poll') {
      try {
        yield* this.#streamed(position, options.signal);
      } catch (error) {
        if (!hasNoStream(error)) throw error;
      }
    }
    yield* this.#polled(position, options);
  }

  /** Events of one connection after the other. */
  async *#streamed(position: Position, signal: AbortSignal | undefined): Received {
    for (let failures = 0; ; failures++) {
      let pause = pauseMs(failures, null, Math.random());
      try {
        for await (const { messages, retryMs } of openEventStream(this.api.transport, position.after, signal)) {
          failures = 0;
          pause = retryMs ?? pause;
          for (const { event, data } of messages) {
            if (event === 'truncated') throw new EventsTruncatedError(position.after);
            yield JSON.parse(data) as AccountEvent;
          }
        }
      } catch (error) {
        if (signal?.aborted || !isPassing(error)) throw error;
        pause = Math.max(pause, (retryAfterOf(error) ?? 0) * 1_000);
      }
      await wait(pause, signal);
    }
  }

  async *#polled(position: Position, { signal, pollIntervalMs = DEFAULT_POLL_MS }: ListenOptions): Received {
    for (;;) {
      const { after } = position;
      const { data, pagination } = await this.list({ after_sequence: after, limit: POLL_PAGE }, { signal });
      const isTruncated = after > 0 && data[0] !== undefined && data[0].sequence > after + 1;
      if (isTruncated) throw new EventsTruncatedError(after);
      yield* data;
      if (!pagination.has_more) await wait(pollIntervalMs, signal);
    }
  }
}
