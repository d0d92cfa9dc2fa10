import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Instructor, Member, Session } from '@swim/contracts';
import { type Answer, apiError, type Customer, decided } from '../../fixtures/customer.js';
import { aMember, anInstructor, bookingBody, nextTime, overlapsAmong, sessionBody } from '../../fixtures/fixtures.js';
import { journey, stack } from '../../fixtures/shared-stack.js';

journey('races for one time', () => {
  const RACERS = 64;
  const ROUNDS = 2;

  interface Racer {
    family: Customer;
    member: Member;
  }

  let racers: Racer[];
  beforeAll(async () => {
    const families = [stack.family, await stack.open('family')];
    racers = await Promise.all(
      Array.from({ length: RACERS }, async (_, index) => {
        const family = families[index % families.length]!;
        return { family, member: await aMember(family) };
      }),
    );
  });

  const scheduledOf = (instructor: Instructor): Promise<Session[]> =>
    stack.school.readAll<Session>(`/sessions?instructor_id=${instructor.id}&status=scheduled`);

  /** Counts the answers by status. */
  const tally = (answers: Answer[]): Record<number, number> =>
    Object.fromEntries(
      [...Map.groupBy(answers, ({ status }) => status)].map(([status, { length }]) => [status, length]),
    );

  describe(`${RACERS} members of two families who request the same hour of an instructor`, () => {
    let instructor: Instructor;
    beforeAll(async () => {
      instructor = await anInstructor(stack.school);
    });

    it.each(Array.from({ length: ROUNDS }, (_, round) => round + 1))('one of them gets it, round %d', async () => {
      const date = nextTime();
      const answers = await Promise.all(
        racers.map(({ family, member }, index) =>
          // Sessions and bookings race for the calendar, each by members of both families.
          index % 4 < 2
            ? decided(family, '/sessions', sessionBody(instructor, member, date))
            : decided(family, '/bookings', bookingBody(instructor, [member], [date])),
        ),
      );
      expect(tally(answers)).toEqual({ 201: 1, 409: RACERS - 1 });
      for (const { status, error } of answers) {
        if (status === 409) expect(['instructor_busy', 'conflicting_dates']).toContain(error.details.reason);
      }
      const held = (await scheduledOf(instructor)).filter((session) => session.date === date);
      expect(held).toHaveLength(1);
    });

    it('nothing else is listed than the sessions they got', async () => {
      const sessions = await scheduledOf(instructor);
      expect(sessions).toHaveLength(ROUNDS);
      expect(overlapsAmong(sessions)).toEqual([]);
      const bookings = await stack.school.get(`/bookings?instructor_id=${instructor.id}`);
      expect(bookings.pagination.total).toBe(sessions.filter(({ booking_id: id }) => id !== null).length);
    });
  });

  it('sessions of different lengths at overlapping times never overlap', async () => {
    const instructor = await anInstructor(stack.school);
    const start = Date.parse(nextTime());
    const lengths = [15, 20, 45, 60, 90];
    const answers = await Promise.all(
      racers.map(({ family, member }, index) => {
        const date = new Date(start + ((index * 7) % 120) * 60_000).toISOString();
        const input = sessionBody(instructor, member, date, { duration_minutes: lengths[index % 5] });
        return decided<Session>(family, '/sessions', input);
      }),
    );
    const made = answers.filter(({ status }) => status === 201);
    expect(made.length).toBeGreaterThan(0);
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      expect(answer).toMatchObject(apiError(409, 'instructor_busy', 'date'));
    }
    const sessions = await scheduledOf(instructor);
    expect(sessions.map(({ id }) => id).sort()).toEqual(made.map(({ data }) => data.id).sort());
    expect(overlapsAmong(sessions)).toEqual([]);
  });

  it('a member who requests two instructors at the same time gets one of them', async () => {
    const instructors = [await anInstructor(stack.school), await anInstructor(stack.school)];
    const { family, member } = racers[0]!;
    const date = nextTime();
    const inputs = Array.from({ length: 16 }, (_, index) => sessionBody(instructors[index % 2]!, member, date));
    const answers = await Promise.all(inputs.map((input) => decided(family, '/sessions', input)));
    expect(tally(answers)).toEqual({ 201: 1, 409: 15 });
  });
});
