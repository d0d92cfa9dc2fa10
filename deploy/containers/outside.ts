import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { startProduct } from '../clients/product.ts';
import { LOCAL, ROOT } from '../system/paths.mjs';
import { nodeProgram } from '../system/processes/node-program.mjs';
import { runCommand } from '../system/processes/run-command.mjs';
import type { Report } from './checks/report.ts';

/** The arguments of `npm run monitoring`, one run for each; all runs but the first need the running product. */
const CHECKS = ['', 'boards', 'backlog'];

/** Tests the rules, and has Prometheus scrape the product of `npm start` while events wait. */
export async function checkMonitoring(report: Report): Promise<void> {
  report.part = 'monitoring';
  report.begin('`npm run monitoring`, on the product of `npm start`');
  const product = await startProduct(path.join(LOCAL, 'deploy-test.log'));
  try {
    for (const what of CHECKS)
      await report.row(`\`npm run monitoring${what && ` -- ${what}`}\``, 'exit code 0', async () => {
        const words = [path.join(ROOT, 'deploy/monitoring/check.ts'), ...(what ? [what] : [])];
        const printed = await runCommand(nodeProgram(), words, { cwd: ROOT, shownLines: 20 });
        return { seen: printed.trim().split('\n').at(-1)!, passed: true };
      });
  } finally {
    await product.stop();
  }
}

/** Deploys the product on a node of Kubernetes by the overlay whose processes are all replaced there. @returns the exit code. */
export async function checkKubernetes(env: NodeJS.ProcessEnv): Promise<number> {
  const words = [path.join(ROOT, 'deploy/kubernetes/node/check.ts'), 'node', 'one-host'];
  const [code] = await once(spawn(nodeProgram(), words, { cwd: ROOT, env, stdio: 'inherit' }), 'exit');
  return code ?? 1;
}
