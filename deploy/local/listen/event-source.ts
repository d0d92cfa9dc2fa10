import { setTimeout as sleep } from 'node:timers/promises';
import { createParser, type EventSourceMessage } from 'eventsource-parser';

/** The stream has a comment every 15 s: a connection that is silent for this time is dead. */
const SILENT_AFTER_MS = 45_000;
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 30_000;
/** A retry does not change these answers. */
const FINAL_STATUSES: readonly number[] = [400, 401, 403, 404, 405];

export interface EventSourceOptions {
  /** The address with the version, without a slash at its end. */
  baseUrl: string;
  key: string;
  /** The sequence of the last known event; undefined begins after the newest. */
  lastEventId?: string | undefined;
  /** Called when a connection is open, with the sequence after which it begins. */
  onOpen?: (lastEventId: string) => void;
  /** Called when a connection has ended, with the reason and the wait before the next one. */
  onRetry?: (reason: string, waitMs: number) => void;
  /** Ends the stream. */
  signal?: AbortSignal;
}

/** The API has rejected the request for a reason that stays. */
export class Rejected extends Error {}

/**
 * Follows `GET /events/stream`, across disconnections, from the last message that the consumer has finished: the
 * next message is read after it has handled one. Throws Rejected where a retry is in vain.
 */
export async function* followEvents(options: EventSourceOptions): AsyncGenerator<EventSourceMessage> {
  const { signal, onRetry } = options;
  let { lastEventId } = options;
  let retryMs = FIRST_RETRY_MS;
  let failures = 0;
  while (!signal?.aborted) {
    let reason = 'the stream has ended';
    try {
      for await (const line of messagesOf({ ...options, lastEventId })) {
        failures = 0;
        if ('retryMs' in line) retryMs = line.retryMs;
        else if ('id' in line) lastEventId = line.id;
        else yield line.message;
      }
    } catch (error) {
      if (error instanceof Rejected) throw error;
      failures++;
      reason = reasonOf(error);
    }
    if (signal?.aborted) return;
    const waitMs = Math.min(retryMs * 2 ** Math.max(0, failures - 1), LONGEST_RETRY_MS);
    onRetry?.(reason, waitMs);
    await sleep(waitMs, undefined, signal ? { signal } : {}).catch(() => undefined);
  }
}

/** A line is a time to reconnect, a position, or a message, which follows its position. */
type Line = { retryMs: number } | { id: string } | { message: EventSourceMessage };

async function* messagesOf({ baseUrl, key, lastEventId, onOpen, signal }: EventSourceOptions): AsyncGenerator<Line> {
  const silence = new AbortController();
  const response = await fetch(`${baseUrl}/events/stream`, {
    headers: {
      authorization: `Bearer ${key}`,
      accept: 'text/event-stream',
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    },
    signal: signal ? AbortSignal.any([signal, silence.signal]) : silence.signal,
  });
  if (response.status !== 200) throw await rejectionOf(response);
  const lines: Line[] = [];
  let isOpen = false;
  const parser = createParser({
    onRetry: (retryMs) => lines.push({ retryMs }),
    onId: (id) => {
      if (!isOpen) onOpen?.(id);
      isOpen = true;
      lines.push({ id });
    },
    onEvent: (message) => lines.push({ message }),
  });
  let timer: NodeJS.Timeout | undefined;
  try {
    for await (const text of response.body!.pipeThrough(new TextDecoderStream())) {
      clearTimeout(timer);
      parser.feed(text);
      yield* lines.splice(0);
      timer = setTimeout(() => silence.abort(new Error('nothing has come for 45 seconds')), SILENT_AFTER_MS);
    }
  } finally {
    clearTimeout(timer);
    silence.abort();
  }
}

/** Returns the error for an answer other than 200. */
async function rejectionOf(response: Response): Promise<Error> {
  const text = await response.text();
  const message = messageIn(text) ?? `The API answered ${response.status}.`;
  return FINAL_STATUSES.includes(response.status) ? new Rejected(message) : new Error(message);
}

function messageIn(text: string): string | undefined {
  try {
    return (JSON.parse(text) as { error?: { message?: string } }).error?.message;
  } catch {
    return undefined;
  }
}

// fetch hides the reason in the cause.
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error & { cause?: Error & { code?: string } };
  return cause?.code ?? cause?.message ?? message;
}
