import {
  type Closure,
  createClosure,
  createSubstitution,
  listClosures,
  listSessions,
  makeSession,
  removeClosure,
} from '@swim/contracts';
import { inDays, retried, until } from '@swim/testing';
import { aSession, asFamily, type SchedulingHarness, school } from '../harness.js';

/** The writes of closures, each with the write of another client that comes between. */
export function closureWrites(scheduling: () => Pick<SchedulingHarness, 'harness' | 'people'>) {
  const call: SchedulingHarness['harness']['call'] = (...request) => scheduling().harness.call(...request);
  const asSchool = { principal: school };
  const input = (instructor: string) => ({
    instructor_ids: [instructor],
    from: inDays(10, 0),
    to: inDays(11, 0),
    reason: 'The boiler is broken',
    lessons: 'cancel' as const,
  });
  const book = (instructor: string) => call(makeSession, aSession(instructor, scheduling().people.member()), asFamily);
  const idsOf = async (instructor: string) =>
    (await call(listClosures, { limit: '100' }, asSchool)).items
      .filter(({ instructor_ids }) => instructor_ids.includes(instructor))
      .map(({ id }) => id);
  const look = (instructor: string) => async () => [
    await idsOf(instructor),
    (await call(listSessions, { instructor_id: instructor }, asFamily)).items.map(({ id, status }) => [id, status]),
  ];
  const remove = async ({ id: closure_id }: Closure) => {
    await until(
      () =>
        call(removeClosure, { closure_id }, asSchool).then(
          () => true,
          ({ reason }) => reason !== 'invalid_state',
        ),
      'the closure is removed',
    );
  };
  return [
    retried(createClosure, async () => {
      const instructor = scheduling().people.instructor();
      await book(instructor);
      return { principal: school, input: input(instructor), rival: remove, look: look(instructor) };
    }),
    retried(createSubstitution, async () => {
      const [instructor_id, substitute_id] = [scheduling().people.instructor(), scheduling().people.instructor()];
      await book(instructor_id);
      const time = { from: inDays(10, 0), to: inDays(11, 0) };
      const back = { instructor_id: substitute_id, substitute_id: instructor_id, ...time };
      return {
        principal: school,
        input: { instructor_id, substitute_id, ...time },
        rival: () => call(createSubstitution, back, asSchool),
        look: look(instructor_id),
      };
    }),
    retried(removeClosure, async () => {
      const instructor = scheduling().people.instructor();
      const { id: closure_id } = await call(createClosure, input(instructor), asSchool);
      const rival = () => call(createClosure, input(instructor), asSchool);
      return { principal: school, input: { closure_id }, rival, look: look(instructor) };
    }),
  ];
}
