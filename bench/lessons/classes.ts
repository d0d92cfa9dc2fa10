import type { DemoClient } from '../../deploy/local/demo/demo-client.ts';
import type { Side } from '../booking/sides.ts';
import { type Latency, measureLatencies, timed } from '../measuring/latency.ts';
import { figure } from '../measuring/report.ts';
import { DAY_MS, someAtOnce, TOMORROW_MS } from '../stack/dataset.ts';
import type { Run } from '../stack/stack.ts';

const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;
const LEVELS = ['beginner', 'advanced_beginner', 'intermediate', 'advanced'] as const;
// After the lessons of the other measurements.
const FIRST_DAY = 70;
const YEAR = 52;
const WEEKS = 4;

/** How much is measured: the openings, the classes of the list, and the requests. */
export interface ClassesPlan {
  openings: number;
  classes: number;
  lists: { requests: number; warmUpRequests: number };
}

interface Scene {
  run: Run;
  plan: { offered: ClassesPlan };
  ours: Side;
  school: DemoClient;
  teachers: string[];
}

/** A class of weekly lessons, at a time of its teacher's week that is its own. */
function classOf(teachers: string[], index: number, count: number) {
  const slot = Math.floor(index / teachers.length);
  const startMs = TOMORROW_MS + (FIRST_DAY + (slot % 7)) * DAY_MS + Math.floor(slot / 7) * 1_800_000;
  const start = new Date(startMs);
  return {
    ...{ name: `Class ${index}`, instructor_id: teachers[index % teachers.length], levels: [LEVELS[index % 4]] },
    ...{ duration_minutes: 30, capacity: 6, price_cents: 1_500 },
    recurrence: {
      ...{ start_local: start.toISOString().slice(0, 16), timezone: 'UTC', weekdays: [DAYS[start.getUTCDay()]], count },
    },
  };
}

/** Measures the opening of classes of a year, and a family's search among the classes of a school. */
export async function measureClasses({ run, plan: { offered }, ours, school, teachers }: Scene): Promise<string> {
  const open = async (index: number, count: number) => {
    const { id } = await school.create<{ id: string }>('/classes', 'class', classOf(teachers, index, count));
    const startedAtMs = performance.now();
    await school.create(`/classes/${id}/open`, 'open', { outside_hours: true });
    return performance.now() - startedAtMs;
  };
  run.log(`opening ${offered.openings} classes of ${YEAR} lessons, and ${offered.classes} of ${WEEKS}`);
  const openings: number[] = [];
  while (openings.length < offered.openings) openings.push(await open(openings.length, YEAR));
  await someAtOnce(offered.classes, (index) => open(offered.openings + index, WEEKS));
  run.log('GET /v1/classes');
  const url = `${ours.origin}/v1/classes?level=beginner&weekday=mon&has_places=true`;
  const headers = { authorization: `Bearer ${ours.dataset.familyKey}` };
  const [list] = (await measureLatencies('GET /v1/classes', [() => timed(url, { headers })], offered.lists)) as [
    Latency,
  ];
  return [
    `Classes, ${offered.classes} of them open`,
    figure(`opening one of ${YEAR} lessons`, openings, { atMost: 2_000, unit: 'ms' }),
    figure('GET /v1/classes by level, weekday and places: p95', list.p95Ms, { atMost: 50, unit: 'ms' }),
    '',
  ].join('\n');
}
