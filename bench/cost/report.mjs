import { milliseconds } from '../measuring/latency.mjs';
import { ratiosOf } from '../measuring/rounds.mjs';
import { spreadOf } from '../measuring/statistics.mjs';
import { describeTurnedAway } from '../measuring/turned-away.mjs';
import { cpuMs } from './passes.mjs';

const NAME_WIDTH = 30;
const WIDTH = 14;
const MOST_RESIDENT_MB = 150;

/**
 * Writes the figures of `cost`, and which targets they meet.
 * @param {object} figures what `cost` has measured; `sides` are names, and passes are by these.
 * @returns {string} for a person.
 */
export function describeCost(figures) {
  const { sides, connections, bookings, looks, alone, overload, others, commands } = figures;
  return [
    `POST /v1/bookings with an Idempotency-Key, ${connections} clients`,
    ...sideTable(sides, bookings),
    row('one client, p50', ...sides.map((side) => milliseconds(alone.get(side).p50Ms))),
    '',
    'Processor time of a booking by process, ms',
    ...processTable(sides, bookings),
    '',
    'Resident memory after bookings, MB',
    ...residentTable(bookings.get('ours')),
    '',
    'GET /v1/sessions/{id}',
    ...sideTable(sides, looks),
    '',
    ...[...others].flatMap(([title, passes]) => [title, ...sideTable([...passes.keys()], passes), '']),
    `Overload: ${overload.clients} clients, of which those without an answer in time are turned away`,
    row('requests/s', perSecond(overload.usual), `${perSecond(overload.many)} with ${overload.clients}`),
    row('turned away', describeTurnedAway(overload.many) || 'none'),
    '',
    'Targets',
    ...targetsOf({ connections, bookings, looks, alone, overload, others, commands }),
    '',
  ].join('\n');
}

const row = (name, ...cells) =>
  `  ${name.padEnd(NAME_WIDTH)}${cells.map((cell) => String(cell).padStart(WIDTH)).join('')}`;
const medianOf = (passes, value) => spreadOf(passes.map(value)).median;
const perSecond = (passes) => medianOf(passes, ({ requestsPerSecond }) => requestsPerSecond).toFixed(1);

function sideTable(sides, passes) {
  const each = (describe) => sides.map((side) => describe(passes.get(side)));
  const rangeOf = (side) => {
    const { min, max } = spreadOf(side.map(({ requestsPerSecond }) => requestsPerSecond));
    return `${min.toFixed(0)}–${max.toFixed(0)}`;
  };
  return [
    row('', ...sides),
    row('requests/s', ...each(perSecond)),
    row('  smallest to largest', ...each(rangeOf)),
    row('p50', ...each((side) => milliseconds(medianOf(side, ({ p50Ms }) => p50Ms)))),
    row('p99', ...each((side) => milliseconds(medianOf(side, ({ p99Ms }) => p99Ms)))),
    row('processor time, ms', ...each((side) => medianOf(side, cpuMs).toFixed(2))),
    ...turnedAwayRow(each),
  ];
}

function turnedAwayRow(each) {
  const cells = each((side) => side.reduce((sum, { turnedAway }) => sum + turnedAway, 0));
  return cells.some((count) => count > 0) ? [row('turned away', ...cells)] : [];
}

function processTable(sides, bookings) {
  const names = new Set(sides.flatMap((side) => [...bookings.get(side)[0].cpuMsOf.keys()]));
  const cellOf = (name, side) => {
    const passes = bookings.get(side);
    return passes[0].cpuMsOf.has(name) ? medianOf(passes, ({ cpuMsOf }) => cpuMsOf.get(name)).toFixed(2) : '';
  };
  return [row('', ...sides), ...[...names].map((name) => row(name, ...sides.map((side) => cellOf(name, side))))];
}

function residentTable(passes) {
  return [...mostResident(passes)].map(([name, most]) => row(name, most.toFixed(0)));
}

const mostResident = (passes) =>
  new Map(
    [...passes[0].residentMbOf.keys()].map((name) => [
      name,
      Math.max(...passes.map(({ residentMbOf }) => residentMbOf.get(name))),
    ]),
  );

function targetsOf({ connections, bookings, looks, alone, overload, others, commands }) {
  const [ours, before, monolith] = ['ours', 'before', 'monolith'].map((side) => bookings.get(side));
  const [p50, p99] = ['p50Ms', 'p99Ms'].map((key) => medianOf(ours, (pass) => pass[key]));
  const rate = (passes, reference) => spreadOf(ratiosOf(passes, reference)).median;
  const perRound = ours.map((pass, round) => cpuMs(pass) / cpuMs(monolith[round]));
  const aloneMs = alone.get('ours').p50Ms;
  return [
    atMost('processor time of a booking, of the monolith’s', spreadOf(perRound).median, 4),
    atLeast('bookings/s, of the monolith’s', rate(ours, monolith), 0.25),
    ...(before ? beforeTargets({ bookings, looks, others, alone }, rate) : []),
    atMost('one client: p50 in ms', aloneMs, 25),
    atMost(`p99 of p50 with ${connections} clients`, p99 / p50, 5),
    atLeast(`goodput of ${overload.clients} clients, of the usual`, rate(overload.many, overload.usual), 0.9),
    atMost(`acknowledged bookings lost, of ${overload.acknowledged}`, overload.lost, 0),
    atMost('commands of a booking, one client', commands.alone, 15),
    atMost(`commands of a booking, ${connections} clients`, commands.together, 3),
    atMost('resident memory of a process in MB', Math.max(...mostResident(ours).values()), MOST_RESIDENT_MB),
  ];
}

function beforeTargets({ bookings, looks, others, alone }, rate) {
  const ratio = (passes) => rate(passes.get('ours'), passes.get('before'));
  return [
    atLeast('POST /v1/bookings, of before', ratio(bookings), 4),
    ...[...others].map(([title, passes]) => atLeast(`${title}, of before`, ratio(passes), 3)),
    atLeast('GET /v1/sessions/{id}, of before', ratio(looks), 1),
    atMost('one client: p50, of before', alone.get('ours').p50Ms / alone.get('before').p50Ms, 1),
  ];
}

const atMost = (name, value, most) => target(name, value, `at most ${most}`, value <= most);
const atLeast = (name, value, least) => target(name, value, `at least ${least}`, value >= least);

function target(name, value, bound, isMet) {
  const shown = Number.isFinite(value) ? value.toFixed(2) : 'unknown';
  const verdict = Number.isFinite(value) ? (isMet ? 'met' : 'missed') : 'not measured';
  return `  ${name.padEnd(2 * NAME_WIDTH)}${shown.padStart(WIDTH)}   ${bound.padEnd(WIDTH)} ${verdict}`;
}
