import mongoose, { type mongo as driver, type Model } from 'mongoose';

const { mongo } = mongoose;

/** A statement of each write command, as the server takes it; of an update or a removal with its filter `q`. */
interface Statements {
  insert: object;
  update: { q: object; u: object };
  delete: { q: object; limit: 0 };
}

const STATEMENTS = { insert: 'documents', update: 'updates', delete: 'deletes' } as const;

/** The server's answer to one command. */
export interface WriteAnswer {
  /** How many documents were inserted, matched or removed. */
  readonly matched: number;
  readonly modified: number;
  /** The errors of the statements that failed, by their index; the others were executed. */
  readonly errors: ReadonlyMap<number, Error>;
}

interface Answered {
  n?: number;
  nModified?: number;
  writeErrors?: { index: number; code: number; errmsg?: string }[];
}

interface Options {
  /** Whether the statements after one that fails are left out; otherwise each is executed by itself. */
  ordered?: boolean;
  /** Whether the statements are known to fit into a command. */
  areMeasured?: boolean;
}

// The largest command: the driver encodes it in a buffer of 17 MiB, and does not notice all writes past its end.
const MOST_BYTES = 8 * 1024 * 1024;
// No document is larger than a message of NATS, which has 4 MiB.
const MOST_UNMEASURED = 4;

/**
 * Executes statements, in one command if they fit. Unlike the driver's bulk writes it does not encode each statement once more to
 * measure it, and never sends a command again after its connection broke. Throws when the outcome of all statements is unknown, or when
 * one of them cannot be encoded and none was sent.
 */
export async function executeAll<D, K extends keyof Statements>(
  model: Model<D>,
  kind: K,
  statements: readonly Statements[K][],
  { ordered = false, areMeasured = false }: Options = {},
): Promise<WriteAnswer> {
  if (kind === 'update') (statements as readonly Statements['update'][]).forEach(requireOperators);
  const commands = areMeasured ? [statements] : fitting(statements);
  const errors = new Map<number, Error>();
  let [matched, modified, executed] = [0, 0, 0];
  for (const each of commands) {
    if (ordered && errors.size > 0) break;
    const answer = await execute(model, { [kind]: model.collection.name, [STATEMENTS[kind]]: each, ordered });
    matched += answer.matched;
    modified += answer.modified;
    for (const [index, error] of answer.errors) errors.set(executed + index, error);
    executed += each.length;
  }
  return { matched, modified, errors };
}

/** The statements of each command, in order. */
function fitting<S>(statements: readonly S[]): (readonly S[])[] {
  if (statements.length <= MOST_UNMEASURED) return statements.length === 0 ? [] : [statements];
  const commands: S[][] = [];
  let left = 0;
  for (const statement of statements) {
    const bytes = bsonSize(statement);
    if (bytes > left) {
      commands.push([]);
      left = MOST_BYTES;
    }
    left -= bytes;
    commands.at(-1)!.push(statement);
  }
  return commands;
}

async function execute<D>(model: Model<D>, command: object): Promise<WriteAnswer> {
  const answer: Answered = await (model.db.db as driver.Db).command({ ...command, ...concernOf(model) });
  const { n = 0, nModified = 0, writeErrors = [] } = answer;
  const errors = writeErrors.map(
    ({ index, code, errmsg = '' }) => [index, new mongo.MongoServerError({ errmsg, code })] as const,
  );
  return { matched: n, modified: nModified, errors: new Map(errors) };
}

/** The server would replace the document by an update without operators; the first key tells it which of both is meant. */
function requireOperators({ u }: Statements['update']): void {
  const keys = Object.keys(u);
  const isUpdate = Array.isArray(u) || (keys.length > 0 && keys.every((key) => key.startsWith('$')));
  if (!isUpdate) throw new mongo.MongoInvalidArgumentError('An update needs operators.');
}

/** The write concern of MONGODB_URI, which a command does not inherit. */
function concernOf<D>({ db }: Model<D>): { writeConcern?: object } {
  const { w, journal: j, wtimeoutMS: wtimeout } = db.getClient().options.writeConcern ?? {};
  const stated = Object.entries({ w, j, wtimeout }).filter(([, value]) => value !== undefined);
  return stated.length === 0 ? {} : { writeConcern: Object.fromEntries(stated) };
}

/** The bytes of a value in a command. Throws for one that cannot be encoded. */
export const bsonSize = (value: unknown): number => mongo.BSON.calculateObjectSize({ value });
