import { closeClass, createClass, openClass, removeClass, updateClass } from '@swim/contracts';
import { retried } from '@swim/testing';
import { type SchedulingHarness, school } from '../harness.js';
import { classesOf } from './classes-client.js';

/** The writes of classes, each with the write of another client that comes between. */
export function classWrites(scheduling: () => Pick<SchedulingHarness, 'harness' | 'people'>) {
  const { create, fields, lessonsOf, list, patch, open, read, remove } = classesOf(scheduling);
  const look = (instructor_id: string) => () => list({ instructor_id }, { principal: school });
  return [
    retried(createClass, async () => {
      const input = fields();
      return {
        principal: school,
        input,
        rival: ({ id }) => remove(id),
        look: look(input.instructor_id),
      };
    }),
    retried(updateClass, async () => {
      const { id: class_id } = await create();
      await open(class_id);
      return {
        principal: school,
        input: { class_id, changes: { name: 'Otters', capacity: 8 } },
        rival: () => patch(class_id, { name: 'Seals', capacity: 9 }),
        look: async () => [await read(class_id), await lessonsOf(class_id)],
      };
    }),
    retried(openClass, async () => {
      const { id: class_id } = await create();
      return {
        principal: school,
        input: { class_id },
        rival: () => open(class_id),
        look: async () => [await read(class_id), await lessonsOf(class_id)],
      };
    }),
    retried(closeClass, async () => {
      const { id: class_id } = await create();
      await open(class_id);
      return {
        principal: school,
        input: { class_id },
        rival: () => patch(class_id, { name: 'Seals' }),
        look: async () => [await read(class_id), await lessonsOf(class_id, { principal: school })],
      };
    }),
    retried(removeClass, async () => {
      const { id: class_id, instructor_id } = await create();
      return {
        principal: school,
        input: { class_id },
        rival: () => create({ instructor_id }),
        look: look(instructor_id),
      };
    }),
  ];
}
