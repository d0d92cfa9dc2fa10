import { expect, it } from '@jest/globals';
import { relyingPartyOf } from './relying-party.rules.js';

it.each([
  ['https://api.pool.example/', 'api.pool.example', 'https://api.pool.example'],
  ['http://localhost:8080', 'localhost', 'http://localhost:8080'],
  ['http://127.0.0.1:8080', 'localhost', 'http://localhost:8080'],
  ['http://[::1]:8080', 'localhost', 'http://localhost:8080'],
  ['https://127.example', '127.example', 'https://127.example'],
])('the relying party of %s is %s, with the origin %s', (url, id, origin) => {
  expect(relyingPartyOf(url)).toEqual({ id, origin });
});
