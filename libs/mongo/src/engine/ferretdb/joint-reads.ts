import type { Model, mongo, Query } from 'mongoose';
import { castFilterOf } from '../../guard/tenant-guard.js';
import { answeredByTurn } from './turn-loaders.js';
import { TOKENS } from './update-statements.js';

// On the offline engine the time for each grows beyond twelve.
const MOST_READS = 8;

/** What is read of the documents that match a filter. */
interface Read {
  readonly without: readonly string[];
  /** The most documents that match: then one reply has them all. */
  readonly most: number;
  /** Whether more may match; which ones are then read is left open without `sort`. */
  readonly mayBeMore?: boolean;
  readonly sort?: Readonly<Record<string, 1 | -1>>;
}

/** A read of one collection, with its filter cast. */
interface CollectionRead extends Read {
  readonly collection: mongo.Collection;
  readonly filter: Record<string, unknown>;
}

/** A document as the joint command returns it: the index of its read, and the document. */
interface Found {
  readonly read: number;
  readonly document: unknown;
}

const readByTurn = answeredByTurn(readAll, MOST_READS);

/**
 * The documents that match a filter, without these fields. Reads of one turn of the event loop in collections of one database share
 * a command: on the offline engine, one of three collections takes half of the time of three commands.
 * @param guard - names the system's reason where the filter names no reader.
 */
export async function readTogether<D>(model: Model<D>, filter: object, read: Read, guard: object): Promise<D[]> {
  const cast = castFilterOf(model.find(filter as never, null, guard) as unknown as Query<unknown, unknown>);
  const collection = model.collection as unknown as mongo.Collection;
  return (await readByTurn(model.db, { ...read, collection, filter: cast })) as D[];
}

async function readAll(reads: readonly CollectionRead[]): Promise<unknown[][]> {
  const [first, ...others] = reads;
  if (others.length === 0) return [await readAlone(first!)];
  const elsewhere = others.map((read, index) => ({
    $unionWith: { coll: read.collection.collectionName, pipeline: pipelineOf(read, index + 1) },
  }));
  const batchSize = reads.reduce((sum, { most }) => sum + most, 1);
  const found = await first!.collection
    .aggregate<Found>([...pipelineOf(first!, 0), ...elsewhere], { batchSize })
    .toArray();
  const byRead = Map.groupBy(found, ({ read }) => read);
  return reads.map((_, index) => (byRead.get(index) ?? []).map(({ document }) => document));
}

function readAlone({ collection, filter, without, most, mayBeMore, sort }: CollectionRead): Promise<unknown[]> {
  const projection = Object.fromEntries([TOKENS, ...without].map((field) => [field, 0]));
  return collection
    .find(filter, { projection, batchSize: most + 1, ...(sort && { sort }), ...(mayBeMore && { limit: most }) })
    .toArray();
}

const pipelineOf = ({ filter, without, most, mayBeMore, sort }: CollectionRead, read: number): object[] => [
  { $match: filter },
  ...(sort ? [{ $sort: sort }] : []),
  ...(mayBeMore ? [{ $limit: most }] : []),
  { $unset: [TOKENS, ...without] },
  { $project: { _id: 0, read: { $literal: read }, document: '$$ROOT' } },
];
