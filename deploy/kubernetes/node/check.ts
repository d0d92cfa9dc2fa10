import path from 'node:path';
import { temporaryFolder } from '../../system/files/temporary-folder.ts';
import { createSupervisor } from '../../system/processes/supervisor.ts';
import { startControlPlane } from './control-plane.ts';
import { validateOverlays } from './validate.ts';

/** Starts Kubernetes' API server, and has it check every overlay. */
const log = (line: string) => console.log(line);
const { folder, remove } = temporaryFolder();
const supervisor = createSupervisor({ logFolder: path.join(folder, 'logs'), log });
const stop = async () => {
  supervisor.close();
  await supervisor.stop().finally(remove);
};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => void stop());
try {
  log(`accepted: ${await validateOverlays(await startControlPlane(folder, supervisor, log))}`);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
} finally {
  await stop();
}
