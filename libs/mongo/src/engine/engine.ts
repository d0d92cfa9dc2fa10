import type { Model, Schema } from 'mongoose';
import type { UpdateStatement } from '../commands/update-statements.js';
import {
  type Applied,
  addTokens,
  applyTogether,
  canShare,
  HIDDEN_FIELDS,
  MOST_OF_DOCUMENT,
  removeMatching,
} from './ferretdb/writes.js';

/** What an engine behind the protocol of MongoDB does in its own way. */
interface Engine {
  /** Adds the fields that its updates need to a schema. */
  addFields(schema: Schema): void;
  /** The names of those fields, which no read returns. */
  readonly hiddenFields: readonly string[];
  /** Whether an update may share a command with others. */
  canShare(statement: UpdateStatement): boolean;
  /** So many updates of one document may share a command. */
  readonly mostOfDocument: number;
  /** Applies updates by id in one command, each by itself. */
  applyTogether<D>(model: Model<D>, statements: readonly UpdateStatement[]): Promise<Applied>;
  /**
   * Removes the documents that match; returns how many.
   * @param guard - names the system's reason where the filter names no reader.
   */
  removeMatching<D>(model: Model<D>, filter: object, guard: object): Promise<number>;
}

/** MongoDB takes the statements that FerretDB needs, so that there is one engine. */
export const engine: Engine = {
  addFields: addTokens,
  hiddenFields: HIDDEN_FIELDS,
  canShare,
  mostOfDocument: MOST_OF_DOCUMENT,
  applyTogether,
  removeMatching,
};
