import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { findNatsServer } from '../../bus/nats.ts';
import { ownMirror } from '../../local/debian/apt-source.ts';
import type { EnginePaths } from '../../local/engine/engine-paths.ts';
import { EXTENSIONS, SETTINGS } from '../../local/engine/postgres.ts';
import { imagesIn } from '../../pin-images.mjs';
import { readJson } from '../../system/files/json-file.ts';
import { ROOT } from '../../system/paths.mjs';
import { nodeProgram } from '../../system/processes/node-program.mjs';
import { runCommand } from '../../system/processes/run-command.mjs';
import { logProgress } from '../../system/progress.mjs';
import type { Docker } from '../engine/docker.ts';
import { type DockerFiles, RELEASE } from '../engine/install-docker.ts';

const FOLDER = import.meta.dirname;
const DEBIAN = `debian:${RELEASE}-slim`;
/** The image that holds the namespaces of a pod. */
export const PAUSE = 'pause:stand-in';
const LABEL = 'swim.stand-in';
const MONGOSH = 'mongosh@2.5.8';
/** Certificates that the machine trusts, under which a registry may be reached. */
const CERTIFICATES = '/etc/ssl/certs';

interface BaseImages {
  docker: Docker;
  files: DockerFiles;
  /** The offline engine of the database. */
  engine: EnginePaths;
  log: (line: string) => void;
}

/**
 * Makes images that stand in for those of others which the product's files name: no registry of images is needed. What has been made
 * of the same parts by an earlier run stays.
 */
export async function makeBaseImages(options: BaseImages): Promise<void> {
  const { docker, files, engine } = options;
  const names = new Map(['docker-compose.yml', 'deploy/Dockerfile'].flatMap(readNames));
  const nameOf = (name: string) => names.get(name) ?? `${name}:stand-in`;
  await make(options, DEBIAN, [RELEASE], () => bootstrap(options));
  const { packageManager: npm } = readJson(path.join(ROOT, 'package.json')) as { packageManager: string };
  const node = path.resolve(nodeProgram(), '../..');
  await build(options, 'node', nameOf('node'), {
    contexts: { node, npm: () => packed(files, npm), certificates: CERTIFICATES },
    parts: [npm, nameOf('node')],
  });
  await docker.run(['tag', nameOf('node'), 'node:stand-in']);
  const busybox = path.join(files.root, 'usr/bin');
  const nats = path.resolve(findNatsServer().command, '../..');
  await build(options, 'nats', nameOf('nats'), {
    contexts: { nats, busybox },
    parts: [nameOf('nats')],
  });
  await build(options, 'mongo', nameOf('mongo'), {
    contexts: { engine: engine.folder, mongosh: () => installed(files, MONGOSH) },
    parts: [engine.folder, MONGOSH, JSON.stringify(SETTINGS)],
    args: { ENGINE: engine.folder },
    written: {
      'settings.conf': Object.entries(SETTINGS)
        .map(([name, value]) => `${name} = '${value}'\n`)
        .join(''),
      'extensions.sql': EXTENSIONS,
    },
  });
  await build(options, 'haproxy', nameOf('haproxy'), { contexts: { busybox }, parts: [] });
  await build(options, 'pause', PAUSE, { contexts: { busybox }, parts: [] });
}

/** The names that a file gives to images of others, by what comes before the tag. */
function readNames(file: string): [string, string][] {
  return imagesIn(fs.readFileSync(path.join(ROOT, file), 'utf8')).map(({ image }) => [image.split(':')[0]!, image]);
}

/** Runs `work` unless there is an image of this name that was made of the same parts. */
async function make({ docker, log }: BaseImages, image: string, parts: string[], work: (id: string) => Promise<void>) {
  const id = crypto.createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);
  const format = `{{index .Config.Labels "${LABEL}"}}`;
  const found = await docker.run(['image', 'inspect', '--format', format, image]).catch(() => '');
  if (found.trim() === id) return;
  await logProgress(log, `image: ${image}`, () => work(id).then(() => 'made'));
}

/** Debian as its official image has it: its essential packages, apt, and this machine's mirror. */
async function bootstrap({ docker, files }: BaseImages) {
  const folder = path.join(files.folder, 'debian');
  fs.rmSync(folder, { recursive: true, force: true });
  const program = path.join(files.root, 'usr/sbin/debootstrap');
  const keys = '--keyring=/usr/share/keyrings/debian-archive-keyring.gpg';
  await runCommand('sh', [program, '--variant=minbase', keys, RELEASE, folder, ownMirror()], {
    env: { ...docker.env, DEBOOTSTRAP_DIR: path.join(files.root, 'usr/share/debootstrap') },
  });
  for (const each of ['var/cache/apt/archives', 'var/lib/apt/lists', 'usr/share/doc', 'usr/share/locale'])
    fs.rmSync(path.join(folder, each), { recursive: true, force: true });
  const id = crypto
    .createHash('sha256')
    .update(JSON.stringify([RELEASE]))
    .digest('hex')
    .slice(0, 16);
  const pack = `tar -C "$1" -c . | docker import --change 'CMD ["bash"]' --change 'LABEL ${LABEL}=${id}' - "$2"`;
  await runCommand('sh', ['-c', pack, 'sh', folder, DEBIAN], { env: docker.env });
  fs.rmSync(folder, { recursive: true });
}

interface Build {
  /** Folders that the Dockerfile copies from, or what brings them. */
  contexts: Record<string, string | (() => Promise<string>)>;
  /** What the image is made of beside the files of its folder. */
  parts: string[];
  args?: Record<string, string>;
  /** Files that are written beside the Dockerfile. */
  written?: Record<string, string>;
}

async function build(
  options: BaseImages,
  name: string,
  image: string,
  { contexts, parts, args = {}, written = {} }: Build,
) {
  const folder = path.join(FOLDER, name);
  const texts = fs.readdirSync(folder).map((each) => fs.readFileSync(path.join(folder, each), 'utf8'));
  await make(options, image, [...parts, ...texts, ...Object.values(written), DEBIAN], async (id) => {
    const context = path.join(options.files.folder, 'context', name);
    fs.rmSync(context, { recursive: true, force: true });
    fs.cpSync(folder, context, { recursive: true });
    for (const [file, text] of Object.entries(written)) fs.writeFileSync(path.join(context, file), text);
    const words = ['build', '--quiet', '--tag', image, '--label', `${LABEL}=${id}`];
    for (const [key, value] of Object.entries(args)) words.push('--build-arg', `${key}=${value}`);
    for (const [key, value] of Object.entries(contexts))
      words.push('--build-context', `${key}=${typeof value === 'string' ? value : await value()}`);
    await options.docker.run([...words, context]);
  });
}

/** The files of a package of npm that brings all it needs. */
async function packed({ folder }: DockerFiles, name: string) {
  const into = path.join(folder, 'packages', name);
  fs.rmSync(into, { recursive: true, force: true });
  fs.mkdirSync(into, { recursive: true });
  const file = (await runCommand('npm', ['pack', '--silent', '--pack-destination', into, name])).trim();
  await runCommand('tar', ['-xzf', path.join(into, file), '-C', into]);
  return path.join(into, 'package');
}

/** A folder with a package of npm and those that it needs. */
async function installed({ folder }: DockerFiles, name: string) {
  const into = path.join(folder, 'packages', name);
  fs.mkdirSync(into, { recursive: true });
  await runCommand('npm', [
    'install',
    '--prefix',
    into,
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    name,
  ]);
  return into;
}
