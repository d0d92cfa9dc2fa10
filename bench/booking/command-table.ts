import type { Counts } from './counting.ts';

const NAME_WIDTH = 46;

/**
 * Formats counts as a table, grouped by service.
 * @param columns - a title for each of the counts.
 * @param counts - the number of commands by `<service> <command>`.
 */
export function commandTable(title: string, columns: string[], counts: Counts[]): string {
  const names = [...new Set(counts.flatMap((each) => [...each.keys()]))].sort();
  const services = [...new Set(names.map((name) => name.split(' ')[0]!))];
  const row = (name: string, cells: string[]) =>
    `  ${name.padEnd(NAME_WIDTH)} ${cells.map((cell, at) => cell.padStart(columns[at]!.length + 3)).join('')}`;
  const figures = (name: string, of: (each: Counts) => number) =>
    row(
      name,
      counts.map((each) => of(each).toFixed(2)),
    );
  const linesOf = (service: string) => [
    ...names
      .filter((name) => name.startsWith(`${service} `))
      .map((name) => figures(name, (each) => each.get(name) ?? 0)),
    figures(`${service}: together`, (each) => totalOf(each, `${service} `)),
  ];
  return [row(title, columns), ...services.flatMap(linesOf), figures('all: together', totalOf), ''].join('\n');
}

/** @param start - the prefix of the names that are summed; all names by default. */
export const totalOf = (counts: Counts, start: string = ''): number =>
  [...counts].reduce((sum, [name, count]) => sum + (name.startsWith(start) ? count : 0), 0);
