import { describe, expect, it } from '@jest/globals';
import { readNames } from '../debian/private-apt.ts';
import { choosePackages } from './choose-packages.ts';

// These texts are the output of `apt-cache search --names-only` for three releases of Debian in November 2026.
const SID = `postgresql-18-documentdb - MongoDB-compatible open source document database built on PostgreSQL
golang-1.26-go - Go programming language compiler, linker, compiled stdlib
golang-1.27-go - Go programming language compiler, linker, compiled stdlib
patchelf - modify properties of ELF executables
postgresql-18-rum - PostgreSQL RUM access method
`;
const TRIXIE = `golang-1.24-go - Go programming language compiler, linker, compiled stdlib
patchelf - modify properties of ELF executables
postgresql-17-rum - PostgreSQL RUM access method
`;
const BOOKWORM = `golang-1.19-go - Go programming language compiler, linker, compiled stdlib
patchelf - modify properties of ELF executables
postgresql-15-rum - PostgreSQL RUM access method
`;
const choose = (printed: string, withGo = true) => choosePackages(readNames(printed), { withGo });

describe('the packages of the engine', () => {
  it('are the newest that the release has', () => {
    expect(choose(SID)).toEqual({
      postgres: '18',
      go: '1.27',
      packages: ['postgresql-18-documentdb', 'postgresql-18-rum', 'patchelf', 'golang-1.27-go'],
    });
  });

  it('leave Go out where the machine has one', () => {
    expect(choose(SID, false)).toEqual({
      postgres: '18',
      go: null,
      packages: ['postgresql-18-documentdb', 'postgresql-18-rum', 'patchelf'],
    });
  });

  it('are the newest by number, not alphabetically', () => {
    const later = SID.replaceAll('postgresql-18', 'postgresql-9').replaceAll('golang-1.27', 'golang-1.100');
    const both = `${SID}${later}${SID.replaceAll('postgresql-18', 'postgresql-19')}`;
    expect(choose(both)).toMatchObject({ postgres: '19', go: '1.100' });
  });

  it('are of one PostgreSQL: a newer one that has DocumentDB alone does not count', () => {
    expect(choose(`${SID}postgresql-19-documentdb - MongoDB-compatible\n`).postgres).toBe('18');
  });

  it.each([
    ['trixie', TRIXIE, 'of this kind it has golang-1.24-go, patchelf, postgresql-17-rum'],
    ['bookworm', BOOKWORM, 'of this kind it has golang-1.19-go, patchelf, postgresql-15-rum'],
    ['an empty list', '', 'it has nothing of this kind'],
  ])('cannot be had of %s, and the error says what is there', (_, printed, has) => {
    expect(() => choose(printed)).toThrow(
      `the Debian mirror lacks a PostgreSQL with DocumentDB (postgresql-*-documentdb and postgresql-*-rum); ${has}`,
    );
  });

  it('need a Go that can build FerretDB, unless the machine has one', () => {
    const old = SID.replaceAll('golang-1.27', 'golang-1.24').replaceAll('golang-1.26', 'golang-1.19');
    expect(() => choose(old)).toThrow('lacks a Go of 1.25 or later (golang-*-go); of this kind it has golang-1.19-go');
    expect(choose(old, false).postgres).toBe('18');
  });
});
