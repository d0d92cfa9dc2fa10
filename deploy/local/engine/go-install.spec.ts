import { expect, it } from '@jest/globals';
import { isGoRecent } from './go-install.ts';

it.each([
  ['go version go1.26.8 linux/amd64', true],
  ['go version go1.25 linux/amd64', true],
  ['go version go2.0 linux/amd64', true],
  ['go version go1.24.9 linux/amd64', false],
  ['no go', false],
])('%s can build it: %s', (text, answer) => expect(isGoRecent(text)).toBe(answer));
