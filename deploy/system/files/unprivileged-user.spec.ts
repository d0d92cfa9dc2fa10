import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { canReach } from './unprivileged-user.ts';

it('cannot walk below a folder that is closed to others', () => {
  const closed = fs.mkdtempSync(path.join(os.tmpdir(), 'can-reach-'));
  const stranger = { uid: 54_321 };
  expect(canReach(path.join(closed, 'not/there/yet'), stranger)).toBe(false);
  expect(canReach(closed, null)).toBe(true);
  fs.chmodSync(closed, 0o711);
  expect(canReach(path.join(closed, 'not/there/yet'), stranger)).toBe(true);
  fs.rmdirSync(closed);
});
