import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ProcessName } from '@swim/contracts';
import { MALLOC_SETTINGS, NODE_FLAGS, SERVICES } from '../local/stack/product-processes.ts';
import { type TemporaryFolder, temporaryFolder } from '../system/files/temporary-folder.ts';
import { ROOT } from '../system/paths.mjs';
import { nodeProgram, pathWithPackages } from '../system/processes/node-program.mjs';
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

const run = (program: string, service: string, out: string) =>
  spawnSync(nodeProgram(), [program, service, out], { cwd: ROOT, encoding: 'utf8', env: { PATH: pathWithPackages() } });
const assemble = (service: string, out: string) => run('deploy/assemble-image.ts', service, out);

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
      expect(fs.readdirSync(out).sort()).toEqual(
        ['gateway', 'people'].includes(service) ? ['node_modules', 'service'] : ['service'],
      );
      expect(fs.readdirSync(path.join(out, 'service'))).not.toEqual(expect.arrayContaining(['src']));
      const hasDashboard = fs.existsSync(path.join(out, 'service/dashboard/dist/index.html'));
      expect([hasDashboard, fs.existsSync(path.join(out, 'service/dashboard/src'))]).toEqual([
        service === 'gateway',
        false,
      ]);
      const { printed, health } = await boot(service, out);
      expect(printed).toContain('nats cannot be reached');
      expect(health).toBe(200);
      fs.rmSync(out, { recursive: true });
    },
    2 * WITHIN_MS,
  );
});

it('an image tells which packages it is made of, and their licences', () => {
  const out = path.join(made.folder, 'described');
  expect(run('deploy/describe-packages.ts', 'people', out)).toMatchObject({ status: 0, stderr: '' });
  const { metadata, components } = JSON.parse(fs.readFileSync(path.join(out, 'sbom.cdx.json'), 'utf8'));
  expect(metadata.component.name).toBe('swim-lesson-scheduling-people');
  const names = components.map(({ purl }: { purl: string }) => purl.split('@').slice(0, -1).join('@'));
  expect(names).toEqual(expect.arrayContaining(['pkg:npm/mongoose', 'pkg:npm/%40node-rs/argon2']));
  expect(names).not.toContain('pkg:npm/jest');
  const licences = fs.readFileSync(path.join(out, 'LICENCES.txt'), 'utf8');
  expect(licences).toMatch(/^mongoose [\d.]+: MIT\n\n# MIT License|^mongoose [\d.]+: MIT$/m);
  expect(licences).not.toContain('no licence named');
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

  it('keeps processes as small as they are without containers, and runs them as a user without rights', () => {
    const lines = DOCKERFILE.split('\n');
    for (const [name, value] of Object.entries(MALLOC_SETTINGS))
      expect(lines.find((line) => line.includes('NODE_ENV=production'))).toContain(`${name}=${value}`);
    const command = JSON.stringify(['node', ...NODE_FLAGS, 'bundle/main.js']).replaceAll(',', ', ');
    expect(lines).toEqual(
      expect.arrayContaining(['FROM scratch', 'USER node', 'WORKDIR /app/service', `CMD ${command}`]),
    );
  });
});
