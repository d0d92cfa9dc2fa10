import type { SwimmingLevel } from '@swim/sdk';
import { LEVELS } from '../../../api/levels.ts';
import type { Columns, Field } from './columns.ts';
import type { CsvTable, Line } from './csv.ts';

/** Which part of a date such as 3/4/2019 comes first. */
export type DateOrder = 'day' | 'month';

/** How the cells of a file are read. */
export interface Reading {
  readonly columns: Columns;
  readonly order: DateOrder;
  /** The code of the country for phone numbers without one, such as +49; empty for none. */
  readonly countryCode: string;
  /** What an emergency contact is to the child where the file does not say. */
  readonly relationship: string;
  /** The names of levels in the language of the user. */
  readonly levelName: (level: SwimmingLevel) => string;
}

/** A row of an import: a member with its family. */
export type ImportRow = Readonly<Record<string, unknown>>;

const SPLIT_DATE = /^(\d{1,4})([./-])(\d{1,2})\2(\d{1,4})(?:[ T].*)?$/;

/** The year of two digits that is not in the future. */
function yearOf(digits: string): string {
  if (digits.length !== 2) return digits.padStart(4, '0');
  const century = Number(digits) <= new Date().getFullYear() % 100 ? '20' : '19';
  return century + digits;
}

/** A date as YYYY-MM-DD; as it stands where it is none, so that the API says so. */
export function dateOf(text: string, order: DateOrder): string {
  const [, first = '', sign, second = '', third = ''] = SPLIT_DATE.exec(text) ?? [];
  if (!sign) return text;
  const two = (digits: string) => digits.padStart(2, '0');
  if (first.length === 4) return `${first}-${two(second)}-${two(third)}`;
  const isDayFirst = sign === '.' || order === 'day';
  return `${yearOf(third)}-${two(isDayFirst ? second : first)}-${two(isDayFirst ? first : second)}`;
}

/** Which part of these dates comes first; null where each could be read both ways. */
export function orderOf(dates: readonly string[]): DateOrder | null {
  const typed = dates.map((each) => SPLIT_DATE.exec(each)?.slice(1) ?? []);
  const parts = typed.filter(([first = '', sign]) => sign !== '.' && first.length !== 4);
  if (parts.some(([first]) => Number(first) > 12)) return 'day';
  return parts.some(([, , second]) => Number(second) > 12) ? 'month' : null;
}

/** Whether some of these dates could be read both ways. */
export const isAmbiguous = (dates: readonly string[]): boolean =>
  orderOf(dates) === null && dates.some((each) => /^\d{1,2}[/-]\d{1,2}[/-]\d{2,4}/.test(each));

const plain = (text: string): string => text.toLowerCase().replace(/[^\p{L}\d]/gu, '');

/** The level that a file names: as the API or the pages do, or by its number from 1 to 6; undefined for another name. */
export function levelOf(text: string, nameOf: (level: SwimmingLevel) => string): SwimmingLevel | undefined {
  const [number] = /[1-6](?!\d)/.exec(/^(?:\D*\s)?[1-6]$/.test(text) ? text : '') ?? [];
  if (number) return LEVELS[Number(number) - 1];
  return LEVELS.find((level) => plain(level) === plain(text) || plain(nameOf(level)) === plain(text));
}

function phoneOf(text: string, countryCode: string): string {
  const digits = text.replace(/\D/g, '');
  if (text.startsWith('+')) return `+${digits}`;
  if (digits.startsWith('00')) return `+${digits.slice(2)}`;
  const code = countryCode.replace(/\D/g, '');
  return code && digits ? `+${code}${digits.replace(/^0/, '')}` : text;
}

const cellsOf =
  ({ cells }: Line, columns: Columns) =>
  (field: Field): string =>
    cells[columns[field] ?? -1] ?? '';

/** The fields that have a text. */
const given = (fields: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(Object.entries(fields).filter(([, text]) => text));

function contactOf(cell: (field: Field) => string, { countryCode, relationship }: Reading) {
  const [name, phone] = [cell('contactName'), cell('contactPhone')];
  if (!name && !phone) return {};
  const number = phoneOf(phone, countryCode);
  return { emergency_contact: { name, phone: number, relationship: cell('contactRelationship') || relationship } };
}

/** The row of an import for a line of the file. A cell without a text is left out. */
export function rowOf(line: Line, reading: Reading): ImportRow {
  const cell = cellsOf(line, reading.columns);
  const name = cell('name') || [cell('first'), cell('last')].filter(Boolean).join(' ');
  const guardian = [cell('familyFirst'), cell('familyLast')].filter(Boolean).join(' ');
  const language = cell('familyLanguage').slice(0, 2).toLowerCase();
  return {
    ...given({ external_id: cell('id') }),
    name,
    date_of_birth: dateOf(cell('born'), reading.order),
    ...given({ swimming_level: levelOf(cell('level'), reading.levelName), medical_notes: cell('notes') }),
    ...contactOf(cell, reading),
    family: {
      ...given({ external_id: cell('familyId') }),
      email: cell('familyEmail'),
      name: cell('familyName') || guardian || cell('last') || name,
      ...given({ locale: ['en', 'de', 'es', 'fr'].includes(language) ? language : '' }),
    },
  };
}

/** The levels of a file that are not known: they are left out. */
export function unknownLevels(
  { lines }: CsvTable,
  { columns, levelName }: Pick<Reading, 'columns' | 'levelName'>,
): readonly string[] {
  const named = lines.map((line) => cellsOf(line, columns)('level')).filter(Boolean);
  return [...new Set(named)].filter((text) => levelOf(text, levelName) === undefined);
}

const MOST_AT_ONCE = 500;
/** Less than 256 KiB, with what surrounds the rows. */
const MOST_BYTES = 250_000;

/** The rows of the next request, from a row on. */
export function partFrom(rows: readonly ImportRow[], from: number): readonly ImportRow[] {
  const bytesOf = (row: ImportRow) => new TextEncoder().encode(JSON.stringify(row)).length + 1;
  let bytes = 0;
  const part: ImportRow[] = [];
  for (const row of rows.slice(from, from + MOST_AT_ONCE)) {
    bytes += bytesOf(row);
    if (part.length > 0 && bytes > MOST_BYTES) break;
    part.push(row);
  }
  return part;
}
