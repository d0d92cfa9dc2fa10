import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { SignalWatch } from '@swim/messaging/client';
import { isServerFault } from '@swim/platform';
import { closingOf, framesOf, KEEP_ALIVE, openingOf } from './event-frames.rules.js';
import type { EventReads, StreamReader } from './event-reads.js';

/** A stream looks for events this often without a signal, which may be lost. */
const POLL_MS = 5_000;
const KEEP_ALIVE_MS = 15_000;
/** Interval at which the key of a stream is checked: the stream ends within a second after its key. */
const KEY_CHECK_MS = 400;
/** A client that takes longer to read what was written is disconnected. */
const READ_WITHIN_MS = 15_000;
const RETRY_READ_MS = 1_000;

/** The dependencies of a stream. */
export interface StreamSources {
  readonly response: ServerResponse;
  readonly reads: EventReads;
  readonly reader: StreamReader;
  /** Watches for signals of the account; calls back at each. */
  readonly watch: (listener: () => void) => SignalWatch;
  /** Throws once the key may not read the stream any more. */
  readonly checkKey: () => Promise<void>;
  /** Notes the fault of a read, which is repeated. */
  readonly noteFault: (error: unknown) => void;
  /** Events after this sequence are sent. */
  readonly position: number;
}

/**
 * Sends the events of an account to one client, oldest first. No more than one page is in memory: the next one is read after
 * the client has read the one before.
 */
export class EventStream {
  private readonly ended = new AbortController();
  private position: number;
  private hasSignal = false;
  private wake: () => void = () => undefined;

  constructor(private readonly sources: StreamSources) {
    this.position = sources.position;
    sources.response.once('close', () => this.ended.abort());
    // Not AbortSignal.any for each pause: its signals add up on the one that lasts as long as the stream.
    this.ended.signal.addEventListener('abort', () => this.wake(), { once: true });
    // The client may have disconnected before the stream was made.
    if (sources.response.destroyed) this.ended.abort();
  }

  /** Sends events until the client disconnects, the key ends, or `end` or `close` is called. */
  async run(): Promise<void> {
    const { response, watch } = this.sources;
    const signals = watch(() => this.signal());
    const timers = [
      setInterval(() => this.keepAlive(), KEEP_ALIVE_MS),
      setInterval(() => void this.checkKey(), KEY_CHECK_MS),
    ];
    try {
      response.write(openingOf(this.position));
      while (!this.ended.signal.aborted) await this.step(signals);
    } finally {
      for (const timer of timers) clearInterval(timer);
      signals.close();
      // Bytes that the client does not read would keep the connection open.
      if (response.writableNeedDrain) response.destroy();
      else response.end();
    }
  }

  /** Ends the stream: its key has ended. */
  close(): void {
    this.ended.abort();
  }

  /** Ends the stream; the client reconnects within seconds. */
  end(): void {
    const { response } = this.sources;
    if (!this.ended.signal.aborted && !response.writableNeedDrain) response.write(closingOf(Math.random()));
    this.ended.abort();
  }

  private async step(signals: SignalWatch): Promise<void> {
    this.hasSignal = false;
    const page = await this.read(signals);
    if (this.ended.signal.aborted) return;
    if (page && page.events.length > 0) {
      const frames = framesOf(page.events, this.position);
      this.position = page.events.at(-1)!.sequence;
      await this.write(frames);
    }
    if (!page?.hasMore) await this.pause(page ? POLL_MS : RETRY_READ_MS);
  }

  // Whatever the failure of a read, the next one may succeed; the client has lost nothing.
  private async read(signals: SignalWatch): Promise<Awaited<ReturnType<EventReads['after']>> | null> {
    const { reads, reader, noteFault } = this.sources;
    return reads.after(this.position, reader, signals).catch((error: unknown) => {
      if (!isServerFault(error)) throw error;
      noteFault(error);
      return null;
    });
  }

  private async write(frames: string): Promise<void> {
    const { response } = this.sources;
    if (response.write(frames)) return;
    const read = once(response, 'drain', { signal: this.ended.signal });
    const timer = setTimeout(() => this.ended.abort(), READ_WITHIN_MS);
    await read.catch(() => undefined);
    clearTimeout(timer);
  }

  private async pause(ms: number): Promise<void> {
    if (this.hasSignal || this.ended.signal.aborted) return;
    const woken = new AbortController();
    this.wake = () => woken.abort();
    await delay(ms, undefined, { signal: woken.signal }).catch(() => undefined);
  }

  private signal(): void {
    this.hasSignal = true;
    this.wake();
  }

  private keepAlive(): void {
    const { response } = this.sources;
    if (!response.writableNeedDrain) response.write(KEEP_ALIVE);
  }

  private async checkKey(): Promise<void> {
    await this.sources.checkKey().catch(() => this.close());
  }
}
