import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ProcessName } from '@swim/contracts';
import { MALLOC_SETTINGS, NODE_FLAGS, SERVICES } from '../local/stack/product-processes.ts';
import { type TemporaryFolder, temporaryFolder } from '../system/files/temporary-folder.ts';
import { ROOT } from '../system/paths.mjs';
import { nodeProgram } from '../system/processes/node-program.mjs';
import { freePort, waitUntil } from '../system/processes/ports.ts';
import { readCompose } from './compose-file.ts';
import { COMMAND, DOCKERFILE } from './dockerfile.ts';
import { makeSecrets } from './secrets.ts';

const WITHIN_MS = 120_000;
const { services } = readCompose({});
const secrets = makeSecrets();
const read = (file: string) => fs.readFileSync(path.join(ROOT, file), 'utf8');

let made: TemporaryFolder;
beforeAll(() => {
  made = temporaryFolder();
});
afterAll(() => {
  made.remove();
  secrets.remove();
});

const assemble = (service: string, out: string) =>
  spawnSync('sh', ['deploy/assemble-image.sh', service, out], { cwd: ROOT, encoding: 'utf8' });

/** Installs the packages as npm does for this process alone. */
function installPackages(service: string, out: string) {
  const args = ['ls', '--omit=dev', `--workspace=@swim/${service}`, '--all', '--parseable', '--loglevel=error'];
  const listed = execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8' }).split('\n');
  const places = listed.map((each) => path.relative(ROOT, each)).filter((each) => each.startsWith('node_modules'));
  const isNested = (place: string) => places.some((other) => place.startsWith(`${other}${path.sep}`));
  for (const place of places.filter((each) => !isNested(each))) link(path.join(ROOT, place), path.join(out, place));
}

/** Hard links replace copies, which would be tens of megabytes for each image. Symbolic links are copied. */
function link(from: string, to: string) {
  const stats = fs.lstatSync(from);
  fs.mkdirSync(path.dirname(to), { recursive: true });
  // Packages of the workspace are symbolic links: in the image they point to the assembled folders.
  if (stats.isSymbolicLink()) return fs.symlinkSync(fs.readlinkSync(from), to);
  if (!stats.isDirectory()) return linkFile(from, to);
  fs.mkdirSync(to, { recursive: true });
  for (const name of fs.readdirSync(from)) link(path.join(from, name), path.join(to, name));
}

function linkFile(from: string, to: string) {
  try {
    fs.linkSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    fs.copyFileSync(from, to);
  }
}

/** Starts the process as the image does, with the environment of the compose file. */
async function boot(service: ProcessName, out: string) {
  const [, ...args] = services[service].command ?? COMMAND;
  const port = await freePort();
  const env = {
    ...secrets.mount(services[service]),
    NATS_URL: 'nats://127.0.0.1:1',
    HEALTH_PORT: String(port),
    HEALTH_HOST: '127.0.0.1',
  };
  const child = spawn(nodeProgram(), args, { cwd: path.join(out, 'service'), env });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => (printed += bytes));
  // When the process connects to NATS, it has read its configuration and loaded all of its imports.
  const isUp = async () => printed.includes('nats cannot be reached');
  await waitUntil(isUp, WITHIN_MS, () => child.exitCode !== null);
  const health = await fetch(`http://127.0.0.1:${port}/live`).then(
    ({ status }) => status,
    () => null,
  );
  if (child.exitCode === null) {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  return { printed, health };
}

// The images of services differ in their packages: `npm run chaos` assembles all.
const assembled: ProcessName[] = process.env.CHAOS ? [...SERVICES, 'gateway'] : ['payment', 'gateway'];

describe.each(assembled)('the image of %s', (service) => {
  it(
    'holds all that its process needs to run, and no sources',
    async () => {
      const out = path.join(made.folder, service);
      expect(assemble(service, out)).toMatchObject({ status: 0, stderr: '' });
      expect(fs.readdirSync(path.join(out, 'libs'))).not.toContain('testing');
      expect(fs.readdirSync(path.join(out, 'service'))).not.toEqual(expect.arrayContaining(['src']));
      const hasDashboard = fs.existsSync(path.join(out, 'service/dashboard/dist/index.html'));
      expect([hasDashboard, fs.existsSync(path.join(out, 'service/dashboard/src'))]).toEqual([
        service === 'gateway',
        false,
      ]);
      installPackages(service, out);
      const { printed, health } = await boot(service, out);
      expect(printed).toContain('nats cannot be reached');
      expect(health).toBe(200);
      fs.rmSync(out, { recursive: true });
    },
    2 * WITHIN_MS,
  );
});

it.each(['', 'nobody'])("no image is assembled for the service '%s'", (service) => {
  const { status, stderr } = assemble(service, path.join(made.folder, 'nobody'));
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: expect.stringContaining(`SERVICE is '${service}'; it must be`),
  });
});

describe('the Dockerfile', () => {
  const copied = [...DOCKERFILE.matchAll(/^COPY (?!--)(.+) \S+$/gm)].flatMap(([, sources = '']) => sources.split(' '));

  it('copies what is there, and nothing that .dockerignore keeps from the builder', () => {
    const sent = read('.dockerignore').split('\n');
    const isSent = (file: string) => sent.includes(`!${file}`) || sent.includes(`!${file.split('/')[0]}`);
    expect(copied.filter((file) => !fs.existsSync(path.join(ROOT, file)) || !isSent(file))).toEqual([]);
    expect(sent[1]).toBe('*');
  });

  it('copies the package.json of every workspace before npm ci, which otherwise does not know the lock file', () => {
    const { packages } = JSON.parse(read('package-lock.json'));
    const workspaces = Object.keys(packages).filter((name) => name && !name.includes('node_modules'));
    const lines = workspaces.map((name) => `COPY ${name}/package.json ${name}/`);
    expect(DOCKERFILE.split('\n')).toEqual(expect.arrayContaining(lines));
  });

  it.each([...SERVICES, 'gateway'])('builds every package of the workspace that %s needs to run', (service) => {
    const filter = /turbo run build bundle --filter="([^"]+)"/.exec(DOCKERFILE)?.[1]?.replace('$SERVICE', service);
    const turbo = path.join(ROOT, 'node_modules/.bin/turbo');
    const planned = JSON.parse(
      execFileSync(turbo, ['run', 'build', 'bundle', `--filter=${filter}`, '--dry=json'], {
        cwd: ROOT,
        encoding: 'utf8',
      }),
    ) as { tasks: { package: string }[] };
    const folder = service === 'gateway' ? 'gateway' : `services/${service}`;
    const needed = Object.keys(JSON.parse(read(`${folder}/package.json`)).dependencies);
    const own = needed.filter((name) => name.startsWith('@swim/'));
    const packages = planned.tasks.map((task) => task.package);
    expect(packages).toEqual(expect.arrayContaining([`@swim/${service}`, ...own]));
    expect(packages.includes('@swim/dashboard')).toBe(service === 'gateway');
  });

  it('keeps processes as small as they are without containers, and runs them as a user without rights', () => {
    const lines = DOCKERFILE.split('\n');
    for (const [name, value] of Object.entries(MALLOC_SETTINGS))
      expect(lines.find((line) => line.startsWith('ENV NODE_ENV'))).toContain(`${name}=${value}`);
    const command = JSON.stringify(['node', ...NODE_FLAGS, 'bundle/main.js']).replaceAll(',', ', ');
    expect(lines).toEqual(expect.arrayContaining(['USER node', 'WORKDIR /app/service', `CMD ${command}`]));
  });
});
