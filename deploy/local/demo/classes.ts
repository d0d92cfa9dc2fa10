import type { SwimClass } from '@swim/contracts';
import { type OpenLessonsOptions, timeOf, unlessConflict } from './open-lessons.ts';

const WEEKS = 10;
const DAY_MS = 86_400_000;

interface DemoClass extends Pick<SwimClass, 'name' | 'description' | 'capacity' | 'levels' | 'price_cents'> {
  weekday: SwimClass['recurrence']['weekdays'][number];
  children: string[];
  /** Those who wait for a place. */
  waiting: string[];
}

/** Three classes, the last of which is full, with a line; at half past four, beside the other lessons of the demo. */
export const CLASSES: DemoClass[] = [
  {
    name: 'Tadpoles',
    description: 'First strokes in shallow water, for children who put their faces in.',
    ...{ weekday: 'mon', capacity: 6, levels: ['beginner'], price_cents: 1_800 },
    ...{ children: ['Mia Okafor', 'Sami Haddad', 'Ela Novak'], waiting: [] },
  },
  {
    name: 'Frogs',
    description: 'Breaststroke over a whole length, and jumping in.',
    ...{ weekday: 'wed', capacity: 6, levels: ['advanced_beginner', 'intermediate'], price_cents: 2_000 },
    ...{ children: ['Lina Haddad'], waiting: [] },
  },
  {
    name: 'Dolphins',
    description: 'Front crawl with turns, in a small group.',
    ...{ weekday: 'fri', capacity: 2, levels: ['intermediate', 'advanced'], price_cents: 2_400 },
    ...{ children: ['Omar Haddad', 'Jan Novak'], waiting: ['Jonas Okafor'] },
  },
];

/** Makes the classes that are missing, and enrolls children in those that it has made. */
export async function addClasses({ school, instructor, families }: OpenLessonsOptions): Promise<void> {
  const tomorrow = new Date((await timeOf(school)) + DAY_MS);
  // Swedish writes ISO 8601.
  const date = tomorrow.toLocaleDateString('sv-SE', { timeZone: instructor.timezone });
  const former = await school.get<SwimClass[]>(`/classes?instructor_id=${instructor.id}&limit=100`);
  for (const { weekday, children, waiting, ...fields } of CLASSES) {
    if (former.some(({ name }) => name === fields.name)) continue;
    const { timezone } = instructor;
    const recurrence = { start_local: `${date}T16:30`, timezone, weekdays: [weekday], count: WEEKS };
    const body = { ...fields, recurrence, instructor_id: instructor.id, duration_minutes: 45 };
    const { id } = await school.create<SwimClass>('/classes', 'class', body);
    await school.create(`/classes/${id}/open`, 'open', {});
    const join = async (names: string[], path: string, more: object) => {
      for (const { client, members } of families)
        for (const { id: member_id } of members.filter(({ name }) => names.includes(name)))
          await client.create(path, 'enrollment', { member_id, ...more }).catch(unlessConflict);
    };
    await join(children, `/classes/${id}/enrollments`, { on_conflict: 'skip', notify_participants: false });
    await join(waiting, '/waitlist', { class_id: id });
  }
}
