import { cpuMs, type Pass } from './load.ts';
import type { PassesOf } from './rounds.ts';
import { spreadOf } from './statistics.ts';

const NAME_WIDTH = 26;
const CELL_WIDTH = 16;
const FIGURE_WIDTH = 54;

/** Formats the passes of several subjects as a table with a column for each subject. */
export function describePasses(title: string, passesOf: PassesOf): string {
  const row = (name: string, cell: (passes: Pass[]) => string) => tableRow(name, [...passesOf.values()].map(cell));
  const medians = (name: string, value: (pass: Pass) => number | undefined, digits = 1) =>
    row(name, (passes) =>
      medianOf(passes, (pass) => value(pass) ?? Number.NaN)
        .toFixed(digits)
        .replace('NaN', ''),
    );
  const first = [...passesOf.values()].map(([pass]) => pass!);
  const processes = new Set(first.flatMap(({ residentMbOf }) => [...residentMbOf.keys()]));
  const byProcess =
    processes.size <= first.length
      ? []
      : [...processes].map((name) => medians(`  ${name}`, ({ cpuMsOf }) => cpuMsOf.get(name), 2));
  return [
    title,
    tableRow('', [...passesOf.keys()]),
    medians('requests/s', ({ requestsPerSecond }) => requestsPerSecond),
    row('  smallest to largest', (passes) => {
      const { min, max } = spreadOf(passes.map(({ requestsPerSecond }) => requestsPerSecond));
      return `${min.toFixed(0)}–${max.toFixed(0)}`;
    }),
    medians('p50, ms', ({ p50Ms }) => p50Ms),
    medians('p99, ms', ({ p99Ms }) => p99Ms),
    medians('processor time, ms', cpuMs, 3),
    ...byProcess,
    medians('of one core, %', (pass) => (cpuMs(pass) * pass.requestsPerSecond) / 10, 0),
    medians('load average', ({ loadAverage }) => loadAverage),
    row('turned away', (passes) => String(passes.reduce((sum, { turnedAway }) => sum + turnedAway, 0))),
    '',
  ].join('\n');
}

const tableRow = (name: string, cells: string[]) =>
  `  ${name.padEnd(NAME_WIDTH)}${cells.map((cell) => cell.padStart(CELL_WIDTH)).join('')}`;

export const medianOf = (passes: Pass[], value: (pass: Pass) => number): number => spreadOf(passes.map(value)).median;

/** The limits that a figure must meet. */
export interface Target {
  atMost?: number;
  atLeast?: number;
  unit?: string;
}

/**
 * Formats one figure, and whether it meets its target.
 * @param measured - one value, or a value for each round.
 */
export function figure(name: string, measured: number | number[], { atMost, atLeast, unit }: Target = {}): string {
  const { min, median, max } = spreadOf([measured].flat());
  const shown = (value: number) => (Math.abs(value) < 100 ? value.toFixed(2) : value.toFixed(0));
  const range = max > min ? ` (${shown(min)} to ${shown(max)})` : '';
  const target = atMost === undefined ? (atLeast === undefined ? '' : `at least ${atLeast}`) : `at most ${atMost}`;
  const isMet = median <= (atMost ?? Infinity) && median >= (atLeast ?? -Infinity);
  const verdict = Number.isFinite(median) ? (isMet ? 'met' : 'missed') : 'not measured';
  return `  ${name.padEnd(FIGURE_WIDTH)} ${shown(median)}${unit ? ` ${unit}` : ''}${range}${target && `; target ${target}: ${verdict}`}`;
}
