import type { Deadline } from '@swim/platform';
import type { Model } from 'mongoose';
import { idOf, isEmpty, type UpdateStatement } from '../commands/update-statements.js';
import { bsonSize, executeAll } from '../commands/write-command.js';
import { engine } from '../engine/engine.js';
import { UnknownOutcomeError } from '../engine/storage-fault.js';
import { retriedAlone, wasNotSent } from '../engine/write-errors.js';
import { type BatchedWrite, BatchQueue, inOrder } from './batch-queue.js';

/** Whether a statement was applied; an error when it failed, or when that is unknown. */
type Outcome = boolean | Error;

interface UpdateRequest extends BatchedWrite {
  readonly statements: readonly UpdateStatement[];
  resolve(applied: number): void;
}

/** Conditional updates of one collection, each of one document. Those of one turn of the event loop share a command. */
export class UpdateBatches<D> {
  private readonly queue = new BatchQueue<UpdateRequest>((batch) => this.send(batch));

  constructor(private readonly model: Model<D>) {}

  /**
   * Applies the statements of one request, each by itself; returns how many were applied. Throws when one failed, or when its
   * outcome is unknown.
   */
  apply(statements: readonly UpdateStatement[], deadline: Deadline | undefined): Promise<number> {
    if (!statements.every(engine.canShare)) return this.applyAlone(statements);
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const size = () => bsonSize(statements);
    this.queue.add({ ids: statements.map((each) => idOf(each)!), statements, deadline, size, resolve, reject });
    return promise;
  }

  private async send(batch: UpdateRequest[]): Promise<void> {
    if (batch.length === 1) return batch[0]!.resolve(await this.applyAlone(batch[0]!.statements));
    const statements = inOrderOfIds(batch.flatMap((request) => request.statements));
    try {
      const outcomes = await this.together(statements);
      const byStatement = new Map(statements.map((statement, index) => [statement, outcomes[index]!]));
      for (const request of batch) settle(request, byStatement);
    } catch (error) {
      if (!wasNotSent(error, statements)) throw error;
      await Promise.all(batch.map((each) => this.applyAlone(each.statements).then(each.resolve, each.reject)));
    }
  }

  // Returns how many updates were applied, which is all that the request needs.
  private async applyAlone(statements: readonly UpdateStatement[]): Promise<number> {
    if (statements.length === 1) return (await this.applyOne(statements[0]!)) ? 1 : 0;
    const sorted = inOrderOfIds(statements);
    const commands = sorted.map(({ filter, update }) => ({ q: filter, u: update }));
    const { matched, errors } = await executeAll(this.model, 'update', commands);
    const outcomes = await this.retried(sorted, errors);
    return matched + countApplied([...outcomes.values()]);
  }

  private async applyOne(statement: UpdateStatement): Promise<boolean> {
    if (isEmpty(statement)) return false;
    const { filter, update, condition } = statement;
    const result = await this.model.collection.updateOne(filter as object, update);
    // A pipeline that decides by itself matches its document either way.
    return (condition ? result.modifiedCount : result.matchedCount) === 1;
  }

  private async together(statements: readonly UpdateStatement[]): Promise<Outcome[]> {
    const { outcomes, errors } = await engine.applyTogether(this.model, statements);
    const retried = await this.retried(statements, errors);
    return outcomes.map((outcome, index) => retried.get(index) ?? outcome ?? new UnknownOutcomeError());
  }

  private async retried(
    statements: readonly UpdateStatement[],
    errors: ReadonlyMap<number, Error>,
  ): Promise<Map<number, Outcome>> {
    const outcomes = new Map<number, Outcome>();
    for (const [index, error] of errors)
      outcomes.set(index, await retriedAlone(error, () => this.applyOne(statements[index]!)));
    return outcomes;
  }
}

const inOrderOfIds = (statements: readonly UpdateStatement[]): UpdateStatement[] =>
  inOrder(statements, (statement) => idOf(statement) ?? '');

function countApplied(outcomes: readonly Outcome[]): number {
  const failed = outcomes.find((outcome) => outcome instanceof Error);
  if (failed) throw failed;
  return outcomes.filter(Boolean).length;
}

function settle(request: UpdateRequest, outcomes: ReadonlyMap<UpdateStatement, Outcome>): void {
  try {
    request.resolve(countApplied(request.statements.map((statement) => outcomes.get(statement)!)));
  } catch (error) {
    request.reject(error);
  }
}
