const NAME_WIDTH = 46;

/**
 * Writes counts as a table, service by service.
 * @param columns - a name for each of the counts.
 * @param counts - how often each `<service> <command>` came.
 * @returns lines for a person.
 */
export function commandTable(title: string, columns: string[], counts: Map<string, number>[]): string {
  const names = [...new Set(counts.flatMap((each) => [...each.keys()]))].sort();
  const services = [...new Set(names.map((name) => name.split(' ')[0]!))];
  const row = (name: string, cells: string[]) =>
    `  ${name.padEnd(NAME_WIDTH)} ${cells.map((cell, at) => cell.padStart(columns[at]!.length + 3)).join('')}`;
  const figures = (numbers: number[]) => numbers.map((number) => number.toFixed(2));
  const commandsOf = (service: string) =>
    names
      .filter((name) => name.startsWith(`${service} `))
      .map((name) => row(name, figures(counts.map((each) => each.get(name) ?? 0))));
  const sumOf = (service: string) => row(`${service}: together`, figures(totalsOf(counts, `${service} `)));
  return [
    row(title, columns),
    ...services.flatMap((service) => [...commandsOf(service), sumOf(service)]),
    row('all: together', figures(totalsOf(counts))),
    '',
  ].join('\n');
}

/**
 * @param start - of the names that count; all of them by default.
 * @returns the sum of each.
 */
export const totalsOf = (counts: Map<string, number>[], start: string = ''): number[] =>
  counts.map((each) => [...each].reduce((sum, [name, count]) => sum + (name.startsWith(start) ? count : 0), 0));
