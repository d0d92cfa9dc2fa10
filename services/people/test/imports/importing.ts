import {
  addImportRows,
  createImport,
  type DataImport,
  getImport,
  listMembers,
  type Member,
  type Principal,
  runImport,
} from '@swim/contracts';
import { type RequestOptions, until } from '@swim/testing';
import type { PeopleHarness } from '../harness.js';

/** What these operations need of a harness. */
type Parts = { harness: Pick<PeopleHarness['harness'], 'call'> };

/** A row as a client sends it. */
export type Row = Record<string, unknown>;

/** A well-formed row; those of one `family` number are of one family. */
export const rowOf = (n: number, family = n, changes: Row = {}): Row => ({
  name: `Kid ${n}`,
  date_of_birth: '2017-05-04',
  ...changes,
  family: { email: `family-${family}@example.test`, name: `Family ${family}`, ...(changes.family as Row) },
});

/** Imports of a school. */
export const importsOf = (people: () => Parts, school: () => Principal) => {
  const own = (options: RequestOptions = {}) => ({ principal: school(), ...options });
  const create = (options?: RequestOptions): Promise<DataImport> =>
    people().harness.call(createImport, { kind: 'families' }, own(options));
  const add = (import_id: string, rows: Row[], options?: RequestOptions): Promise<DataImport> =>
    people().harness.call(addImportRows, { import_id, rows }, own(options));
  const run = (import_id: string, options?: RequestOptions): Promise<DataImport> =>
    people().harness.call(runImport, { import_id }, own(options));
  const read = (import_id: string): Promise<DataImport> => people().harness.call(getImport, { import_id }, own());
  const untilDone = (id: string): Promise<DataImport> =>
    until(async () => {
      const now = await read(id);
      return now.status === 'done' ? now : null;
    }, 'the import is done');
  return {
    create,
    add,
    run,
    read,
    untilDone,
    /** Imports rows in requests of at most 500. */
    async importAll(rows: readonly Row[]): Promise<DataImport> {
      const { id } = await create();
      for (let from = 0; from < rows.length; from += 500) await add(id, rows.slice(from, from + 500));
      await run(id);
      return untilDone(id);
    },
    /** The members that the school reads, by their names. */
    async members(): Promise<Member[]> {
      const { items } = await people().harness.call(listMembers, { limit: 100 }, own());
      return items.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    },
  };
};
