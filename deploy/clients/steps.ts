/** The steps of the story that each client runs. Its program prints a line that begins with the name of each step that is done. */
export const STEPS = [
  'find',
  'book',
  'conflict',
  'pay',
  'quote',
  'cancel',
  'pages',
  'events',
  'dates',
  'metadata',
] as const;

/** How many steps, from the first on, a program has reported as done, in their order. */
export function stepsIn(output: string): number {
  const names = output.split('\n').flatMap((line) => /^(\w+): ./.exec(line)?.[1] ?? []);
  const wrong = STEPS.findIndex((step, index) => names[index] !== step);
  return wrong < 0 ? STEPS.length : wrong;
}

/** What became of one client. */
export interface Outcome {
  client: string;
  compiled: string;
  story: string;
  isGood: boolean;
}

/** The outcomes as a table in plain text. */
export function tableOf(outcomes: readonly Outcome[]): string {
  const rows = [
    ['client', 'compiled', 'story'],
    ...outcomes.map(({ client, compiled, story }) => [client, compiled, story]),
  ];
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
