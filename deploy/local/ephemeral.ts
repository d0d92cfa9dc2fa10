import path from 'node:path';
import { makeStreams } from '../bus/make-streams.ts';
import { resolveNats } from '../bus/nats.ts';
import { temporaryFolder } from '../system/files/temporary-folder.ts';
import { ROOT } from '../system/paths.mjs';
import { endOrphanProcesses, ownerMark } from '../system/processes/orphan-processes.ts';
import { createSupervisor, type RunningProcess } from '../system/processes/supervisor.ts';
import { resolveDatabase } from './engine/resolve-database.ts';

export interface EphemeralOptions {
  withNats?: boolean;
  /**
   * Whether the database waits for the disk at each commit. Without it, data survive a kill of the processes, but no
   * crash of the machine.
   */
  syncsToDisk?: boolean;
}

export interface Ephemeral {
  /** Rejects when one of the servers cannot be had. */
  start: (options?: EphemeralOptions) => Promise<{ mongodbUri: string; natsUrl?: string }>;
  processes: () => RunningProcess[];
  stop: () => Promise<void>;
}

/** A database, and a NATS server where requested, for one run of tests or measurements; the data is gone afterwards. */
export function createEphemeral(log: (line: string) => void): Ephemeral {
  const { folder, remove } = temporaryFolder();
  const supervisor = createSupervisor({ logFolder: path.join(folder, 'logs'), log, env: ownerMark(ROOT) });

  async function start({ withNats = false, syncsToDisk = true }: EphemeralOptions = {}) {
    await endOrphanProcesses(ROOT, log);
    const database = await resolveDatabase({ dataDir: folder, log, supervisor, syncsToDisk });
    if (!withNats) return { mongodbUri: database.uri };
    const nats = await resolveNats({ dataDir: folder, log, supervisor });
    await makeStreams(nats.url);
    return { mongodbUri: database.uri, natsUrl: nats.url };
  }

  async function stop() {
    supervisor.close();
    await supervisor.stop().finally(remove);
  }

  return { start, processes: () => supervisor.processes(), stop };
}
