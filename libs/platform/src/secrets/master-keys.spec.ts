import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { MasterKeys } from './master-keys.js';

const [oldKey, newKey, dataKey] = [randomBytes(32), randomBytes(32), randomBytes(32)];
const before = new MasterKeys('people', { DATA_KEY: oldKey });
const between = new MasterKeys('people', { DATA_KEY: newKey, DATA_KEYS_ALSO_READ: [oldKey] });
const after = new MasterKeys('people', { DATA_KEY: newKey });

describe('master keys', () => {
  it('unwrap keys that any of them wrapped, and wrap with the current one', () => {
    const wrapped = before.wrap(dataKey, 'a');
    expect(between.unwrap(wrapped, 'a')).toEqual(dataKey);
    const anew = between.wrap(dataKey, 'a');
    expect(anew.master).toBe(after.current);
    expect(after.unwrap(anew, 'a')).toEqual(dataKey);
  });

  it('unwrap no key of an unknown master key, or of another context', () => {
    const wrapped = before.wrap(dataKey, 'a');
    expect(() => after.unwrap(wrapped, 'a')).toThrow('not known here');
    expect(() => after.unwrap({ wrapped: wrapped.wrapped }, 'a')).toThrow('not known here');
    expect(() => between.unwrap(wrapped, 'b')).toThrow();
  });

  it('of another service unwrap nothing of this one, even with the same secret', () => {
    const wrapped = before.wrap(dataKey, 'a');
    const other = new MasterKeys('booking', { DATA_KEY: oldKey });
    expect(other.current).not.toBe(before.current);
    expect(() => other.unwrap(wrapped, 'a')).toThrow('not known here');
    expect(() => other.unwrap({ ...wrapped, master: other.current }, 'a')).toThrow();
  });

  it('have distinct names, which do not reveal them', () => {
    expect(before.current).not.toBe(after.current);
    expect(after.current).toMatch(/^[0-9a-f]{16}$/);
    expect(newKey.toString('hex')).not.toContain(after.current);
  });
});
