import path from 'node:path';
import { layOut } from '../../containers/checks/deployment.ts';
import { startDocker } from '../../containers/engine/docker.ts';
import { installDocker } from '../../containers/engine/install-docker.ts';
import { makeBaseImages, PAUSE } from '../../containers/images/base-images.ts';
import { installEngine } from '../../local/engine/install-engine.ts';
import { readCompose } from '../../packaging/compose-file.ts';
import { logProgress } from '../../system/progress.mjs';
import { ARCHIVE } from './cluster/node.ts';

/** Builds the images of the product as an operator does, and saves them in a folder, with those that stand in for the images of others. */
async function saveImages(folder: string) {
  const log = (line: string) => console.error(line);
  const [files, engine] = await Promise.all([installDocker(log), installEngine({ log })]);
  const docker = await startDocker(files);
  try {
    await makeBaseImages({ docker, files, engine, log });
    const deployment = layOut(docker, path.join(files.folder, 'clone'));
    try {
      await logProgress(log, 'images of the product', () => deployment.sh('docker compose build').then(() => 'built'));
    } finally {
      await deployment.remove();
    }
    await docker.run(['save', '--output', path.join(folder, ARCHIVE), ...imagesOfProduct(), PAUSE]);
  } finally {
    await docker.stop();
  }
}

function imagesOfProduct(): string[] {
  const { name, services } = readCompose({});
  const built = Object.keys(services).filter((each) => services[each as keyof typeof services].build);
  return [...built.map((each) => `${name}-${each}`), services.mongo.image!, services.nats.image!];
}

await saveImages(process.argv[2]!).catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
process.exit();
