import { Injectable } from '@nestjs/common';
import { asSystem, base64Of, Databases, DataKeys, Repository } from '@swim/mongo';
import { AppError, type RequestContext } from '@swim/platform';
import type { ImportDocument } from './import.schema.js';
import { type ImportRowsDocument, importRowsSchema } from './import-rows.schema.js';

/** Few, so that a run that is killed has little to repeat. */
const ROWS_TOGETHER = 100;
const system = asSystem('the rows are those of an import that was checked');

/** A part of an import's rows, with the number of its first one. */
export interface Part {
  id: string;
  from: number;
}

/** The parts of an import's rows, in their order. */
export function partsOf({ batches }: Pick<ImportDocument, 'batches'>): Part[] {
  const parts: Part[] = [];
  let from = 0;
  for (const { id, rows } of batches) {
    for (let at = 0; at < rows; at += ROWS_TOGETHER) parts.push({ id: partId(id, at), from: from + at });
    from += rows;
  }
  return parts;
}

const partId = (batchId: string, at: number): string => `${batchId}:${at}`;

type Owner = Pick<ImportDocument, '_id' | 'accountId'>;
const keyOf = ({ _id: id, accountId }: Owner) => ({ id, accountId });
const bindingOf = ({ _id, accountId }: Owner, id: string): string => `${accountId}:${_id}:rows:${id}`;

/** Storage of the rows of imports, encrypted with a key for each import. */
@Injectable()
export class ImportRowsRepository extends Repository<ImportRowsDocument> {
  constructor(
    private readonly databases: Databases,
    private readonly keys: DataKeys,
  ) {
    super(databases.collection('import_rows', importRowsSchema));
  }

  /** Stores the rows of a request. They belong to the import once it names the request. Idempotent. */
  async insert({ deadline }: RequestContext, of: Owner, batchId: string, rows: readonly object[]): Promise<void> {
    const cipher = await this.keys.obtain(keyOf(of));
    if (!cipher) throw new AppError('resource_not_found');
    const { accountId, _id: importId } = of;
    const own = { readers: [accountId], accountId, importId, createdAt: this.databases.clock.now(), result: null };
    const starts = Array.from({ length: Math.ceil(rows.length / ROWS_TOGETHER) }, (_, index) => index * ROWS_TOGETHER);
    const documents = starts.map((at) => {
      const _id = partId(batchId, at);
      const text = JSON.stringify(rows.slice(at, at + ROWS_TOGETHER));
      return { ...own, _id, rows: cipher.seal(text, bindingOf(of, _id)) };
    });
    await this.tryInsertAll(system, documents, deadline);
  }

  /** The results of an import's parts by their ids; of a part that is not processed it is null. */
  async findResults({ _id: importId }: Owner): Promise<Map<string, ImportRowsDocument['result']>> {
    const found = await this.findPicked(system, { importId }, ['result'], { limit: 10_000 });
    return new Map(found.map(({ _id, result }) => [_id, result]));
  }

  /** The rows of a part; null once they are processed, or gone with the import. */
  async findRows(of: Owner, partId: string): Promise<object[] | null> {
    const [part, cipher] = await Promise.all([this.lookUp(system, partId), this.keys.find(keyOf(of))]);
    if (!part?.rows || !cipher) return null;
    const sealed = Buffer.from(base64Of(part.rows), 'base64');
    return JSON.parse(cipher.open(sealed, bindingOf(of, partId)).toString()) as object[];
  }

  /** Stores the result of a part, and removes its rows; false when another run has, or the import is gone. */
  store(partId: string, result: NonNullable<ImportRowsDocument['result']>): Promise<boolean> {
    return this.update(system, { _id: partId, result: null }, { $set: { result, rows: null } });
  }

  /** Makes tokens that are equal for equal texts of the import; null once its key is gone. */
  async tokens(of: Owner): Promise<((text: string) => string) | null> {
    const cipher = await this.keys.find(keyOf(of));
    return cipher && ((text) => cipher.token(text));
  }

  /** Removes what is left of an import's rows, in backups too. Idempotent. */
  async clear({ _id: importId }: Owner): Promise<void> {
    await this.keys.destroy(importId);
    await this.model(system).deleteMany({ importId }, { asSystem: 'the rows of an import are removed' } as object);
  }
}
