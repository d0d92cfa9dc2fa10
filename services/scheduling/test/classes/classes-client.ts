import {
  closeClass,
  createClass,
  getClass,
  type InputOf,
  type Lesson,
  listClasses,
  listLessons,
  openClass,
  removeClass,
  type SwimClass,
  updateClass,
} from '@swim/contracts';
import { inDays, type RequestOptions } from '@swim/testing';
import { asFamily, type SchedulingHarness, school } from '../harness.js';

const asSchool = { principal: school };
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;

/** The local date so many days from now, in UTC. */
export const dateIn = (days: number): string => inDays(days, 12).slice(0, 10);
export const weekdayIn = (days: number) => DAYS[new Date(inDays(days, 12)).getUTCDay()]!;

export type Fields = InputOf<typeof createClass>;

/** Classes as clients of a running service use them. */
export function classesOf(scheduling: () => Pick<SchedulingHarness, 'harness' | 'people'>) {
  const call: SchedulingHarness['harness']['call'] = (...request) => scheduling().harness.call(...request);
  /** A class of three lessons at four, weekly from the tenth day from now on. */
  const fields = (more: Partial<Fields> = {}): Fields => ({
    name: 'Frogs',
    instructor_id: scheduling().people.instructor(),
    recurrence: { start_local: `${dateIn(10)}T16:00`, timezone: 'UTC', weekdays: [weekdayIn(10)], count: 3 },
    duration_minutes: 45,
    capacity: 6,
    price_cents: 1_500,
    ...more,
  });
  return {
    call,
    fields,
    create: (more: Partial<Fields> = {}, options: RequestOptions = {}): Promise<SwimClass> =>
      call(createClass, fields(more), { ...asSchool, ...options }),
    read: (class_id: string, options: RequestOptions = asSchool) => call(getClass, { class_id }, options),
    patch: (class_id: string, changes: InputOf<typeof updateClass>['changes'], options: RequestOptions = {}) =>
      call(updateClass, { class_id, changes }, { ...asSchool, ...options }),
    close: (class_id: string, more: Partial<InputOf<typeof closeClass>> = {}, options: RequestOptions = {}) =>
      call(closeClass, { class_id, ...more }, { ...asSchool, ...options }),
    remove: (class_id: string, options: RequestOptions = {}) =>
      call(removeClass, { class_id }, { ...asSchool, ...options }),
    list: async (query: InputOf<typeof listClasses>, options: RequestOptions = asFamily): Promise<string[]> =>
      (await call(listClasses, query, options)).items.map(({ id }) => id),
    open: (class_id: string, more: Partial<InputOf<typeof openClass>> = {}, options: RequestOptions = {}) =>
      call(openClass, { class_id, ...more }, { ...asSchool, ...options }),
    /** Opens a class, and answers of what it was warned. */
    async opened(class_id: string, more: Partial<InputOf<typeof openClass>> = {}, options: RequestOptions = {}) {
      const { error, warnings } = await scheduling().harness.request(
        openClass,
        { class_id, ...more },
        { ...asSchool, ...options },
      );
      if (error) throw new Error('The class is not opened.');
      return JSON.parse(warnings ?? '[]') as unknown[];
    },
    lessonsOf: async (class_id: string, options: RequestOptions = asFamily): Promise<Lesson[]> =>
      (await call(listLessons, { class_id, limit: '100' }, options)).items,
  };
}
