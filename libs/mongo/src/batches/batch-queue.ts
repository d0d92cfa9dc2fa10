import { AppError, type Deadline, DelayedRun } from '@swim/platform';
import { engine } from '../engine/engine.js';

const MOST_WRITES = 64;
const MOST_BYTES = 1024 * 1024;
// Far more than a batch takes, less than a request may wait.
const HELD_UP_MS = 1_000;

/** A write that may share a command with others. */
export interface BatchedWrite {
  /** Ids of its documents. */
  readonly ids: readonly string[];
  /** The write is not sent after this deadline. */
  readonly deadline: Deadline | undefined;
  /** Its size in bytes. */
  size(): number;
  reject(error: unknown): void;
}

/**
 * Gathers the writes of one turn of the event loop into a batch. One batch is in flight, and the next gathers meanwhile; a
 * batch that takes longer than a second no longer holds up the next. A batch is bounded in number, in bytes, and in the writes
 * of one document; those keep their order.
 */
export class BatchQueue<W extends BatchedWrite> {
  private waiting: W[] = [];
  private isScheduled = false;
  /** Lets the next batch be sent; undefined when none is in flight, or it has been called. */
  private proceed: (() => void) | undefined;
  private readonly patience = new DelayedRun(HELD_UP_MS, async () => this.proceed?.());

  constructor(private readonly send: (batch: W[]) => Promise<void>) {}

  add(write: W): void {
    this.waiting.push(write);
    this.schedule();
  }

  private schedule(): void {
    if (this.isScheduled || this.proceed || this.waiting.length === 0) return;
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      const batch = this.gather();
      if (batch.length > 0) void this.sendOne(batch);
    });
  }

  private async sendOne(batch: W[]): Promise<void> {
    const proceed = () => {
      if (this.proceed !== proceed) return;
      this.proceed = undefined;
      void this.patience.stop();
      this.schedule();
    };
    this.proceed = proceed;
    this.patience.request();
    try {
      await this.send(batch);
    } catch (error) {
      for (const write of batch) write.reject(error);
    } finally {
      proceed();
    }
  }

  private gather(): W[] {
    const writes = this.waiting.filter((write) => !rejectExpired(write));
    const batch: W[] = [];
    const capacity = new BatchCapacity();
    this.waiting = [];
    for (const write of writes) {
      // A single write is never measured.
      const bytes = writes.length === 1 ? 0 : sizeOf(write);
      if (batch.length === 0 || capacity.has(write.ids, bytes)) {
        capacity.take(write.ids, bytes);
        batch.push(write);
      } else {
        capacity.close(write.ids);
        this.waiting.push(write);
      }
    }
    return batch;
  }
}

/** The capacity that a batch has left. */
class BatchCapacity {
  private writes = 0;
  private bytes = 0;
  private readonly ofDocument = new Map<string, number>();

  has(ids: readonly string[], bytes: number): boolean {
    const fits = this.writes + ids.length <= MOST_WRITES && this.bytes + bytes <= MOST_BYTES;
    return fits && ids.every((id) => (this.ofDocument.get(id) ?? 0) < engine.mostOfDocument);
  }

  take(ids: readonly string[], bytes: number): void {
    this.writes += ids.length;
    this.bytes += bytes;
    for (const id of ids) this.ofDocument.set(id, (this.ofDocument.get(id) ?? 0) + 1);
  }

  /** No later write of these documents overtakes one that waits. */
  close(ids: readonly string[]): void {
    for (const id of ids) this.ofDocument.set(id, engine.mostOfDocument);
  }
}

// A write that cannot be measured fails by itself.
function sizeOf(write: BatchedWrite): number {
  try {
    return write.size();
  } catch {
    return MOST_BYTES + 1;
  }
}

function rejectExpired({ deadline, reject }: BatchedWrite): boolean {
  if (!deadline?.expired) return false;
  reject(new AppError('deadline_exceeded'));
  return true;
}

/** Writes in the order of their documents' ids, in which every process takes the locks; those of one document keep theirs. */
export const inOrder = <W>(writes: readonly W[], idOf: (write: W) => string): W[] =>
  [...writes].sort((a, b) => {
    const [first, second] = [idOf(a), idOf(b)];
    if (first === second) return 0;
    return first < second ? -1 : 1;
  });
