import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { getInstructor, type InputOf, updateInstructor } from '@swim/contracts';
import { Deadline, makeRequestContext, newId } from '@swim/platform';
import { partOf, type RequestOptions, rejectionOf } from '@swim/testing';
import { expectInstructor, type PeopleHarness, startPeople, withRival } from '../harness.js';

let people: PeopleHarness;
let asSchool: RequestOptions;
let asOther: RequestOptions;
let asFamily: RequestOptions;
beforeAll(async () => {
  people = await startPeople();
  asSchool = { principal: people.school };
  asOther = { principal: people.otherSchool };
  asFamily = { principal: people.family };
});
afterAll(() => people?.stop());

const rejected = (work: Promise<unknown>) => rejectionOf(work);
const read = (id: string, options = asFamily) => people.harness.call(getInstructor, { instructor_id: id }, options);
const update = (id: string, changes: InputOf<typeof updateInstructor>['changes'], options = asSchool) =>
  people.harness.call(updateInstructor, { instructor_id: id, changes }, options);
const area = (pool_ids: string[] = []) => ({ name: 'Centre', latitude: 52.5, longitude: 13.4, radius_km: 5, pool_ids });

describe('changing an instructor', () => {
  it('changes the given fields and keeps the rest, version by version', async () => {
    const made = await people.anInstructor({ availability_schedule: { buffer_before_minutes: 5 } });
    const weekly = [{ day: 'tue' as const, start: '06:00', end: '22:00' }];
    const changed = expectInstructor(
      await update(made.id, {
        bio: 'New',
        phone: '+14155552671',
        availability_schedule: { weekly },
        hourly_rate_cents: 5400,
      }),
    );
    expect(changed).toEqual({
      ...made,
      bio: 'New',
      phone: '+14155552671',
      hourly_rate_cents: 5400,
      availability_schedule: { ...made.availability_schedule, weekly },
      version: 2,
      updated_at: changed.updated_at,
    });
    expect(await read(made.id)).toEqual(changed);
    expect(await update(made.id, { bio: null, status: 'inactive' })).toMatchObject({
      bio: null,
      status: 'inactive',
      version: 3,
    });
  });

  it('warns of lessons that a change of hours, zone or status leaves outside, also in a dry run', async () => {
    const { id: instructor_id } = await people.anInstructor();
    const lesson_ids = [newId('lsn'), newId('lsn')];
    people.outside.set(instructor_id, lesson_ids);
    const warned = async (changes: InputOf<typeof updateInstructor>['changes'], dryRun = false) => {
      const options = { ...asSchool, dryRun };
      const { error, warnings } = await people.harness.request(updateInstructor, { instructor_id, changes }, options);
      return { error, warnings: warnings && JSON.parse(warnings) };
    };
    const expected = { error: false, warnings: [{ code: 'lessons_outside_hours', count: 2, lesson_ids }] };
    const closed = { availability_schedule: { overrides: [{ date: '2027-03-01', unavailable: true }] } };
    for (const changes of [closed, { timezone: 'Asia/Tokyo' }, { status: 'inactive' as const }])
      for (const dryRun of [true, false]) expect(await warned(changes, dryRun)).toEqual(expected);
    expect(await warned({ bio: 'New' })).toEqual({ error: false, warnings: undefined });
    people.outside.delete(instructor_id);
    expect(await warned({ status: 'active' })).toEqual({ error: false, warnings: undefined });
  });

  it('publishes the former values once per PATCH, and nothing when no value differs', async () => {
    const made = await people.anInstructor();
    await update(made.id, { hourly_rate_cents: 100, bio: 'x' });
    expect(await update(made.id, { hourly_rate_cents: 100 })).toMatchObject({ version: 2 });
    await update(made.id, { hourly_rate_cents: 200 });
    expect(await people.eventOf(made.id, 2)).toMatchObject({
      type: 'instructor.updated',
      previous: { hourly_rate_cents: 6000 },
      object: { hourly_rate_cents: 100, version: 2 },
    });
    expect(await people.eventOf(made.id, 3)).toMatchObject({
      previous: { hourly_rate_cents: 100 },
      object: { hourly_rate_cents: 200, version: 3 },
    });
    expect((await people.eventOf(made.id, 2)).previous).toEqual({ hourly_rate_cents: 6000 });
  });

  it('is for its own school: rejected to another school as not found, to a family as school_only', async () => {
    const made = await people.anInstructor();
    expect(await rejected(update(made.id, { bio: 'x' }, asOther))).toMatchObject({ reason: 'resource_not_found' });
    expect(await rejected(update(made.id, { bio: 'x' }, { ...asOther, dryRun: true }))).toMatchObject({
      reason: 'resource_not_found',
    });
    expect(await rejected(update(newId('ins'), { bio: 'x' }))).toMatchObject({ reason: 'resource_not_found' });
    expect(await rejected(update(made.id, { bio: 'x' }, asFamily))).toMatchObject({ reason: 'school_only' });
    expect((await read(made.id)).bio).toBeNull();
  });

  it('rejects an e-mail that is taken, in a dry run too, and accepts its own in another case', async () => {
    const [one, other] = [await people.anInstructor(), await people.anInstructor()];
    for (const dryRun of [false, true]) {
      const work = update(one.id, { email: other.email.toUpperCase() }, { ...asSchool, dryRun });
      expect(await rejected(work)).toMatchObject({ reason: 'already_exists', details: { field: 'email' } });
    }
    expect(await update(one.id, { email: one.email.toUpperCase() })).toMatchObject({ email: one.email.toUpperCase() });
  });

  it('rejects an impossible phone number and an unknown pool', async () => {
    const { id } = await people.anInstructor();
    expect(await rejected(update(id, { phone: '+0' }))).toMatchObject({ reason: 'invalid_phone' });
    expect(await rejected(update(id, { service_areas: [area([newId('pool')])] }))).toMatchObject({
      reason: 'not_found',
      details: { field: 'service_areas.0.pool_ids.0' },
    });
  });

  it('with a version changes that version only', async () => {
    const { id } = await people.anInstructor();
    expect(await update(id, { bio: 'second', version: 1 })).toMatchObject({ version: 2 });
    expect(await rejected(update(id, { bio: 'third', version: 1 }))).toMatchObject({
      reason: 'stale_version',
      code: 'CONFLICT',
      details: { field: 'version', current_version: 2 },
    });
  });

  it('loses none of eight concurrent changes', async () => {
    const { id } = await people.anInstructor();
    await Promise.all(Array.from({ length: 8 }, (_, index) => update(id, { bio: `bio ${index}` })));
    expect((await read(id)).version).toBe(9);
  });

  it('is rejected with a conflict, and changes nothing, after repeated concurrent changes', async () => {
    const { InstructorsRepository } = await import('../../src/people/instructors/instructors.repository.js');
    const { id } = await people.anInstructor();
    const collection = people.harness.database('people_test').collection<{ _id: string }>('instructors');
    const repository = partOf(people.service, InstructorsRepository);
    const error = await rejected(withRival(repository, collection, () => update(id, { bio: 'x' })));
    expect(error).toMatchObject({ reason: 'change_in_progress', code: 'CONFLICT', retryAfterSeconds: 1 });
    expect(await read(id)).toMatchObject({ bio: null, version: 1 });
  });

  it('stores nothing in a dry run', async () => {
    const made = await people.anInstructor();
    expect(await update(made.id, { bio: 'imagined' }, { ...asSchool, dryRun: true })).toMatchObject({
      bio: 'imagined',
      version: 2,
    });
    expect(await read(made.id)).toEqual(made);
  });

  it('returns the first run’s answer to a resumed run, after later changes too', async () => {
    const { InstructorsService } = await import('../../src/people/instructors/instructors.service.js');
    const instructors = partOf(people.service, InstructorsService);
    const { id } = await people.anInstructor();
    const context = makeRequestContext({
      requestId: newId('req'),
      principal: people.school,
      deadline: new Deadline(10_000),
      opId: 'the work',
      resumed: true,
    });
    const first = await instructors.update({ instructor_id: id, changes: { bio: 'mine' } }, context);
    await update(id, { bio: 'theirs' });
    expect(await instructors.update({ instructor_id: id, changes: { bio: 'mine' } }, context)).toEqual(first);
    expect((await read(id)).bio).toBe('theirs');
  });

  it('keeps a certification verified until one of its fields changes', async () => {
    const { id } = await people.anInstructor({ certifications: [{ type: 'WSI' }] });
    await people.harness
      .database('people_test')
      .collection<{ _id: string }>('instructors')
      .updateOne({ _id: id }, { $set: { 'certifications.0.verified': true } });
    const verified = async (certifications: { type: string; issuer?: string }[]) =>
      (await update(id, { certifications })).certifications.map((certification) => certification.verified);
    expect(await verified([{ type: 'CPR' }, { type: 'WSI' }])).toEqual([false, true]);
    expect(await verified([{ type: 'WSI', issuer: 'Red Cross' }])).toEqual([false]);
  });
});
