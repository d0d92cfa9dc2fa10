import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { readJson, writeJson } from './json-file.ts';

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'json-file-'));
});
afterEach(() => fs.rmSync(folder, { recursive: true }));

it('replaces the whole file and leaves nothing beside it', () => {
  const file = path.join(folder, 'a/stack.json');
  writeJson(file, {
    processes: [
      { name: 'gateway', pid: 1 },
      { name: 'people', pid: 2 },
    ],
  });
  const before = fs.statSync(file).ino;
  writeJson(file, { processes: [] });
  expect(readJson(file)).toEqual({ processes: [] });
  expect(fs.statSync(file).ino).not.toBe(before);
  expect(fs.readdirSync(path.dirname(file))).toEqual(['stack.json']);
});

it('keeps a secret from others', () => {
  const file = path.join(folder, 'secrets.json');
  writeJson(file, {}, 0o600);
  expect(fs.statSync(file).mode & 0o777).toBe(0o600);
});

it('reads a file that is not there as null', () => expect(readJson(path.join(folder, 'none'))).toBeNull());
