import type { Counts, Row } from './checks/report.ts';
import { BASELINE } from './checks/under-load.ts';

/** What the deployment has to do, and the rows that show it. */
interface Goal {
  act: string;
  wanted: string;
  shows: (row: Row) => boolean;
}

const isOf =
  (...parts: string[]) =>
  (row: Row) =>
    parts.includes(row.part) && row.act !== BASELINE;

const GOALS: Goal[] = [
  {
    act: 'nothing is done, before anything is done under load',
    wanted: '0 failed',
    shows: ({ act }) => act === BASELINE,
  },
  { act: '`docker compose up --wait` from empty volumes, 5 times', wanted: '5 × exit code 0', shows: isOf('starts') },
  {
    act: 'all services are rolled from the release before to this one and back, 2 replicas, 20 requests a second',
    wanted: '0 failed, audit 0, events without a gap',
    shows: isOf('releases'),
  },
  {
    act: '`kill -9` of each replica, and of each of three servers of NATS',
    wanted: '0 failed, 0 events lost',
    shows: isOf('kills', 'nats-servers'),
  },
  {
    act: 'each secret is changed',
    wanted: 'in use within 60 s, the former one refused, none in an `inspect`',
    shows: isOf('secrets'),
  },
  {
    act: 'Kubernetes: rolling restart of each process, eviction of the last replica',
    wanted: '0 failed, 429',
    shows: isOf('kubernetes'),
  },
  {
    act: '1,000 events wait',
    wanted: "the scalers' queries say so, a second notification takes half of the work",
    shows: isOf('monitoring'),
  },
  { act: 'a backup is restored after an erasure', wanted: 'the erased stays erased', shows: isOf('backup') },
  {
    act: 'MongoDB and NATS elsewhere, the audit without its database, the guide',
    wanted: 'all passed',
    shows: isOf('managed', 'audit', 'guide'),
  },
];

/** @returns the lines of a table: what was wanted of the deployment, and what these rows have shown. */
export function acceptanceOf(rows: Row[], minutes: number, isWarm: boolean): string[] {
  const lines = GOALS.map(({ act, wanted, shows }) => `| ${act} | ${wanted} | ${figuresOf(rows.filter(shows))} |`);
  const limit = isWarm ? 12 : 30;
  const time = `| the time of all this, ${isWarm ? 'with what earlier runs have brought' : 'from nothing'} | ≤ ${limit} min | ${minutes.toFixed(1)} min |`;
  return ['| act | wanted | seen |', '|---|---|---|', ...lines, time];
}

/** What the rows have counted, and how many of them have passed. */
function figuresOf(rows: Row[]): string {
  if (rows.length === 0) return 'not run';
  const sum = (name: keyof Counts) => {
    const counts = rows.flatMap((row) => row.counts?.[name] ?? []);
    return counts.length === 0 ? null : counts.reduce((total, count) => total + count, 0);
  };
  const [requests, differences, lost] = [sum('requests'), sum('differences'), sum('lostEvents')];
  const seconds = rows.flatMap(({ inUseAfter }) => inUseAfter ?? []);
  const passed = rows.filter((row) => row.passed).length;
  return [
    requests !== null && `${sum('failedRequests')} of ${requests} requests failed`,
    differences !== null && `audit ${differences}`,
    lost !== null && `${sum('gaps')} gaps, ${lost} events lost`,
    seconds.length > 0 && `the last in use after ${Math.max(...seconds)} s`,
    `${passed} of ${rows.length} passed, ${Math.round(rows.reduce((total, row) => total + row.seconds, 0))} s`,
  ]
    .filter(Boolean)
    .join('; ');
}
