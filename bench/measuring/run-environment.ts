import type { Supervisor } from '../../deploy/system/supervisor.ts';

/** What a run gives its measurements. */
export interface RunEnvironment {
  /** Of `createSupervisor`; its processes are ended after the run. */
  supervisor: Supervisor;
  /** Of every process. */
  env: Record<string, string>;
  /** For files, removed when the run is over. */
  folder: string;
  /** Whether to check only that every measurement works, within seconds. */
  isShort: boolean;
  /** Folder of a built checkout that `cost` compares with; null without. */
  before: string | null;
  /** What goes on, for a person. */
  log: (line: string) => void;
  /** Has something done once the processes are ended. */
  atEnd: (work: () => Promise<void>) => void;
}
