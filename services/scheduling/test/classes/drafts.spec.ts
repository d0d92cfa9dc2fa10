import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type BusEvent, createPool } from '@swim/contracts';
import { newId } from '@swim/platform';
import { aPrincipal, collectMessages, type RequestOptions, rejectionOf, until } from '@swim/testing';
import { asFamily, family, type SchedulingHarness, school, startScheduling } from '../harness.js';
import { classesOf, dateIn, type Fields, weekdayIn } from './classes-client.js';

let scheduling: SchedulingHarness;
let events: BusEvent[];
beforeAll(async () => {
  scheduling = await startScheduling();
  events = await collectMessages<BusEvent>(scheduling.harness.connection, 'event.test.scheduling.class.>');
});
afterAll(() => scheduling?.stop());

const { create, read, patch, remove, list, fields, call } = classesOf(() => scheduling);
const asSchool = { principal: school };

describe('a new class', () => {
  it('is a draft without lessons and places, in the currency of its instructor, which its school alone sees', async () => {
    const input = fields({ description: 'For children who can float', levels: ['beginner'], min_age_years: 5 });
    const made = await create(input);
    expect(made).toMatchObject({
      ...input,
      ...{ account_id: school.accountId, recurrence: { ...input.recurrence, except: [] } },
      ...{ max_age_years: null, currency: 'USD', status: 'draft', version: 1 },
      ...{ places_left: null, next_lesson_at: null, location: null },
    });
    expect(await read(made.id)).toEqual(made);
    for (const principal of [family, aPrincipal({ kind: 'school' })])
      expect((await rejectionOf(read(made.id, { principal }))).reason).toBe('resource_not_found');
    expect(await list({}, asSchool)).toContain(made.id);
    expect(await list({})).not.toContain(made.id);
  });

  it('is at the default pool of its instructor, or at the one that is named', async () => {
    const place = { name: 'Baths', address: 'Uferweg 1', latitude: 52.5, longitude: 13.4, timezone: 'UTC' };
    const { id: pool_id } = await call(createPool, place, asSchool);
    const instructor_id = scheduling.people.instructor({ defaultPoolId: pool_id, poolIds: [pool_id] });
    const location = { type: 'pool', pool_id } as const;
    expect((await create({ instructor_id })).location).toEqual(location);
    const { id } = await create({ location });
    expect(await list({ pool_id }, asSchool)).toEqual([id, expect.any(String)]);
    const unknown = { type: 'pool', pool_id: newId('pool') } as const;
    expect(await rejectionOf(create({ location: unknown }))).toMatchObject({ reason: 'not_found' });
    expect(await rejectionOf(patch(id, { location: unknown }))).toMatchObject({ reason: 'not_found' });
  });

  it('is made once by a repeated request, and not by a dry run', async () => {
    const input = { name: 'Only once', instructor_id: scheduling.people.instructor() };
    expect(await create(input, { dryRun: true })).toMatchObject({ name: 'Only once', status: 'draft' });
    expect(await list({ search: 'only' }, asSchool)).toEqual([]);
    const options = { idempotencyKey: 'a class once' };
    const { id } = await create(input, options);
    expect(await create(input, options)).toMatchObject({ id });
    expect(await list({ search: 'only' }, asSchool)).toEqual([id]);
  });

  it('is published to its school, without its name and description', async () => {
    const { id, name: _, description: __, ...made } = await create({ description: 'Secret' });
    await patch(id, { capacity: 9 });
    const own = () => events.filter(({ objectId }) => objectId === id);
    await until(() => own().length === 2, 'both events');
    expect(own().map(({ type, audience }) => [type, audience])).toEqual([
      ['class.created', [school.accountId]],
      ['class.updated', [school.accountId]],
    ]);
    expect(own()[0]!.object).toEqual({ object: 'class', id, ...made });
    expect(own()[1]!.previous).toMatchObject({ capacity: 6, version: 1 });
  });

  it.each<[string, string, string | undefined, Partial<Fields>, RequestOptions]>([
    ['families', 'school_only', undefined, {}, asFamily],
    ['unknown instructors', 'not_found', 'instructor_id', { instructor_id: newId('ins') }, {}],
    ['ages that nobody has', 'range_reversed', 'max_age_years', { min_age_years: 9, max_age_years: 8 }, {}],
  ])('rejects %s: %s', async (_, reason, field, more, options) => {
    const { details } = await rejectionOf(create(more, { ...asSchool, ...options }));
    expect(details).toMatchObject({ reason, ...(field ? { field } : {}) });
  });

  it.each<[string, object, object]>([
    ['ends before it begins', { until: dateIn(9) }, { reason: 'range_reversed', field: 'recurrence.until' }],
    ['has no date', { weekdays: [weekdayIn(11), weekdayIn(12)], until: dateIn(10) }, { field: 'recurrence.until' }],
    ['has 53 dates', { count: 53 }, { reason: 'too_large', field: 'recurrence.count', errors: [{ maximum: 52 }] }],
    [
      'has two dates a week for 40 weeks',
      { weekdays: ['mon', 'thu'], until: dateIn(290) },
      { reason: 'too_large', field: 'recurrence.until', maximum: 52 },
    ],
    ['leaves out a date that it does not have', { count: 3, except: [dateIn(11)] }, { reason: 'invalid_value' }],
    ['leaves out every date', { count: 1, except: [dateIn(10)] }, { reason: 'too_long' }],
    ['has two ends', { count: 2, until: dateIn(99) }, { reason: 'mutually_exclusive', field: 'recurrence.until' }],
    ['has no end', {}, { reason: 'required', field: 'recurrence.count' }],
  ])('that %s is rejected', async (_, changes, details) => {
    const { count: __, ...dates } = fields().recurrence;
    const weekdays = 'until' in changes && !('weekdays' in changes) ? dates.weekdays : undefined;
    const rejected = await rejectionOf(
      create({ recurrence: { ...dates, ...changes, ...(weekdays ? { weekdays } : {}) } as Fields['recurrence'] }),
    );
    expect(rejected.details).toMatchObject(details);
  });
});

describe('PATCH of a draft', () => {
  it('changes what is sent, and merges the recurrence', async () => {
    const made = await create({ recurrence: { ...fields().recurrence, except: [dateIn(24)] } });
    const changed = await patch(made.id, { name: 'Otters', recurrence: { count: 2 }, version: 1 });
    // The exception is no date of it any more.
    const { recurrence } = made;
    expect(changed).toMatchObject({ name: 'Otters', version: 2, recurrence: { ...recurrence, count: 2, except: [] } });
    const untilDate = await patch(made.id, { recurrence: { until: dateIn(17) } });
    expect(untilDate.recurrence).toEqual({
      ...{ start_local: recurrence.start_local, timezone: 'UTC', weekdays: recurrence.weekdays },
      ...{ until: dateIn(17), except: [] },
    });
    expect(untilDate).toMatchObject(await read(made.id));
  });

  it('takes what GET answers, and is no event then', async () => {
    const made = await create();
    expect(await patch(made.id, { ...made } as object)).toEqual(made);
    expect(await patch(made.id, { name: made.name, recurrence: { count: 3 } })).toMatchObject(made);
  });

  it('takes the currency of another instructor', async () => {
    const { id } = await create();
    const instructor_id = scheduling.people.instructor({ currency: 'KWD' });
    expect(await patch(id, { instructor_id })).toMatchObject({ currency: 'KWD', version: 2 });
    expect(await rejectionOf(patch(id, { price_cents: 1_505 }))).toMatchObject({ reason: 'not_representable' });
  });

  it('changes nothing in a dry run', async () => {
    const made = await create();
    expect(await patch(made.id, { capacity: 2 }, { dryRun: true })).toMatchObject({ capacity: 2, version: 2 });
    expect(await read(made.id)).toEqual(made);
  });

  it('rejects what does not fit the rest, stale versions and other accounts', async () => {
    const { id } = await create({ min_age_years: 8 });
    expect((await rejectionOf(patch(id, { max_age_years: 7 }))).reason).toBe('range_reversed');
    expect((await rejectionOf(patch(id, { recurrence: { until: dateIn(2) } }))).reason).toBe('range_reversed');
    expect((await rejectionOf(patch(id, { capacity: 3, version: 9 }))).details).toMatchObject({ current_version: 1 });
    expect((await rejectionOf(patch(id, { capacity: 3 }, asFamily))).reason).toBe('resource_not_found');
  });
});

describe('DELETE of a draft', () => {
  it('removes it for good', async () => {
    const { id } = await create();
    await remove(id, { dryRun: true });
    await remove(id);
    expect((await rejectionOf(read(id))).reason).toBe('resource_not_found');
    expect((await rejectionOf(remove(id))).reason).toBe('resource_not_found');
  });
});

describe('GET /classes', () => {
  it('finds classes by school, level, age, instructor, day of the week and words of the name', async () => {
    const instructor_id = scheduling.people.instructor();
    const { weekdays } = fields().recurrence;
    const { id } = await create({ instructor_id, name: 'Große Wölfe', levels: ['advanced'], min_age_years: 9 });
    const { id: every } = await create({ instructor_id });
    const both = [every, id];
    const found = (query: object) => list({ instructor_id, ...query }, asSchool);
    expect(await found({})).toEqual(both);
    expect(await found({ account_id: school.accountId })).toEqual(both);
    expect(await found({ account_id: newId('acct') })).toEqual([]);
    expect(await found({ level: 'advanced', age_years: '9', weekday: weekdays[0] })).toEqual(both);
    expect(await found({ level: 'beginner' })).toEqual([every]);
    expect(await found({ age_years: '8' })).toEqual([every]);
    expect(await found({ weekday: weekdays[0] === 'mon' ? 'tue' : 'mon' })).toEqual([]);
    expect(await found({ search: 'wolfe gros' })).toEqual([id]);
    expect(await found({ ids: every })).toEqual([every]);
  });
});
