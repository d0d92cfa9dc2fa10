import { type Latency, milliseconds } from '../measuring/latency.ts';
import { ratiosOf } from '../measuring/rounds.ts';
import { spreadOf } from '../measuring/statistics.ts';
import { describeTurnedAway } from '../measuring/turned-away.ts';
import { type CostPass, cpuMs } from './passes.ts';

const NAME_WIDTH = 30;
const WIDTH = 14;
const MOST_RESIDENT_MB = 256;

/** Passes by the name of the side. */
export type PassesOf = Map<string, CostPass[]>;

/** What `cost` has measured. */
export interface Figures {
  /** Their names. */
  sides: string[];
  connections: number;
  bookings: PassesOf;
  looks: PassesOf;
  alone: Map<string, Latency>;
  overload: { clients: number; usual: CostPass[]; many: CostPass[]; lost: number; acknowledged: number };
  /** By the title of the request. */
  others: Map<string, PassesOf>;
  commands: { alone: number; together: number };
}

/**
 * Writes the figures of `cost`, and which targets they meet.
 * @returns for a person.
 */
export function describeCost(figures: Figures): string {
  const { sides, connections, bookings, looks, alone, overload, others, commands } = figures;
  return [
    `POST /v1/bookings with an Idempotency-Key, ${connections} clients`,
    ...sideTable(sides, bookings),
    row('one client, p50', ...sides.map((side) => milliseconds(alone.get(side)?.p50Ms ?? Number.NaN))),
    '',
    'Processor time of a booking by process, ms',
    row('', ...sides),
    ...processRows(sides, bookings),
    '',
    'Resident memory after bookings, MB',
    ...residentTable(ofSide(bookings, 'ours')),
    '',
    'GET /v1/sessions/{id}',
    ...otherTable(looks),
    '',
    describeWrites(others),
    `Overload: ${overload.clients} clients, of which those without an answer in time are turned away`,
    row('requests/s', perSecond(overload.usual), `${perSecond(overload.many)} with ${overload.clients}`),
    row('turned away', describeTurnedAway(overload.many) || 'none'),
    '',
    'Targets',
    ...targetsOf({ connections, bookings, looks, alone, overload, others, commands }),
    '',
  ].join('\n');
}

/**
 * Writes the figures of requests that are no bookings.
 * @param writes - by the title of the request.
 * @returns for a person.
 */
export const describeWrites = (writes: ReadonlyMap<string, PassesOf>): string =>
  [...writes].flatMap(([title, passes]) => [title, ...otherTable(passes), '']).join('\n');

const row = (name: string, ...cells: (string | number)[]) =>
  `  ${name.padEnd(NAME_WIDTH)}${cells.map((cell) => String(cell).padStart(WIDTH)).join('')}`;
const medianOf = (passes: CostPass[], value: (pass: CostPass) => number) => spreadOf(passes.map(value)).median;
const ofSide = (passes: PassesOf, side: string) => passes.get(side) ?? [];
const perSecond = (passes: CostPass[]) => medianOf(passes, ({ requestsPerSecond }) => requestsPerSecond).toFixed(1);

function sideTable(sides: string[], passes: PassesOf) {
  const each = <T>(describe: (passes: CostPass[]) => T) => sides.map((side) => describe(ofSide(passes, side)));
  const rangeOf = (side: CostPass[]) => {
    const { min, max } = spreadOf(side.map(({ requestsPerSecond }) => requestsPerSecond));
    return `${min.toFixed(0)}–${max.toFixed(0)}`;
  };
  return [
    row('', ...sides),
    row('requests/s', ...each(perSecond)),
    row('  smallest to largest', ...each(rangeOf)),
    row('p50', ...each((side: CostPass[]) => milliseconds(medianOf(side, ({ p50Ms }) => p50Ms)))),
    row('p99', ...each((side: CostPass[]) => milliseconds(medianOf(side, ({ p99Ms }) => p99Ms)))),
    row('processor time, ms', ...each((side: CostPass[]) => medianOf(side, cpuMs).toFixed(2))),
    row('load average', ...each((side: CostPass[]) => medianOf(side, ({ loadAverage }) => loadAverage).toFixed(1))),
    ...turnedAwayRow(each),
  ];
}

function turnedAwayRow(each: (describe: (passes: CostPass[]) => number) => number[]) {
  const cells = each((side: CostPass[]) => side.reduce((sum, { turnedAway }) => sum + turnedAway, 0));
  return cells.some((count) => count > 0) ? [row('turned away', ...cells)] : [];
}

function otherTable(passes: PassesOf) {
  const sides = [...passes.keys()];
  return [...sideTable(sides, passes), '  processor time by process, ms', ...processRows(sides, passes)];
}

function processRows(sides: string[], passesOf: PassesOf) {
  const names = new Set(sides.flatMap((side) => [...(ofSide(passesOf, side)[0]?.cpuMsOf.keys() ?? [])]));
  const cellOf = (name: string, side: string) => {
    const passes = ofSide(passesOf, side);
    return passes[0]?.cpuMsOf.has(name) ? medianOf(passes, ({ cpuMsOf }) => cpuMsOf.get(name) ?? 0).toFixed(2) : '';
  };
  return [...names].map((name) => row(name, ...sides.map((side) => cellOf(name, side))));
}

function residentTable(passes: CostPass[]) {
  return [...mostResident(passes)].map(([name, most]) => row(name, most.toFixed(0)));
}

const mostResident = (passes: CostPass[]) =>
  new Map(
    [...(passes[0]?.residentMbOf.keys() ?? [])].map((name) => [
      name,
      Math.max(...passes.map(({ residentMbOf }) => residentMbOf.get(name) ?? 0)),
    ]),
  );

function targetsOf({ connections, bookings, looks, alone, overload, others, commands }: Omit<Figures, 'sides'>) {
  const [ours, monolith] = [ofSide(bookings, 'ours'), ofSide(bookings, 'monolith')];
  const [p50, p99] = [medianOf(ours, ({ p50Ms }) => p50Ms), medianOf(ours, ({ p99Ms }) => p99Ms)];
  const rate = (passes: CostPass[], reference: CostPass[]) => spreadOf(ratiosOf(passes, reference)).median;
  const perRound = ours.map((pass, round) => cpuMs(pass) / cpuMs(monolith[round]!));
  const aloneMs = alone.get('ours')!.p50Ms;
  return [
    atMost('processor time of a booking, of the monolith’s', spreadOf(perRound).median, 4),
    atLeast('bookings/s, of the monolith’s', rate(ours, monolith), 0.25),
    ...(bookings.has('before') ? beforeTargets({ bookings, looks, others, alone }, rate) : []),
    atMost('one client: p50 in ms', aloneMs, 25),
    atMost(`p99 of p50 with ${connections} clients`, p99 / p50, 5),
    atLeast(`goodput of ${overload.clients} clients, of the usual`, rate(overload.many, overload.usual), 0.9),
    atMost(`acknowledged bookings lost, of ${overload.acknowledged}`, overload.lost, 0),
    atMost('commands of a booking, one client', commands.alone, 15),
    atMost(`commands of a booking, ${connections} clients`, commands.together, 3),
    atMost('resident memory of a process in MB', Math.max(...mostResident(ours).values()), MOST_RESIDENT_MB),
  ];
}

function beforeTargets(
  { bookings, looks, others, alone }: Pick<Figures, 'bookings' | 'looks' | 'others' | 'alone'>,
  rate: (passes: CostPass[], reference: CostPass[]) => number,
) {
  const ratio = (passes: PassesOf) => rate(ofSide(passes, 'ours'), ofSide(passes, 'before'));
  return [
    atLeast('POST /v1/bookings, of before', ratio(bookings), 4),
    ...[...others].map(([title, passes]) => atLeast(`${title}, of before`, ratio(passes), 3)),
    atLeast('GET /v1/sessions/{id}, of before', ratio(looks), 1),
    atMost('one client: p50, of before', alone.get('ours')!.p50Ms / alone.get('before')!.p50Ms, 1),
  ];
}

const atMost = (name: string, value: number, most: number) => target(name, value, `at most ${most}`, value <= most);
const atLeast = (name: string, value: number, least: number) =>
  target(name, value, `at least ${least}`, value >= least);

function target(name: string, value: number, bound: string, isMet: boolean) {
  const shown = Number.isFinite(value) ? value.toFixed(2) : 'unknown';
  const verdict = Number.isFinite(value) ? (isMet ? 'met' : 'missed') : 'not measured';
  return `  ${name.padEnd(2 * NAME_WIDTH)}${shown.padStart(WIDTH)}   ${bound.padEnd(WIDTH)} ${verdict}`;
}
