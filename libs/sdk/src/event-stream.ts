import { ConnectionError } from './errors.js';
import { FrameReader, type Frames } from './event-frames.js';
import { readAnswer, type Transport } from './transport.js';

/** The API sends a comment every 15 seconds: after this silence the connection is lost. */
const SILENCE_MS = 45_000;

const lost = (cause?: unknown): ConnectionError => new ConnectionError('The stream of events broke off.', { cause });

/** Aborts when nothing has come for SILENCE_MS since the last `heard`. */
class Watch {
  readonly #controller = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  heard(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#controller.abort(lost()), SILENCE_MS);
  }

  /** Ends the connection too, where it is still open. */
  end(): void {
    clearTimeout(this.#timer);
    this.#controller.abort();
  }
}

/**
 * One connection to the stream of events, from after a sequence. Ends when the API ends it; throws an ApiError where the API
 * rejects it, and a ConnectionError when it is lost.
 */
export async function* openEventStream(
  transport: Transport,
  after: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<Frames, void, undefined> {
  const watch = new Watch();
  watch.heard();
  try {
    const headers = { accept: 'text/event-stream', 'last-event-id': String(after) };
    const request = { method: 'GET', target: '/events/stream', headers, signal, isRepeatable: true };
    const response = await transport.open(request, watch.signal);
    if (!response.ok || response.body === null) return void readAnswer(response, await response.text());
    yield* framesOf(response.body, watch);
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    throw watch.signal.aborted ? lost(error) : error;
  } finally {
    watch.end();
  }
}

async function* framesOf(body: ReadableStream<Uint8Array>, watch: Watch): AsyncGenerator<Frames, void, undefined> {
  const decoder = new TextDecoder();
  const frames = new FrameReader();
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read().catch((error) => {
      throw lost(error);
    });
    if (done) return;
    watch.heard();
    yield frames.take(decoder.decode(value, { stream: true }));
  }
}
