import path from 'node:path';
import { Report } from '../../containers/checks/report.ts';
import { temporaryFolder } from '../../system/files/temporary-folder.ts';
import { createSupervisor } from '../../system/processes/supervisor.ts';
import { startControlPlane } from './cluster/control-plane.ts';
import { deployOnNode } from './deploy-on-node.ts';
import { validateOverlays } from './validate.ts';

const log = (line: string) => console.error(line);

/**
 * Starts Kubernetes' API server, and has it check every overlay.
 * @returns the exit code: 0 when it accepts all, 1 when it does not, 3 when nothing could be checked here.
 */
async function validate(): Promise<number> {
  const { folder, remove } = temporaryFolder();
  const supervisor = createSupervisor({ logFolder: path.join(folder, 'logs'), log });
  const stop = async () => {
    supervisor.close();
    await supervisor.stop().finally(remove);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => void stop());
  const report = new Report();
  try {
    await validateOverlays(await startControlPlane(folder, supervisor, log), report);
    return report.end() ? 0 : 1;
  } catch (error) {
    console.log(`Nothing of Kubernetes was checked: ${(error as Error).message}`);
    return 3;
  } finally {
    await stop();
  }
}

const [form, ...overlays] = process.argv.slice(2);
process.exit(form === 'node' ? await deployOnNode(overlays, log) : await validate());
