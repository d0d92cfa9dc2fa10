import { addImportRows, createImport, type Principal, runImport } from '@swim/contracts';
import { retried } from '@swim/testing';
import type { PeopleHarness } from '../harness.js';
import { importsOf, rowOf } from './importing.js';

/** The writes of imports, each with the write of another client that comes between. */
export function importWrites(call: PeopleHarness['harness']['call'], aSchool: () => Promise<Principal>) {
  async function ofSchool() {
    const principal = await aSchool();
    const imports = importsOf(
      () => ({ harness: { call } }),
      () => principal,
    );
    return { principal, ...imports };
  }
  return [
    retried(createImport, async () => {
      const { principal, add, read } = await ofSchool();
      const input = { kind: 'families' as const };
      return { principal, input, rival: ({ id }) => add(id, [rowOf(1)]), look: ({ id }) => read(id) };
    }),
    retried(addImportRows, async () => {
      const { principal, create, add, read } = await ofSchool();
      const { id: import_id } = await create();
      const input = { import_id, rows: [rowOf(1)] };
      return { principal, input, rival: () => add(import_id, [rowOf(2)]), look: () => read(import_id) };
    }),
    retried(runImport, async () => {
      const { principal, create, add, run, untilDone } = await ofSchool();
      const { id: import_id } = await create();
      await add(import_id, [rowOf(1)]);
      return { principal, input: { import_id }, rival: () => run(import_id), look: () => untilDone(import_id) };
    }),
  ];
}
