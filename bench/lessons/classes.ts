import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DemoClient } from '../../deploy/local/demo/demo-client.ts';
import type { Side } from '../booking/sides.ts';
import { type Latency, measureLatencies, timed } from '../measuring/latency.ts';
import { figure } from '../measuring/report.ts';
import { isBusyStatus } from '../measuring/turned-away.ts';
import { DAY_MS, someAtOnce, TOMORROW_MS } from '../stack/dataset.ts';
import type { Run } from '../stack/stack.ts';

const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;
const LEVELS = ['beginner', 'advanced_beginner', 'intermediate', 'advanced'] as const;
// After the lessons of the other measurements.
const FIRST_DAY = 70;
const YEAR = 52;
const WEEKS = 4;
const PLACES = 6;
const RACED_LESSONS = 10;

/** How much is measured: those who race for places, the openings, the classes of the list, and the requests. */
export interface ClassesPlan {
  racers: number;
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
  members: string[];
}

/** A class of weekly lessons, at a time of its teacher's week that is its own. */
function classOf(teachers: string[], index: number, count: number, levels: string[] = [LEVELS[index % 4]!]) {
  const slot = Math.floor(index / teachers.length);
  const startMs = TOMORROW_MS + (FIRST_DAY + (slot % 7)) * DAY_MS + Math.floor(slot / 7) * 1_800_000;
  const start = new Date(startMs);
  return {
    ...{ name: `Class ${index}`, instructor_id: teachers[index % teachers.length], levels },
    ...{ duration_minutes: 30, capacity: PLACES, price_cents: 1_500 },
    recurrence: {
      ...{ start_local: start.toISOString().slice(0, 16), timezone: 'UTC', weekdays: [DAYS[start.getUTCDay()]], count },
    },
  };
}

/** One enrollment, repeated as long as a busy machine rejects it; how it was answered. */
async function enroll({ origin, dataset }: Side, classId: string, member_id: string): Promise<string> {
  const headers = {
    authorization: `Bearer ${dataset.familyKey}`,
    'content-type': 'application/json',
    'idempotency-key': randomUUID(),
  };
  for (;;) {
    const request = { method: 'POST', headers, body: JSON.stringify({ member_id }) };
    const response = await fetch(`${origin}/v1/classes/${classId}/enrollments`, request);
    const text = await response.text();
    if (response.status === 201) return 'enrolled';
    if (!isBusyStatus(response.status)) return text.includes('"class_full"') ? 'full' : text;
    await sleep(100);
  }
}

/** Measures a race for a class, the opening of classes of a year, and a family's search among the classes of a school. */
export async function measureClasses(scene: Scene): Promise<string> {
  const { run, ours, school, teachers, members } = scene;
  const { offered } = scene.plan;
  const made = async (...of: [index: number, count: number, levels?: string[]]) => {
    const { id } = await school.create<{ id: string }>('/classes', 'class', classOf(teachers, ...of));
    const startedAtMs = performance.now();
    await school.create(`/classes/${id}/open`, 'open', { outside_hours: true });
    return { id, ms: performance.now() - startedAtMs };
  };
  const open = async (...of: Parameters<typeof made>) => (await made(...of)).ms;
  run.log(`${offered.racers} racers for ${PLACES} places in ${RACED_LESSONS} lessons`);
  const { id: raced } = await made(offered.openings + offered.classes, RACED_LESSONS, []);
  const answers = await Promise.all(members.slice(0, offered.racers).map((member) => enroll(ours, raced, member)));
  const count = (which: string) => answers.filter((answer) => answer === which).length;
  const isWrong = count('enrolled') !== PLACES || count('full') !== offered.racers - PLACES;
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
    figure(`races for ${PLACES} places in ${RACED_LESSONS} lessons without exactly ${PLACES}`, isWrong ? 1 : 0, {
      atMost: 0,
    }),
    `Classes, ${offered.classes} of them open`,
    figure(`opening one of ${YEAR} lessons`, openings, { atMost: 2_000, unit: 'ms' }),
    figure('GET /v1/classes by level, weekday and places: p95', list.p95Ms, { atMost: 50, unit: 'ms' }),
    '',
  ].join('\n');
}
