import fs from 'node:fs';
import path from 'node:path';
import { goEnvironment, hasGo, OLDEST_GO } from '../../../local/engine/go-install.ts';
import { checkDisk } from '../../../system/files/disk-space.mjs';
import { waitForLock } from '../../../system/files/file-lock.mjs';
import { cacheFolder } from '../../../system/files/folders.ts';
import { runCommand } from '../../../system/processes/run-command.mjs';
import { logProgress } from '../../../system/progress.mjs';

const VERSION = '1.35.4';
/** The libraries of Kubernetes 1.35 are released as 0.35. */
const LIBRARIES = `v0.${VERSION.slice(2)}`;
const MODULE = 'k8s.io/kubernetes';
const NEEDED_MEGABYTES = 8_000;

/**
 * Makes sure that programs of Kubernetes lie in the cache folder: each is built once from its released sources, through Go's proxy.
 * @returns the folder of the programs.
 * @throws a sentence that names what is missing.
 */
export async function installKubernetes(programs: readonly string[], log: (line: string) => void): Promise<string> {
  const folder = path.join(cacheFolder(), `kubernetes-${VERSION}`);
  const bin = path.join(folder, 'bin');
  const isThere = (name: string) => fs.existsSync(path.join(bin, name));
  if (programs.every(isThere)) return bin;
  if (!hasGo()) throw new Error(`no Go ${OLDEST_GO.join('.')} or later is on PATH`);
  const lock = await waitForLock(`${folder}.lock`, (pid) =>
    log(`kubernetes: another set-up builds it (pid ${pid}); waiting for it`),
  );
  try {
    fs.mkdirSync(bin, { recursive: true });
    checkDisk(folder, NEEDED_MEGABYTES, 'the sources and builds of Kubernetes');
    const sources = path.join(folder, 'sources');
    const env = goEnvironment(path.join(folder, 'downloads'));
    await describeModule(sources, env);
    const missing = programs.filter((each) => !isThere(each));
    if (missing.length > 0)
      await logProgress(log, `kubernetes: building ${missing.join(', ')}`, () => build(missing, { sources, bin, env }));
    for (const each of ['downloads', 'sources']) fs.rmSync(path.join(folder, each), { recursive: true, force: true });
  } finally {
    lock.release();
  }
  return bin;
}

/** Kubernetes is no module that others may install: a module of our own takes its requirements, and its libraries as released. */
async function describeModule(folder: string, env: NodeJS.ProcessEnv) {
  fs.mkdirSync(folder, { recursive: true });
  const go = (...words: string[]) => runCommand('go', words, { cwd: folder, env });
  const { Dir: its } = JSON.parse(await go('mod', 'download', '-json', `${MODULE}@v${VERSION}`)) as { Dir: string };
  const requirements = fs
    .readFileSync(path.join(its, 'go.mod'), 'utf8')
    .replace(/^module .*/m, 'module built/kubernetes')
    .replace(/=> \.\/staging\/src\/(k8s\.io\/[a-z0-9-]+)/g, `=> $1 ${LIBRARIES}`);
  fs.writeFileSync(path.join(folder, 'go.mod'), requirements);
  fs.writeFileSync(path.join(folder, 'go.sum'), fs.readFileSync(path.join(its, 'go.sum')));
  const own = `${MODULE}@v${VERSION}`;
  await go('mod', 'edit', '-require', own, '-replace', `${MODULE}=${own}`);
}

async function build(names: string[], { sources, bin, env }: { sources: string; bin: string; env: NodeJS.ProcessEnv }) {
  const version = 'k8s.io/component-base/version';
  const [major, minor] = VERSION.split('.');
  const values = { gitVersion: `v${VERSION}`, gitMajor: major, gitMinor: minor };
  const flags = ['-s', '-w', ...Object.entries(values).map(([key, value]) => `-X ${version}.${key}=${value}`)];
  const unfinished = path.join(sources, 'built');
  fs.mkdirSync(unfinished, { recursive: true });
  const words = ['build', '-mod=mod', '-trimpath', `-ldflags=${flags.join(' ')}`, '-o', unfinished];
  await runCommand('go', [...words, ...names.map((name) => `${MODULE}/cmd/${name}`)], { cwd: sources, env });
  // The rename comes last, so that a program of this name is complete.
  for (const name of names) fs.renameSync(path.join(unfinished, name), path.join(bin, name));
  return VERSION;
}
