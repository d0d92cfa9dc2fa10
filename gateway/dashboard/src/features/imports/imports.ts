import type { DataImport } from '@swim/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useClient, useEnvironment } from '../../api/environment.tsx';
import { usePages } from '../../api/pages.ts';
import { type ImportRow, partFrom } from './file/rows.ts';

const IMPORTS = 'imports';
const AGAIN_MS = 1_000;

/** The imports of the school, newest first. */
export function useImports() {
  const client = useClient();
  const environment = useEnvironment();
  return usePages([environment, IMPORTS, 'list'], (page, options) => client.imports.list(page, options));
}

/** One import; read again each second while it runs. */
export function useImport(id: string) {
  const client = useClient();
  const environment = useEnvironment();
  return useQuery({
    queryKey: [environment, IMPORTS, id],
    queryFn: ({ signal }) => client.imports.get(id, { signal }),
    refetchInterval: ({ state }) => (state.data?.status === 'running' ? AGAIN_MS : false),
  });
}

/** Begins an import. */
export function useBegin() {
  const { imports } = useClient();
  return useMutation({ mutationFn: () => imports.create({ kind: 'families' }) });
}

/** Adds the rows of a file that an import has not yet, part by part. The key of a part follows from where it begins: none is added twice. */
export function useUpload({ id, rows: known }: DataImport) {
  const { imports } = useClient();
  const environment = useEnvironment();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (rows: readonly ImportRow[]) => {
      for (let at = known; at < rows.length; ) {
        const part = partFrom(rows, at);
        const answer = await imports.addRows(id, { rows: [...part] }, { idempotencyKey: `${id}-${at}` });
        queries.setQueryData([environment, IMPORTS, id], answer);
        at += part.length;
      }
    },
  });
}

/** What the import would do if it ran now. */
export function useCheck({ id, rows }: DataImport, isOn: boolean) {
  const client = useClient();
  const environment = useEnvironment();
  return useQuery({
    queryKey: [environment, 'dry-run', 'import', id, rows],
    enabled: isOn,
    gcTime: 0,
    retry: false,
    queryFn: async ({ signal }) => (await client.imports.run(id, { dryRun: true, signal })) ?? null,
  });
}

/** Runs the import. */
export function useRun({ id }: DataImport) {
  const { imports } = useClient();
  const environment = useEnvironment();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => imports.run(id),
    onSuccess: () => queries.invalidateQueries({ queryKey: [environment, IMPORTS] }),
  });
}
