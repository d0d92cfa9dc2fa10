import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { arePeppersClear, pepperSettings, versionOf } from './pepper-settings.js';

const [one, two] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const [first, second] = [one.toString('base64'), two.toString('base64')];
const read = (settings: object) => z.object(pepperSettings).parse({ KEY_PEPPER: first, ...settings });

describe('the peppers', () => {
  it('default to one, of version 1', () => {
    expect(read({})).toEqual({
      KEY_PEPPER: { bytes: one, version: null },
      KEY_PEPPER_VERSION: 1,
      KEY_PEPPERS: new Map(),
    });
  });

  it('names its version beside it, so that both change at once', () => {
    const settings = read({ KEY_PEPPER: `2:${second}`, KEY_PEPPERS: `1:${first},2:${second}` });
    expect(versionOf(settings)).toBe(2);
    expect(settings.KEY_PEPPER.bytes).toEqual(two);
    expect(arePeppersClear(settings)).toBe(true);
    expect(versionOf(read({ KEY_PEPPER_VERSION: '3' }))).toBe(3);
    for (const KEY_PEPPER of [`0:${first}`, '2:', `2:${first.slice(4)}`, ''])
      expect(() => read({ KEY_PEPPER })).toThrow('must be 32 bytes in base64');
  });

  it('of other versions are read by their version', () => {
    const { KEY_PEPPERS } = read({ KEY_PEPPERS: `2:${second}, 30:${first},` });
    expect(KEY_PEPPERS).toEqual(
      new Map([
        [2, two],
        [30, one],
      ]),
    );
  });

  it.each([
    second,
    `0:${second}`,
    `x:${second}`,
    '2:',
    `2:${second.slice(4)}`,
    `2:${second},2:${first}`,
    `-1:${second}`,
  ])('of other versions are not %j', (KEY_PEPPERS) => {
    expect(() => read({ KEY_PEPPERS })).toThrow('must be <version>:<32 bytes in base64>, each version once');
  });

  it.each(['0', '1.5', 'x', '1000000'])('have no version %s', (KEY_PEPPER_VERSION) => {
    expect(() => read({ KEY_PEPPER_VERSION })).toThrow();
  });

  it('are valid only when each version has one pepper', () => {
    expect(arePeppersClear(read({}))).toBe(true);
    expect(arePeppersClear(read({ KEY_PEPPERS: `1:${first},2:${second}` }))).toBe(true);
    expect(arePeppersClear(read({ KEY_PEPPERS: `1:${second}` }))).toBe(false);
  });
});
