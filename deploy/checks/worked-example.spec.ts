import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ROOT } from '../system/paths.mjs';
import { applyBlocks, readBlocks } from './worked-example.ts';

const HOW_TO = path.join(ROOT, 'docs/how-to');
const blocks = ['add-an-operation.md', 'add-an-event.md'].flatMap((name) =>
  readBlocks(fs.readFileSync(path.join(HOW_TO, name), 'utf8')),
);
const copy = fs.mkdtempSync(path.join(os.tmpdir(), 'worked-example-'));
const inCopy = (file: string) => path.join(copy, file);
const COPIED = [
  'package.json',
  'tsconfig.base.json',
  '.swcrc',
  'deploy/compile.ts',
  'deploy/test-environment.ts',
  'deploy/test-runtime.ts',
  'jest.config.mjs',
  'libs',
  'services/scheduling',
  'services/notification',
  'gateway/package.json',
  'gateway/src',
  'gateway/docs',
  'gateway/test/fixtures/input-samples.ts',
  'docs/api-examples.json',
];
const TYPED = [
  'libs/contracts/src',
  'services/scheduling/src',
  'services/scheduling/test',
  'services/notification/src',
  'gateway/src',
];

/** Links the product's packages to the copy, and all others to where they are installed. */
function linkPackages() {
  fs.mkdirSync(inCopy('node_modules/@swim'), { recursive: true });
  for (const name of fs.readdirSync(path.join(ROOT, 'node_modules')))
    if (name !== '@swim') fs.symlinkSync(path.join(ROOT, 'node_modules', name), inCopy(`node_modules/${name}`));
  for (const name of fs.readdirSync(inCopy('libs')))
    fs.symlinkSync(inCopy(`libs/${name}`), inCopy(`node_modules/@swim/${name}`));
}

interface RunOptions {
  cwd?: string;
  env?: Record<string, string>;
}

function run(program: string, args: string[], { cwd = copy, env = {} }: RunOptions = {}) {
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
  return status === 0 ? '' : `${stdout}${stderr}` || `exit code ${status}`;
}

const node = (args: string[], options?: RunOptions) => run(process.execPath, args, options);

beforeAll(() => {
  for (const name of COPIED) fs.cpSync(path.join(ROOT, name), inCopy(name), { recursive: true });
  // The configuration of the tests names these folders too.
  for (const name of ['bench', 'gateway/dashboard']) fs.mkdirSync(inCopy(name));
  linkPackages();
  applyBlocks(blocks, copy);
});
afterAll(() => fs.rmSync(copy, { recursive: true, force: true }));

describe('the worked examples of docs/how-to', () => {
  it('stay out of the product', () => {
    const made = blocks.filter(({ place }) => place === 'a new file').map(({ file }) => file);
    expect(made.filter((file) => fs.existsSync(path.join(ROOT, file)))).toEqual([]);
    expect(made.length).toBeGreaterThan(2);
  });

  it('have the right types', () => {
    const config = {
      extends: './tsconfig.base.json',
      compilerOptions: { noEmit: true },
      include: TYPED,
    };
    fs.writeFileSync(inCopy('tsconfig.json'), JSON.stringify(config));
    expect(run(path.join(ROOT, 'node_modules/.bin/tsc'), ['-p', 'tsconfig.json'])).toBe('');
  });

  it('are documented by npm run openapi', () => {
    for (const name of ['libs/contracts', 'gateway'])
      expect(node([inCopy('deploy/compile.ts')], { cwd: inCopy(name) })).toBe('');
    expect(node(['gateway/dist/openapi.js', '--write'])).toBe('');
    const { paths } = JSON.parse(fs.readFileSync(inCopy('gateway/openapi.json'), 'utf8'));
    expect(paths['/pools/{pool_id}/copies'].post).toMatchObject({ operationId: 'copyPool' });
  });

  it('pass their own tests', () => {
    const specs = blocks.map(({ file }) => file).filter((file) => file.endsWith('.spec.ts'));
    const plain = ['--reporters=default', '--testSequencer=@jest/test-sequencer', '--runInBand', '--forceExit'];
    const jest = ['node_modules/jest/bin/jest.js', ...plain, ...specs];
    // No worker of this run has the range 0.
    expect(node(jest, { env: { NODE_OPTIONS: '--experimental-vm-modules', TEST_PORT_RANGE: '0' } })).toBe('');
    expect(specs.length).toBeGreaterThan(3);
  });
});
