import { describe, expect, it } from '@jest/globals';
import { readCsv } from './csv.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);
const latin1 = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
const BOM = '\uFEFF';

describe('a CSV file', () => {
  it.each([
    ['UTF-8', utf8('Name,Ort\nJosé Ñandú,Köln')],
    ['UTF-8 with a byte order mark', utf8(`${BOM}Name,Ort\r\nJosé Ñandú,Köln\r\n`)],
    ['Latin-1 with semicolons', latin1('Name;Ort\nJosé Ñandú;Köln\n')],
    [
      'UTF-16 with tabs',
      new Uint8Array(Uint16Array.from(`${BOM}Name\tOrt\nJosé Ñandú\tKöln`, (c) => c.charCodeAt(0)).buffer),
    ],
  ])('in %s has its titles and rows', (_, bytes) => {
    expect(readCsv(bytes)).toEqual({ titles: ['Name', 'Ort'], lines: [{ number: 2, cells: ['José Ñandú', 'Köln'] }] });
  });

  it('has quoted cells with separators and line breaks, and leaves a formula as it is', () => {
    const table = readCsv(utf8('Name,Note\n"Wave, Mia","two\nlines"\n=1+1,=HYPERLINK("http://x")\n'));
    expect(table).toMatchObject({
      lines: [{ cells: ['Wave, Mia', 'two\nlines'] }, { cells: ['=1+1', '=HYPERLINK("http://x")'] }],
    });
  });

  it('leaves out empty lines, and counts the lines as spreadsheets do', () => {
    expect(readCsv(utf8('\nName,Ort\n,\nMia,Bonn\n'))).toMatchObject({ lines: [{ number: 4 }] });
  });

  it.each([
    ['empty', ''],
    ['empty', 'Name,Ort\n'],
    ['broken', 'Name,Ort\n"Mia,Bonn\n'],
    ['tooMany', `Name,Ort\n${'Mia,Bonn\n'.repeat(40_000)}`],
  ])('is rejected where it is %s', (problem, text) => {
    expect(readCsv(utf8(text))).toBe(problem);
  });
});
