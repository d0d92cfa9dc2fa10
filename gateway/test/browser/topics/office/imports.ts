import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Family } from '@swim/contracts';
import { anOwner, button, type Owner, open } from '../../browser-fixtures.js';
import { examine } from '../../examination.js';

const TITLES = 'Fam ID;Family;Contact #1 Email;Stu ID;Student First Name;Student Last Name;DOB;Level';

/** A file as Excel writes it for a school in Europe: Latin-1, with semicolons. */
const fileOf = (...rows: string[]) => ({
  name: 'students.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from([TITLES, ...rows, ''].join('\r\n'), 'latin1'),
});

const WAVES = 'F1;Wäve;wave@example.test;S1;Mia;Wave;5/24/2017;Level 2';
const FILE = fileOf(
  WAVES,
  WAVES,
  'F1;Wäve;wave@example.test;S2;=1+1;Wave;6/24/2019;Starfish',
  'F2;Brook;no address;S3;Noah;Brook;7/24/2018;',
);

describe('an import of families', () => {
  let owner: Owner;
  beforeAll(async () => {
    owner = await anOwner();
  });
  const families = () => owner.office.read<Family[]>('/families?search=Wäve');

  it('recognises the columns, is checked before anything is changed, and runs, with three clicks', async () => {
    const { page } = owner;
    await open(page, 'sandbox/families/imports');
    await page.getByLabel('CSV file').setInputFiles(FILE);
    await page.getByText('This is an export of Jackrabbit.').waitFor();
    expect(await page.getByLabel('What becomes of Contact #1 Email').inputValue()).toBe('familyEmail');
    await page.getByText('These levels are not known here').waitFor();
    await examine(page, 'school-import-columns');
    await button(page, 'Check 4 rows').click();
    await page.getByText('This is what the import would do.').waitFor();
    await page.getByText('Enter an e-mail address such as name@example.com.').waitFor();
    await page.getByRole('row', { name: 'Noah Brook' }).waitFor();
    await examine(page, 'school-import-checked');
    expect(await families()).toEqual([]);
    await page.reload();
    await button(page, 'Import 3 rows').click();
    await page.getByText('The import is done.').waitFor();
    await examine(page, 'school-import-done');
    expect((await families()).map(({ member_ids: ids }) => ids.length)).toEqual([2]);
    await page.getByRole('link', { name: 'To the families' }).click();
    await page.getByRole('link', { name: '=1+1 Wave' }).waitFor();
  });

  it('goes on after a reload in the middle of its upload, with the same file, and leaves nothing in the browser', async () => {
    const { page } = owner;
    await open(page, 'sandbox/families/imports');
    await page.getByLabel('CSV file').setInputFiles(FILE);
    await page.route('**/rows', (route) => route.fulfill({ status: 503 }));
    await button(page, 'Check 4 rows').click();
    await button(page, 'Go on').waitFor();
    await page.unroute('**/rows');
    await page.reload();
    await page.getByText('0 of 4 rows are uploaded.').waitFor();
    await examine(page, 'school-import-again');
    await page.getByLabel('CSV file').setInputFiles(fileOf(WAVES));
    await page.getByText('This is another file.').waitFor();
    await page.getByLabel('CSV file').setInputFiles(FILE);
    await button(page, 'Import 3 rows').waitFor();
    const kept = await page.evaluate<string>('JSON.stringify([{ ...sessionStorage }, { ...localStorage }])');
    expect(kept).not.toMatch(/wave|mia/i);
    await button(page, 'Import 3 rows').click();
    await page.getByText('The import is done.').waitFor();
    await open(page, 'sandbox/families/imports');
    expect(await page.locator('tbody tr').count()).toBe(2);
  });
});
