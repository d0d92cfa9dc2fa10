import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { findOnPath } from './find-on-path.mjs';

it('finds the first executable file, and no folder or plain file of that name', () => {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'find-on-path-'));
  for (const name of ['folder/mongod', 'plain', 'program']) fs.mkdirSync(path.join(root, name), { recursive: true });
  fs.writeFileSync(path.join(root, 'plain/mongod'), '', { mode: 0o644 });
  fs.writeFileSync(path.join(root, 'program/mongod'), '', { mode: 0o755 });
  const searched = ['', 'absent', 'folder', 'plain', 'program'].map((name) => name && path.join(root, name));

  expect(findOnPath('mongod', searched.join(path.delimiter))).toBe(path.join(root, 'program/mongod'));
  expect(findOnPath('mongod', searched.slice(0, 4).join(path.delimiter))).toBeNull();
  fs.rmSync(root, { recursive: true });
});
