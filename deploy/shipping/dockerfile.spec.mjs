import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from '../local/paths.mjs';
import { MALLOC_SETTINGS, nodeFlags, SERVICES } from '../local/product-processes.mjs';
import { readDockerfile, readDockerignore } from './dockerfile.mjs';

const stages = readDockerfile();
const image = stages.at(-1);
const isSent = readDockerignore();
const read = (file) => fs.readFileSync(path.join(ROOT, file), 'utf8');
const texts = (stage, word) => stage.instructions.filter((each) => each.word === word).map(({ text }) => text);
const copied = stages
  .flatMap((stage) => texts(stage, 'COPY'))
  .filter((text) => !text.includes('--from='))
  .flatMap((text) => text.split(/\s+/).slice(0, -1));

describe('the Dockerfile', () => {
  it.each(copied)('copies %s, which is there and reaches the builder', (source) => {
    expect(fs.existsSync(path.join(ROOT, source))).toBe(true);
    expect(isSent(source)).toBe(true);
  });

  it('copies the package.json of every workspace before npm ci, which otherwise does not know the lock file', () => {
    const { packages } = JSON.parse(read('package-lock.json'));
    const workspaces = Object.keys(packages).filter((name) => name && !name.includes('node_modules'));
    const manifests = texts(stages[0], 'COPY').map((text) => text.split(/\s+/));
    const single = manifests.filter((words) => words.length === 2);
    expect(single.map(([source]) => source).sort()).toEqual(workspaces.map((name) => `${name}/package.json`).sort());
    for (const [source, target] of single) expect(target).toBe(`${path.dirname(source)}/`);
  });

  it('copies from stages that it has', () => {
    const sources = stages
      .flatMap((stage) => texts(stage, 'COPY'))
      .flatMap((text) => /--from=(\S+)/.exec(text)?.[1] ?? []);
    expect(sources.length).toBeGreaterThan(0);
    for (const source of sources) expect(stages.map(({ name }) => name)).toContain(source);
  });

  it.each([...SERVICES, 'gateway'])('builds %s', (service) => {
    expect(checkService(service)).toEqual({ status: 0, stderr: '' });
    const folder = service === 'gateway' ? service : `services/${service}`;
    const { name, scripts } = JSON.parse(read(`${folder}/package.json`));
    expect(name).toBe(`@swim/${service}`);
    expect(scripts).toHaveProperty('build');
  });

  it.each(['', 'nobody'])("builds nothing for the service '%s'", (service) => {
    expect(checkService(service)).toEqual({
      status: 1,
      stderr: expect.stringContaining(`SERVICE is '${service}'; it must be`),
    });
  });

  it.each([...SERVICES, 'gateway'])('starts a program that %s has', (service) => {
    const words = JSON.parse(texts(image, 'CMD')[0]);
    const entry = words.at(-1);
    expect(words).toEqual(['node', ...nodeFlags('people'), entry]);
    expect(texts(image, 'WORKDIR')).toEqual(['/app/service']);
    expect(fs.existsSync(path.join(ROOT, service === 'gateway' ? service : `services/${service}`, entry))).toBe(true);
  });

  it('keeps processes as small as they are without containers', () => {
    const settings = texts(image, 'ENV').flatMap((text) => text.split(/\s+/));
    for (const [name, value] of Object.entries(MALLOC_SETTINGS)) expect(settings).toContain(`${name}=${value}`);
  });

  it('keeps what the gateway reads beside its program', () => {
    for (const file of [
      'gateway/config/gateway.config.yml',
      'gateway/config/system.config.yml',
      'gateway/openapi.json',
    ]) {
      expect(fs.existsSync(path.join(ROOT, file))).toBe(true);
      expect(isSent(file)).toBe(true);
    }
  });

  it('runs as a user without rights', () => expect(texts(image, 'USER')).toEqual(['node']));

  it('stands on the Node that the tests run on', () => {
    const major = read('.nvmrc').trim();
    expect([stages[0].base, image.base]).toEqual([`node:${major}-slim`, `node:${major}-slim`]);
    expect(process.versions.node.split('.')[0]).toBe(major);
  });
});

describe('the builder', () => {
  it.each(['.env', '.git/config', '.local/secrets.json', 'node_modules/node/bin/node', 'services/people/dist/main.js'])(
    'never sees %s',
    (file) => expect(isSent(file)).toBe(false),
  );
  it.each(['libs/testing/src/index.ts', 'services/people/src/main.ts', 'services/people/tsconfig.build.json'])(
    'sees %s',
    (file) => expect(isSent(file)).toBe(true),
  );
});

/** Runs the Dockerfile's own test of SERVICE. */
function checkService(service) {
  const [script] = texts(stages[1], 'RUN').filter((text) => text.startsWith('case'));
  const { status, stderr } = spawnSync('sh', ['-c', script], { env: { SERVICE: service }, encoding: 'utf8' });
  return { status, stderr };
}
