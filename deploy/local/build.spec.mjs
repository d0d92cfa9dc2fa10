import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { fingerprint } from './build.mjs';

it('changes with a source that is written, appears or goes, and with nothing else', () => {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'fingerprint-'));
  const write = (name, text) => {
    fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    fs.writeFileSync(path.join(root, name), text);
    return fingerprint([root, path.join(root, 'absent')]);
  };
  const first = write('src/a.ts', 'a');
  expect(write('dist/a.js', 'a')).toBe(first);
  expect(write('node_modules/b/index.js', 'b')).toBe(first);
  const second = write('src/a.ts', 'longer');
  const third = write('src/b.ts', '');
  expect(new Set([first, second, third]).size).toBe(3);
  fs.rmSync(path.join(root, 'src/b.ts'));
  expect(fingerprint([root])).toBe(second);
  fs.rmSync(root, { recursive: true });
});
