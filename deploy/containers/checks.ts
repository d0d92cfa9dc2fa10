import path from 'node:path';
import { installEngine } from '../local/engine/install-engine.ts';
import { layOut } from './checks/deployment.ts';
import { Report } from './checks/report.ts';
import { build } from './checks/short-form.ts';
import { startDocker } from './engine/docker.ts';
import { installDocker } from './engine/install-docker.ts';
import { makeBaseImages } from './images/base-images.ts';
import { chosenParts } from './parts.ts';

/** Runs the checks of the deployment in the namespaces that `deploy-test.ts` has made. */
async function check(): Promise<boolean> {
  const log = (line: string) => console.error(line);
  const { inside: parts } = chosenParts(process.argv.slice(2));
  const [files, engine] = await Promise.all([installDocker(log), installEngine({ log })]);
  const docker = await startDocker(files);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => void docker.stop().then(() => process.exit(1)));
  await makeBaseImages({ docker, files, engine, log });
  const deployment = layOut(docker, path.join(files.folder, 'clone'));
  const report = new Report();
  try {
    if (await build(deployment, report))
      for (const [name, part] of parts) {
        report.part = name;
        await part(deployment, report).catch((error: Error) =>
          report.row('the rest of this part', 'carried out', () => Promise.reject(error)),
        );
      }
  } finally {
    await deployment.remove();
    await docker.stop();
  }
  return report.end();
}

const isPassed = await check().catch((error: Error) =>
  console.log(`The deployment could not be checked: ${error.message}`),
);
process.exit(isPassed ? 0 : 1);
