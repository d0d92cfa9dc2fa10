import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FILES, imagesIn, pinned } from '../pin-images.mjs';
import { type TemporaryFolder, temporaryFolder } from '../system/files/temporary-folder.ts';
import { ROOT } from '../system/paths.mjs';
import { nodeProgram } from '../system/processes/node-program.mjs';

const DIGEST = `sha256:${'0123456789abcdef'.repeat(4)}`;

describe('the images of others', () => {
  const named = FILES.flatMap((file) => imagesIn(fs.readFileSync(path.join(ROOT, file), 'utf8')));

  it('are named by a tag, and by a valid digest where one stands beside it', () => {
    expect(new Set(named.map(({ image }) => image.split(':')[0]))).toEqual(
      new Set(['haproxy', 'mongo', 'nats', 'node']),
    );
    for (const { image, digest } of named)
      expect([image, digest]).toEqual([image, digest === null ? null : expect.stringMatching(/^sha256:[0-9a-f]{64}$/)]);
  });

  it('are pinned all or none, one image to one digest', () => {
    expect(new Set(named.map(({ digest }) => digest === null)).size).toBe(1);
    const byImage = new Map(named.map(({ image, digest }) => [image, digest]));
    for (const { image, digest } of named) expect(digest).toBe(byImage.get(image));
  });
});

describe('deploy/pin-images.mjs', () => {
  let made: TemporaryFolder;
  beforeAll(() => {
    made = temporaryFolder();
    fs.mkdirSync(path.join(made.folder, 'deploy'));
    for (const file of FILES) fs.copyFileSync(path.join(ROOT, file), path.join(made.folder, file));
  });
  afterAll(() => made.remove());

  const run = (answer: string) => {
    // A fake of Docker's program: this machine may have none, and tests use no registry.
    fs.writeFileSync(path.join(made.folder, 'docker'), `#!/bin/sh\necho "${answer}"\n`, { mode: 0o755 });
    return spawnSync(nodeProgram(), [path.join(ROOT, 'deploy/pin-images.mjs')], {
      cwd: made.folder,
      env: { PATH: `${made.folder}:${process.env.PATH}` },
      encoding: 'utf8',
    });
  };
  const read = (file: string) => fs.readFileSync(path.join(made.folder, file), 'utf8');

  it('changes nothing when the registry answers anything but digests', () => {
    const before = FILES.map(read);
    expect(run('unauthorized').status).not.toBe(0);
    expect(FILES.map(read)).toEqual(before);
  });

  it('writes the digest beside the tag of every image, and again in place of the former one', () => {
    expect(run(`sha256:${'f'.repeat(64)}`)).toMatchObject({ status: 0 });
    expect(run(DIGEST)).toMatchObject({ status: 0, stdout: expect.stringContaining(`nats:2.14-alpine ${DIGEST}\n`) });
    for (const file of FILES) {
      const found = imagesIn(read(file));
      expect(found.length).toBeGreaterThan(0);
      for (const { digest } of found) expect(digest).toBe(DIGEST);
      expect(read(file).replaceAll(`@${DIGEST}`, '')).toBe(
        pinned(fs.readFileSync(path.join(ROOT, file), 'utf8'), () => DIGEST).replaceAll(`@${DIGEST}`, ''),
      );
    }
  });

  it('leaves stages of our own alone', () => {
    expect(imagesIn('FROM packages AS build\nFROM node:24-slim AS packages\n')).toEqual([
      { image: 'node:24-slim', digest: null },
    ]);
  });
});
