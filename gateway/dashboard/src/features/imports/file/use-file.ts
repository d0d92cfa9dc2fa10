import { useMutation } from '@tanstack/react-query';
import { type CsvTable, type FileProblem, readCsv } from './csv.ts';

/** A file that was chosen: what it contains, or what is wrong with it, and a digest by which it is known again. */
export interface ChosenFile {
  readonly table: CsvTable | null;
  readonly problem: FileProblem | null;
  readonly digest: string;
}

async function digestOf(bytes: BufferSource): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Reads a file that the user chooses. */
export function useFile() {
  return useMutation({
    mutationFn: async (file: File): Promise<ChosenFile> => {
      const bytes = new Uint8Array(await file.arrayBuffer());
      const read = readCsv(bytes);
      const digest = await digestOf(bytes);
      return typeof read === 'string' ? { table: null, problem: read, digest } : { table: read, problem: null, digest };
    },
  });
}
