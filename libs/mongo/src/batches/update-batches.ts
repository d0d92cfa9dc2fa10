import type { Deadline } from '@swim/platform';
import type { Model } from 'mongoose';
import { type BatchedWrite, BatchQueue, inOrder, sizeBound } from '../commands/batch-queue.js';
import { executeAll, type WriteAnswer } from '../commands/write-command.js';
import { retriedAlone, wasNotSent } from '../commands/write-errors.js';
import { UnknownOutcomeError } from '../engine/ferretdb/storage-fault.js';
import {
  canShare,
  idOf,
  isEmpty,
  newToken,
  readTokens,
  type UpdateStatement,
  withToken,
} from '../engine/ferretdb/update-statements.js';

/** Whether a statement was applied; an error when it failed, or when that is unknown. */
type Outcome = boolean | Error;

interface UpdateRequest extends BatchedWrite {
  readonly statements: readonly UpdateStatement[];
  resolve(applied: number): void;
}

/**
 * Conditional updates of one collection, each of one document. Those of one turn of the event loop share a command, whose
 * answer tells only how many were applied. So each execution stores a token of its own in its document, and where some were
 * applied and some not, one read of the tokens tells which. A request that is alone needs no token.
 */
export class UpdateBatches<D> {
  private readonly queue = new BatchQueue<UpdateRequest>((batch) => this.send(batch));

  constructor(private readonly model: Model<D>) {}

  /**
   * Applies the statements of one request, each by itself; returns how many were applied. Throws when one failed, or when its
   * outcome is unknown.
   */
  apply(statements: readonly UpdateStatement[], deadline: Deadline | undefined): Promise<number> {
    if (!statements.every(canShare)) return this.applyAlone(statements);
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const size = () => sizeBound(statements);
    this.queue.add({ ids: statements.map((each) => idOf(each)!), statements, deadline, size, resolve, reject });
    return promise;
  }

  private async send(batch: UpdateRequest[]): Promise<void> {
    if (batch.length === 1) return batch[0]!.resolve(await this.applyAlone(batch[0]!.statements));
    const statements = inOrderOfIds(batch.flatMap((request) => request.statements));
    try {
      const outcomes = await this.tokened(statements);
      const byStatement = new Map(statements.map((statement, index) => [statement, outcomes[index]!]));
      for (const request of batch) settle(request, byStatement);
    } catch (error) {
      if (!wasNotSent(error, statements)) throw error;
      await Promise.all(batch.map((each) => this.applyAlone(each.statements).then(each.resolve, each.reject)));
    }
  }

  // As many as were applied: which ones is of no interest.
  private async applyAlone(statements: readonly UpdateStatement[]): Promise<number> {
    if (statements.length === 1) return (await this.applyOne(statements[0]!)) ? 1 : 0;
    const sorted = inOrderOfIds(statements);
    const { matched, errors } = await this.command(sorted, false);
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

  private async tokened(statements: readonly UpdateStatement[]): Promise<Outcome[]> {
    const tokens = statements.map(newToken);
    const { modified, errors } = await this.command(
      statements.map((statement, index) => ({
        filter: statement.filter,
        update: withToken(statement, tokens[index]!),
      })),
      true,
    );
    const executed = statements.flatMap((_, index) => (errors.has(index) ? [] : [index]));
    // Each applied statement has modified its document: it has stored its token.
    const isStored = await this.whichAreStored(
      executed.map((index) => [idOf(statements[index]!)!, tokens[index]!]),
      modified,
    );
    const retried = await this.retried(statements, errors);
    return statements.map((_, index) => retried.get(index) ?? isStored(tokens[index]!));
  }

  // The tokens of later writes may have pushed one out: then nobody knows what became of those that are not found.
  private async whichAreStored(
    executed: readonly (readonly [id: string, token: string])[],
    modified: number,
  ): Promise<(token: string) => Outcome> {
    if (modified === executed.length) return () => true;
    if (modified === 0) return () => false;
    const stored = await readTokens(this.model, [...new Set(executed.map(([id]) => id))]);
    const found = executed.filter(([, token]) => stored.has(token)).length;
    return (token) => stored.has(token) || (found < modified ? new UnknownOutcomeError() : false);
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

  private command(updates: { filter: object; update: object }[], areMeasured: boolean): Promise<WriteAnswer> {
    const statements = updates.map(({ filter, update }) => ({ q: filter, u: update }));
    return executeAll(this.model, 'update', statements, { areMeasured });
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
