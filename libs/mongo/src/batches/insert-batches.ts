import type { Deadline } from '@swim/platform';
import type { Model } from 'mongoose';
import { isDuplicate } from '../commands/conditional-writes.js';
import { bsonSize, executeAll } from '../commands/write-command.js';
import { retriedAlone, wasNotSent } from '../engine/write-errors.js';
import { type BatchedWrite, BatchQueue, inOrder } from './batch-queue.js';

interface InsertRequest<D> extends BatchedWrite {
  readonly documents: readonly D[];
  resolve(isStored: boolean): void;
}

/**
 * Inserts of one collection. Those of one turn of the event loop share a command, whose errors have an index: each request
 * gets its own.
 */
export class InsertBatches<D extends { _id: string }> {
  private readonly queue = new BatchQueue<InsertRequest<D>>((batch) => this.send(batch));

  constructor(private readonly model: Model<D>) {}

  /**
   * Stores the documents of one request, each by itself; false when one of them exists, or has a unique value that is taken.
   */
  insert(documents: readonly D[], deadline: Deadline | undefined): Promise<boolean> {
    if (documents.length === 0) return Promise.resolve(true);
    const { promise, resolve, reject } = Promise.withResolvers<boolean>();
    const ids = documents.map(({ _id }) => _id);
    this.queue.add({ ids, documents, deadline, size: () => bsonSize(documents), resolve, reject });
    return promise;
  }

  private async send(batch: InsertRequest<D>[]): Promise<void> {
    const all = batch.flatMap((request) => request.documents);
    const documents = inOrder(all, ({ _id }) => _id);
    try {
      const errors = await this.store(documents, batch.length > 1);
      for (const request of batch) settle(request, errors);
    } catch (error) {
      if (batch.length === 1 || !wasNotSent(error, documents)) throw error;
      await Promise.all(batch.map((each) => this.send([each]).catch(each.reject)));
    }
  }

  /** Stores documents; returns the errors of those that failed. */
  private async store(documents: D[], areMeasured: boolean): Promise<Map<D, Error>> {
    const { errors } = await executeAll(this.model, 'insert', documents, { areMeasured });
    const failed = new Map<D, Error>();
    for (const [index, each] of errors) {
      const document = documents[index]!;
      const outcome = await retriedAlone(each, () => this.model.collection.insertOne(document as never));
      if (outcome instanceof Error) failed.set(document, outcome);
    }
    return failed;
  }
}

function settle<D>(request: InsertRequest<D>, errors: ReadonlyMap<D, Error>): void {
  const own = request.documents.map((document) => errors.get(document)).filter((error) => error !== undefined);
  const fault = own.find((error) => !isDuplicate(error));
  if (fault) request.reject(fault);
  else request.resolve(own.length === 0);
}
