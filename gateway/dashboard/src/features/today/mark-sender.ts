import { batchOf, type Mark, withMarks, withoutMarks } from './marks.ts';

/** The outcome of a mark, as the API answers it. */
export interface MarkAnswer {
  readonly session_id: string;
  readonly status: 'recorded' | 'unchanged' | 'rejected';
  readonly reason?: string | undefined;
}

export interface SenderOptions {
  /** Where the marks are kept until they are sent: a page that is closed, or a device without power, loses none. */
  readonly storageKey: string;
  /** Sends marks that were noted together; without `recordedAt` the API's own clock says when. */
  readonly send: (marks: readonly Mark[], recordedAt: string | undefined) => Promise<readonly MarkAnswer[]>;
  /** The reason of an error that would come again; null where the same request may succeed later. */
  readonly rejectionOf: (error: unknown) => string | null;
  readonly onAnswer: (marks: readonly Mark[], answers: readonly MarkAnswer[]) => void;
}

export interface SenderState {
  /** Not sent yet, the first noted first. */
  readonly marks: readonly Mark[];
  /** Why the last try failed. */
  readonly error: unknown;
  /** Why marks were not recorded, by the ids of their sessions. */
  readonly rejected: ReadonlyMap<string, string>;
}

/** A tap too many is mended before anything follows from it. */
const SETTLE_MS = 1_500;
const FIRST_RETRY_MS = 2_000;
const LAST_RETRY_MS = 60_000;
/** Sends marks in the order in which they were noted, until each has an answer. */
export class MarkSender {
  #state: SenderState;
  #listeners = new Set<() => void>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isSending = false;
  #isOn = false;
  #retryMs = FIRST_RETRY_MS;

  constructor(private readonly options: SenderOptions) {
    this.#state = { marks: this.#read(), error: null, rejected: new Map() };
  }

  readonly getState = (): SenderState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Notes marks; they are sent once nothing was noted for a moment. */
  add(marks: readonly Mark[]): void {
    const rejected = new Map(this.#state.rejected);
    for (const { sessionId } of marks) rejected.delete(sessionId);
    this.#set({ marks: withMarks(this.#state.marks, marks), rejected });
    this.#sendIn(SETTLE_MS);
  }

  /** Sends all marks now. */
  readonly flush = async (): Promise<void> => {
    clearTimeout(this.#timer);
    if (this.#isSending) return;
    this.#isSending = true;
    try {
      while (this.#state.marks.length > 0) await this.#sendNext();
      this.#retryMs = FIRST_RETRY_MS;
      this.#set({ error: null });
    } catch (error) {
      this.#set({ error });
      this.#sendIn(this.#retryMs);
      this.#retryMs = Math.min(2 * this.#retryMs, LAST_RETRY_MS);
    } finally {
      this.#isSending = false;
    }
  };

  /** Sends what is left of before, and from now on again what fails. */
  start(): void {
    this.#isOn = true;
    void this.flush();
  }

  /** Sends once what is left, and then nothing more: another user may sign in. What fails is kept. */
  stop(): void {
    this.#isOn = false;
    void this.flush();
  }

  async #sendNext(): Promise<void> {
    const batch = batchOf(this.#state.marks);
    try {
      this.#settle(batch, await this.#sendOnce(batch));
    } catch (error) {
      const reason = this.options.rejectionOf(error);
      if (reason === null) throw error;
      this.#settle(
        batch,
        batch.map(({ sessionId }) => ({ session_id: sessionId, status: 'rejected', reason })),
      );
    }
  }

  async #sendOnce(batch: readonly Mark[]): Promise<readonly MarkAnswer[]> {
    try {
      return await this.options.send(batch, batch[0]!.recordedAt);
    } catch (error) {
      // The clock of the device is ahead.
      if (this.options.rejectionOf(error) === 'out_of_range') return this.options.send(batch, undefined);
      throw error;
    }
  }

  #settle(batch: readonly Mark[], answers: readonly MarkAnswer[]): void {
    const rejected = new Map(this.#state.rejected);
    for (const { session_id: id, status, reason = 'invalid_state' } of answers)
      if (status === 'rejected' || reason === 'recorded_later') rejected.set(id, reason);
    this.options.onAnswer(batch, answers);
    this.#set({ marks: withoutMarks(this.#state.marks, batch), rejected, error: null });
  }

  #sendIn(ms: number): void {
    clearTimeout(this.#timer);
    if (this.#isOn) this.#timer = setTimeout(this.flush, ms);
  }

  #set(changes: Partial<SenderState>): void {
    this.#state = { ...this.#state, ...changes };
    this.#write();
    for (const listener of this.#listeners) listener();
  }

  #read(): readonly Mark[] {
    try {
      return JSON.parse(localStorage.getItem(this.options.storageKey) ?? '[]') as readonly Mark[];
    } catch {
      return [];
    }
  }

  #write(): void {
    try {
      localStorage.setItem(this.options.storageKey, JSON.stringify(this.#state.marks));
    } catch {
      // A full store keeps none: they are still sent while the page is open.
    }
  }
}
