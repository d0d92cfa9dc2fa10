import type { Deadline } from '@swim/platform';
import mongoose, { type Model, type mongo } from 'mongoose';
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

/** Clients of servers that answer each write of a command by itself. */
const answering = new WeakSet<mongo.MongoClient>();

/** Records whether this client's server has the command `bulkWrite` (MongoDB 8), which answers each write by itself. */
export async function probeAnswers(client: mongo.MongoClient, database: string): Promise<void> {
  const { maxWireVersion = 0 } = await client.db(database).command({ hello: 1 });
  if (maxWireVersion < 25) return;
  const filter = { _id: 'no document' } as object;
  const miss = {
    name: 'updateOne',
    namespace: `${database}.engine_probe`,
    filter,
    update: { $set: { claimed: '' } },
  } as const;
  const { updateResults } = await client.bulkWrite([miss], { ordered: false, verboseResults: true });
  if (updateResults?.get(0)?.matchedCount === 0) answering.add(client);
}

/**
 * Conditional updates of one collection, each of one document. Those of one turn of the event loop share a command, whose
 * answer tells only how many were applied. So each execution stores a token of its own in its document, and where some were
 * applied and some not, one read of the tokens tells which. A request that is alone needs no token.
 */
export class UpdateBatches<D> {
  private readonly queue = new BatchQueue<UpdateRequest>((batch, answered) => this.send(batch, answered));

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

  private async send(batch: UpdateRequest[], answered: () => void): Promise<void> {
    if (batch.length === 1) return batch[0]!.resolve(await this.applyAlone(batch[0]!.statements));
    const statements = inOrderOfIds(batch.flatMap((request) => request.statements));
    try {
      const outcomes = answering.has(this.model.db.getClient())
        ? await this.answered(statements)
        : await this.tokened(statements, answered);
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

  private async tokened(statements: readonly UpdateStatement[], answered: () => void): Promise<Outcome[]> {
    const tokens = statements.map(newToken);
    const { modified, errors } = await this.command(
      statements.map((statement, index) => ({
        filter: statement.filter,
        update: withToken(statement, tokens[index]!),
      })),
      true,
    );
    answered();
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

  private async answered(statements: readonly UpdateStatement[]): Promise<Outcome[]> {
    const namespace = `${this.model.db.name}.${this.model.collection.name}`;
    const writes = statements.map(({ filter, update }) => ({ name: 'updateOne', namespace, filter, update }) as const);
    const { results, errors } = await bulkWrite(this.model.db.getClient(), writes);
    const retried = await this.retried(statements, errors);
    return statements.map(({ condition }, index) => {
      const result = results.get(index);
      if (!result) return retried.get(index) ?? new UnknownOutcomeError();
      return (condition ? result.modifiedCount : result.matchedCount) === 1;
    });
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

async function bulkWrite(
  client: mongo.MongoClient,
  writes: mongo.ClientBulkWriteModel<mongo.Document>[],
): Promise<{ results: ReadonlyMap<number, mongo.ClientUpdateResult>; errors: ReadonlyMap<number, Error> }> {
  try {
    const { updateResults } = await client.bulkWrite(writes, { ordered: false, verboseResults: true });
    return { results: updateResults!, errors: new Map() };
  } catch (error) {
    if (!(error instanceof mongoose.mongo.MongoClientBulkWriteError) || error.writeConcernErrors.length > 0)
      throw error;
    const errors = [...error.writeErrors].map(
      ([index, { code, message }]) => [index, new mongoose.mongo.MongoServerError({ message, code })] as const,
    );
    return { results: error.partialResult?.updateResults ?? new Map(), errors: new Map(errors) };
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
