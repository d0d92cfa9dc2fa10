const NAME_WIDTH = 34;

/**
 * Writes counts as a table, service by service.
 * @param {string} title
 * @param {string[]} columns a name for each of the counts.
 * @param {Map<string, number>[]} counts how often each `<service> <command>` came.
 * @returns {string} lines for a person.
 */
export function commandTable(title, columns, counts) {
  const names = [...new Set(counts.flatMap((each) => [...each.keys()]))].sort();
  const services = [...new Set(names.map((name) => name.split(' ')[0]))];
  const row = (name, cells) =>
    `  ${name.padEnd(NAME_WIDTH)} ${cells.map((cell, at) => cell.padStart(columns[at].length + 3)).join('')}`;
  const figures = (numbers) => numbers.map((number) => number.toFixed(2));
  const commandsOf = (service) =>
    names
      .filter((name) => name.startsWith(`${service} `))
      .map((name) => row(name, figures(counts.map((each) => each.get(name) ?? 0))));
  const sumOf = (service) => row(`${service}: together`, figures(totalsOf(counts, `${service} `)));
  return [
    row(title, columns),
    ...services.flatMap((service) => [...commandsOf(service), sumOf(service)]),
    row('all: together', figures(totalsOf(counts))),
    '',
  ].join('\n');
}

/**
 * @param {Map<string, number>[]} counts
 * @param {string} [start] of the names that count; all of them by default.
 * @returns {number[]} the sum of each.
 */
export const totalsOf = (counts, start = '') =>
  counts.map((each) => [...each].reduce((sum, [name, count]) => sum + (name.startsWith(start) ? count : 0), 0));
