import { milliseconds } from './latency.mjs';
import { ratiosOf } from './rounds.mjs';
import { spreadOf } from './statistics.mjs';
import { describeTurnedAway } from './turned-away.mjs';

/** @import { Pass } from './load.mjs' */

const NAME_WIDTH = 24;
const MOSTLY_BUSY_PERCENT = 85;
const NOTABLE_MS = 500;

/**
 * Writes one figure: both sides, their ratio and whether it meets its target.
 * @param {object} figure
 * @param {string} figure.title
 * @param {{name: string, passes: Pass[]}} figure.ours
 * @param {{name: string, passes: Pass[]}} figure.floor
 * @param {number} figure.target the least ratio that meets it.
 * @param {boolean} [figure.isPinned] whether each side has one core, which should be what limits it.
 * @returns {string} lines for a person.
 */
export function describeFigure({ title, ours, floor, target, isPinned = false }) {
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

function describeSide({ name, passes }) {
  const rate = spreadOf(passes.map((pass) => pass.requestsPerSecond));
  const [p50, p99] = ['p50Ms', 'p99Ms'].map((key) => spreadOf(passes.map((pass) => pass[key])).median);
  const rates = `${amount(rate.median)} requests/s (${amount(rate.min)} to ${amount(rate.max)})`;
  return `  ${name.padEnd(NAME_WIDTH)} ${rates}, p50 ${milliseconds(p50)}, p99 ${milliseconds(p99)}${describeCpu(passes)}`;
}

function describeCpu(passes) {
  if (passes[0].cpuMicroseconds === null) return '';
  const [each, share] = ['cpuMicroseconds', 'cpuPercent'].map(
    (key) => spreadOf(passes.map((pass) => pass[key])).median,
  );
  return `, ${each.toFixed(0)} µs CPU each, ${share.toFixed(0)} % of a core`;
}

/** CPU time depends little on other load, so on a busy machine it is more reliable than the rates. */
function cpuRatio(ours, floor) {
  if (ours.passes[0].cpuMicroseconds === null) return [];
  const ratios = ours.passes.map((pass, round) => floor.passes[round].cpuMicroseconds / pass.cpuMicroseconds);
  const { min, median, max } = spreadOf(ratios);
  const spread = `min ${min.toFixed(2)}, max ${max.toFixed(2)}`;
  return [`  ${'ratio by CPU time'.padEnd(NAME_WIDTH)} ${median.toFixed(2)} (${spread})`];
}

function idleNote({ name, passes }) {
  const share = spreadOf(passes.map((pass) => pass.cpuPercent)).median;
  if (!(share < MOSTLY_BUSY_PERCENT)) return [];
  return [`  note: ${name} had only ${share.toFixed(0)} % of its core; something else set its rate.`];
}

function afterNote({ name, passes }) {
  const { median } = spreadOf(passes.map((pass) => pass.drainedAfterMs));
  if (median < NOTABLE_MS) return [];
  return [`  note: what ${name} had been asked went on for ${milliseconds(median)} after the last answer.`];
}

function turnedAwayNote({ name, passes }) {
  const turnedAway = describeTurnedAway(passes);
  return turnedAway ? [`  note: ${name}: ${turnedAway}.`] : [];
}

const amount = (value) => Math.round(value).toLocaleString('en-GB');
