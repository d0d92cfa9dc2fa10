import { expect, it } from '@jest/globals';
import { debianMirror } from './apt-source.ts';

it('finds the mirror in a one-line source', () =>
  expect(debianMirror('# deb http://old/debian x\ndeb [arch=amd64] http://mirror.test/debian bookworm main\n')).toBe(
    'http://mirror.test/debian',
  ));

it('finds the mirror in a stanza', () =>
  expect(debianMirror('Types: deb\nURIs: http://mirror.test/debian-security http://mirror.test/debian/\n')).toBe(
    'http://mirror.test/debian/',
  ));

it('ignores archives that are no mirror of Debian', () =>
  expect(
    debianMirror('deb http://mirror.test/ubuntu noble main\nURIs: http://mirror.test/debian-security\n'),
  ).toBeNull());
