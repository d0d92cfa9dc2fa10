import type { Model, Query } from 'mongoose';
import { type BatchedWrite, BatchQueue, inOrder, sizeBound } from '../commands/batch-queue.js';
import { executeAll } from '../commands/write-command.js';
import { retriedAlone, wasNotSent } from '../commands/write-errors.js';
import { castFilterOf } from '../guard/tenant-guard.js';

/** The filter of a removal, cast by the schema and checked by the tenant guard; it names the document's id. */
type RemovalFilter = Record<string, unknown> & { _id: string };

interface RemovalRequest extends BatchedWrite {
  readonly filter: RemovalFilter;
  resolve(): void;
}

/**
 * Conditional removals of one collection, each of one document by its id, whose outcome nobody needs: the command's answer does not
 * tell it. Those of one turn of the event loop share a command.
 */
export class RemovalBatches<D> {
  private readonly queue = new BatchQueue<RemovalRequest>((batch) => this.send(batch));

  constructor(private readonly model: Model<D>) {}

  /**
   * Removes the document if it matches the filter.
   * @param guard - names the system's reason where the filter names no reader.
   */
  remove(filter: object, guard: object): Promise<void> {
    const query = this.model.deleteMany(filter as never, guard) as unknown as Query<unknown, unknown>;
    const cast = castFilterOf(query) as RemovalFilter;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.queue.add({
      ids: [cast._id],
      filter: cast,
      deadline: undefined,
      size: () => sizeBound(cast),
      resolve,
      reject,
    });
    return promise;
  }

  private async send(batch: RemovalRequest[]): Promise<void> {
    const requests = inOrder(batch, ({ filter }) => filter._id);
    try {
      if (requests.length === 1) return await this.alone(requests[0]!);
      const errors = await this.command(requests.map(({ filter }) => filter));
      await Promise.all(requests.map((request, index) => this.settle(request, errors.get(index))));
    } catch (error) {
      if (batch.length === 1 || !wasNotSent(error, requests)) throw error;
      await Promise.all(batch.map((each) => this.send([each]).catch(each.reject)));
    }
  }

  private async alone({ filter, resolve }: RemovalRequest): Promise<void> {
    await this.one(filter);
    resolve();
  }

  private async settle(request: RemovalRequest, error: Error | undefined): Promise<void> {
    const outcome = error && (await retriedAlone(error, () => this.one(request.filter)));
    if (outcome instanceof Error) request.reject(outcome);
    else request.resolve();
  }

  /** Removes documents; returns the errors of those that could not be removed, by index. */
  private async command(filters: RemovalFilter[]): Promise<ReadonlyMap<number, Error>> {
    const groups = [...Map.groupBy(filters.keys(), (index) => conditionOf(filters[index]!)).values()];
    const statements = groups.map((indexes) => removalOf(indexes.map((index) => filters[index]!)));
    const { errors } = await executeAll(this.model, 'delete', statements, { areMeasured: true });
    return new Map([...errors].flatMap(([group, each]) => groups[group]!.map((index) => [index, each] as const)));
  }

  private async one(filter: RemovalFilter): Promise<void> {
    await this.model.collection.deleteMany(filter as object);
  }
}

/** The same for filters that differ by their id only: the schema has cast their values. */
const conditionOf = ({ _id, ...condition }: RemovalFilter): string => JSON.stringify(condition);

/**
 * One statement for documents under the same condition takes the database a quarter of the time of one for each. It has no limit, see
 * `Repository.remove`.
 */
function removalOf(alike: readonly RemovalFilter[]): { q: object; limit: 0 } {
  const [first, ...others] = alike;
  const _id = others.length === 0 ? first!._id : { $in: alike.map((each) => each._id) };
  return { q: { ...first, _id }, limit: 0 };
}
