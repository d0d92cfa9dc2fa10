import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { availabilitySchedule, createInstructor, getInstructor, type InputOf, updateInstructor } from '@swim/contracts';
import { AppError, newId } from '@swim/platform';
import { type RequestOptions, rejectionOf, until } from '@swim/testing';
import { expectInstructor, instructorInput, type PeopleHarness, startPeople } from '../harness.js';

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
const area = (pool_ids: string[] = []) => ({ name: 'Centre', latitude: 52.5, longitude: 13.4, radius_km: 5, pool_ids });

describe('creating an instructor', () => {
  it('returns it complete with defaults, and every account reads the same', async () => {
    const made = expectInstructor(await people.anInstructor({ name: 'Ines Gil' }));
    expect(made).toMatchObject({
      account_id: people.school.accountId,
      name: 'Ines Gil',
      timezone: 'Europe/Berlin',
      currency: 'EUR',
      status: 'active',
      version: 1,
      max_group_size: 1,
      availability_schedule: availabilitySchedule.parse({}),
      rating: { average: null, count: 0 },
      reviews: [],
      certifications: [],
      phone: null,
    });
    for (const options of [asFamily, asOther, asSchool]) expect(await read(made.id, options)).toEqual(made);
  });

  it('stores every given field', async () => {
    const pool = newId('pool');
    people.pools.add(pool);
    const given = {
      phone: '+1 415 555 2671',
      bio: 'Thirty years in the water',
      photo_url: 'https://example.test/a.jpg',
      timezone: 'Asia/Kathmandu',
      service_areas: [area([pool])],
      certifications: [
        { type: 'WSI', issuer: 'Red Cross', issued_at: '2020-01-01', expires_at: '2030-01-01' },
        { type: 'CPR' },
      ],
      currency: 'USD',
      max_group_size: 4,
      availability_schedule: {
        weekly: [{ day: 'mon' as const, start: '09:00', end: '12:00' }],
        buffer_after_minutes: 10,
      },
      levels_taught: ['beginner' as const],
      languages: ['en', 'de'],
      status: 'inactive' as const,
      hourly_rate_cents: 5400,
    };
    const made = expectInstructor(await people.anInstructor(given));
    expect(made).toMatchObject({
      ...given,
      phone: '+14155552671',
      certifications: [
        { ...given.certifications[0], verified: false },
        { type: 'CPR', issuer: null, issued_at: null, expires_at: null, verified: false },
      ],
    });
    expect(await read(made.id)).toEqual(made);
  });

  it('is for schools only', async () => {
    expect(await rejected(people.anInstructor({}, asFamily))).toMatchObject({
      reason: 'school_only',
      code: 'AUTHORIZATION_ERROR',
    });
  });

  it('rejects an e-mail that the school has, in any case; another school may have it', async () => {
    await people.anInstructor({ email: 'Twice@example.test' });
    expect(await rejected(people.anInstructor({ email: 'tWICE@example.test' }))).toMatchObject({
      reason: 'already_exists',
      code: 'CONFLICT',
      details: { field: 'email' },
    });
    await people.anInstructor({ email: 'twice@example.test' }, asOther);
  });

  it('creates one of thirty concurrent requests with one e-mail', async () => {
    const create = () => people.anInstructor({ email: 'race@example.test' }).catch((error: unknown) => error);
    const isUnknown = (outcome: unknown) => outcome instanceof AppError && outcome.code === 'SERVER_ERROR';
    // On a busy machine requests may time out before their result is known.
    const known = (await Promise.all(Array.from({ length: 30 }, create))).filter((outcome) => !isUnknown(outcome));
    const rejections = known.filter((outcome) => outcome instanceof Error);
    expect(known.length - rejections.length).toBeLessThanOrEqual(1);
    for (const rejection of rejections) expect(rejection).toMatchObject({ reason: 'already_exists' });
    await until(async () => !isUnknown(await create()), 'a further request is answered');
    const instructors = people.harness.database('people_test').collection('instructors');
    expect(await instructors.countDocuments({ emailKey: 'race@example.test' })).toBe(1);
    expect(await create()).toMatchObject({ reason: 'already_exists' });
  });

  it('rejects an impossible phone number, an unknown pool, and fields that cannot be set', async () => {
    expect(await rejected(people.anInstructor({ phone: '+1' }))).toMatchObject({
      reason: 'invalid_phone',
      details: { field: 'phone' },
    });
    const pool = newId('pool');
    people.pools.add(pool);
    expect(
      await rejected(people.anInstructor({ service_areas: [area([pool]), area([pool, newId('pool')])] })),
    ).toMatchObject({
      reason: 'not_found',
      code: 'VALIDATION_ERROR',
      details: { field: 'service_areas.1.pool_ids.1' },
    });
    const verified = { certifications: [{ type: 'WSI', verified: true }] } as unknown as Partial<
      InputOf<typeof createInstructor>
    >;
    expect(await rejected(people.anInstructor(verified))).toMatchObject({
      reason: 'unknown_field',
      details: { field: 'certifications.0.verified' },
    });
  });

  it('rejects a rate that its currency does not have: not_representable', async () => {
    const made = rejected(people.anInstructor({ hourly_rate_cents: 12_345, currency: 'KWD' }));
    expect(await made).toMatchObject({ reason: 'not_representable', details: { field: 'hourly_rate_cents' } });
    const { id } = await people.anInstructor({ hourly_rate_cents: 12_340, currency: 'KWD' });
    for (const changes of [{ hourly_rate_cents: 12_345 }, { hourly_rate_cents: 5, currency: 'TND' }]) {
      const changed = people.harness.call(updateInstructor, { instructor_id: id, changes }, asSchool);
      expect(await rejected(changed)).toMatchObject({ reason: 'not_representable' });
    }
  });

  it('publishes it to its school, without personal data', async () => {
    const made = await people.anInstructor({
      name: 'Canary Name',
      bio: 'canary bio',
      phone: '+14155552671',
      email: 'canary@example.test',
    });
    const event = await people.eventOf(made.id, 1);
    expect(event).toMatchObject({
      type: 'instructor.created',
      env: 'test',
      audience: [people.school.accountId],
      cause: { actor: people.school.keyId },
    });
    const { name: _n, email: _e, phone: _p, bio: _b, photo_url: _u, reviews: _r, ...rest } = made;
    expect(event.object).toEqual(rest);
    expect(JSON.stringify(event)).not.toMatch(/canary|4155552671/i);
  });

  it('stores nothing in a dry run, and returns its conflict', async () => {
    const dry = { ...asSchool, dryRun: true };
    const imagined = expectInstructor(await people.anInstructor({ email: 'dry@example.test' }, dry));
    expect(await rejected(read(imagined.id))).toMatchObject({ reason: 'resource_not_found' });
    await people.anInstructor({ email: 'dry@example.test' });
    expect(await rejected(people.anInstructor({ email: 'DRY@example.test' }, dry))).toMatchObject({
      reason: 'already_exists',
      details: { field: 'email' },
    });
  });

  it('creates one under one Idempotency-Key', async () => {
    const input = instructorInput();
    const retry = () => people.harness.request(createInstructor, input, { ...asSchool, idempotencyKey: 'one coach' });
    const [first, second] = [await retry(), await retry()];
    expect(Buffer.from(second.body)).toEqual(Buffer.from(first.body));
    expect(second.replayed).toBe(true);
  });
});

describe('reading an instructor', () => {
  it('is rejected when it does not exist, or belongs to the other environment', async () => {
    const made = await people.anInstructor();
    expect(await rejected(read(newId('ins')))).toMatchObject({ reason: 'resource_not_found', code: 'NOT_FOUND' });
    expect(await rejected(read(made.id, { principal: { ...people.school, env: 'live' } }))).toMatchObject({
      reason: 'resource_not_found',
    });
  });
});

describe('without scheduling', () => {
  it('an instructor with pools cannot be written, one without pools can', async () => {
    people.stopScheduling();
    const pool = newId('pool');
    const work = people.anInstructor(
      { name: 'Poolless', service_areas: [area([pool])] },
      { ...asSchool, budgetMs: 400 },
    );
    expect(await rejected(work)).toMatchObject({ code: 'SERVER_ERROR' });
    await people.anInstructor({ service_areas: [area()] });
  });
});
