import { milliseconds } from './latency.ts';
import type { Pass } from './load.ts';
import { ratiosOf } from './rounds.ts';
import { spreadOf } from './statistics.ts';
import { describeTurnedAway } from './turned-away.ts';

const NAME_WIDTH = 24;
const MOSTLY_BUSY_PERCENT = 85;
const NOTABLE_MS = 500;

/** Passes of what is compared. */
export interface MeasuredSide {
  name: string;
  passes: Pass[];
}

export interface DescribeFigureOptions {
  title: string;
  ours: MeasuredSide;
  floor: MeasuredSide;
  /** The least ratio that meets it. */
  target: number;
  /** Whether each side has one core, which should be what limits it. */
  isPinned?: boolean | undefined;
}

/**
 * Writes one figure: both sides, their ratio and whether it meets its target.
 * @returns lines for a person.
 */
export function describeFigure({ title, ours, floor, target, isPinned = false }: DescribeFigureOptions): string {
  const { min, median, max } = spreadOf(ratiosOf(ours.passes, floor.passes));
  const verdict = median >= target ? 'met' : 'missed';
  const spread = `min ${min.toFixed(2)}, max ${max.toFixed(2)}, ${ours.passes.length} rounds`;
  return [
    title,
    describeSide(ours),
    describeSide(floor),
    `  ${'ratio'.padEnd(NAME_WIDTH)} ${median.toFixed(2)} (${spread}); target at least ${target.toFixed(2)}: ${verdict}`,
    ...cpuRatio(ours, floor),
    ...(isPinned ? [ours, floor].flatMap(idleNote) : []),
    ...[ours, floor].flatMap(afterNote),
    ...[ours, floor].flatMap(turnedAwayNote),
    '',
  ].join('\n');
}

function describeSide({ name, passes }: MeasuredSide) {
  const rate = spreadOf(passes.map((pass) => pass.requestsPerSecond));
  const [p50, p99] = [medianOf(passes, 'p50Ms'), medianOf(passes, 'p99Ms')];
  const rates = `${amount(rate.median)} requests/s (${amount(rate.min)} to ${amount(rate.max)})`;
  return `  ${name.padEnd(NAME_WIDTH)} ${rates}, p50 ${milliseconds(p50)}, p99 ${milliseconds(p99)}${describeCpu(passes)}`;
}

function describeCpu(passes: Pass[]) {
  if (passes[0]?.cpuMicroseconds === null) return '';
  const [each, share] = [medianOf(passes, 'cpuMicroseconds'), medianOf(passes, 'cpuPercent')];
  return `, ${each.toFixed(0)} µs CPU each, ${share.toFixed(0)} % of a core`;
}

/** CPU time depends little on other load, so on a busy machine it is more reliable than the rates. */
function cpuRatio(ours: MeasuredSide, floor: MeasuredSide) {
  if (ours.passes[0]?.cpuMicroseconds === null) return [];
  const ratios = ours.passes.map((pass, round) => floor.passes[round]!.cpuMicroseconds! / pass.cpuMicroseconds!);
  const { min, median, max } = spreadOf(ratios);
  const spread = `min ${min.toFixed(2)}, max ${max.toFixed(2)}`;
  return [`  ${'ratio by CPU time'.padEnd(NAME_WIDTH)} ${median.toFixed(2)} (${spread})`];
}

function idleNote({ name, passes }: MeasuredSide) {
  const share = medianOf(passes, 'cpuPercent');
  if (!(share < MOSTLY_BUSY_PERCENT)) return [];
  return [`  note: ${name} had only ${share.toFixed(0)} % of its core; something else set its rate.`];
}

function afterNote({ name, passes }: MeasuredSide) {
  const median = medianOf(passes, 'drainedAfterMs');
  if (median < NOTABLE_MS) return [];
  return [`  note: requests to ${name} went on for ${milliseconds(median)} after the last answer.`];
}

function turnedAwayNote({ name, passes }: MeasuredSide) {
  const turnedAway = describeTurnedAway(passes);
  return turnedAway ? [`  note: ${name}: ${turnedAway}.`] : [];
}

const medianOf = (passes: Pass[], key: keyof Pass) => spreadOf(passes.map((pass) => pass[key] ?? Number.NaN)).median;

const amount = (value: number) => Math.round(value).toLocaleString('en-GB');
