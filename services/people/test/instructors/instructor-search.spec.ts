import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type InputOf, listInstructors } from '@swim/contracts';
import { newId } from '@swim/platform';
import { rejectionOf } from '@swim/testing';
import { type PeopleHarness, startPeople } from '../harness.js';

let people: PeopleHarness;
beforeAll(async () => {
  people = await startPeople();
});
afterAll(() => people?.stop());

const list = (query: InputOf<typeof listInstructors>, principal = people.family) =>
  people.harness.call(listInstructors, query, { principal });
const names = async (query: InputOf<typeof listInstructors>) =>
  (await list({ limit: 100, ...query })).items.map(({ name }) => name);
const at = (latitude: number, longitude: number) => ({ name: 'Area', latitude, longitude, radius_km: 100 });

describe('searching instructors', () => {
  it('finds the beginning of any word of name or e-mail, in any case, with or without accents', async () => {
    await people.anInstructor({ name: 'Zoë Łukasz-Quintana', email: 'swimmer.zoe@quay.example' });
    for (const search of [
      'zoe',
      'ZOË',
      'lukasz',
      'quint',
      'łuk',
      'Quintana zoe',
      'swimmer.zoe@quay.example',
      'SWIMMER',
      'quay',
      '@quay.example',
    ]) {
      expect([search, await names({ search })]).toEqual([search, ['Zoë Łukasz-Quintana']]);
    }
    for (const search of ['oe', 'zoe lukasz x', 'quintanab']) expect(await names({ search })).toEqual([]);
  });

  it('treats free text literally', async () => {
    const odd = String.raw`Axel [b].*(c)$d %_\ ^`;
    await people.anInstructor({ name: odd });
    await people.anInstructor({ name: 'Axel plain' });
    const none = ['.*', '.', '[a-z]', '_', '$ne', '$', 'a.el', '(', '\\w', 'axel.*', '\u0301', 'axel \u{10FFFF}'];
    for (const search of none) expect([search, await names({ search })]).toEqual([search, []]);
    const one = ['[b].*', '[B].*(C)$D', '%', '%_\\', '^', 'axel ^'];
    for (const search of one) expect([search, await names({ search })]).toEqual([search, [odd]]);
  });

  it('leaves reviews out unless the request expands them', async () => {
    const { id } = await people.anInstructor({ name: 'Expandtest' });
    expect((await list({ ids: id })).items[0]).not.toHaveProperty('reviews');
    expect((await list({ ids: id, expand: 'reviews' })).items[0]).toMatchObject({ id, reviews: [] });
    const free = await list({
      ids: id,
      'location[latitude]': '0',
      'location[longitude]': '0',
      'location[radius]': '1',
    });
    expect(free.items).toEqual([]);
  });

  it('with metadata lists only those that have all of its values', async () => {
    const value = newId('req');
    const tagged = await people.anInstructor({ metadata: { crm: value, team: 'north' } });
    await people.anInstructor({ metadata: { crm: value } });
    const { items } = await list({ metadata: { crm: value, team: 'north' } });
    expect(items).toMatchObject([{ id: tagged.id, metadata: { crm: value, team: 'north' } }]);
  });

  it('with ids and updated_from lists only those that changed since', async () => {
    const [first, second] = [await people.anInstructor(), await people.anInstructor()];
    const ids = `${first.id},${second.id}`;
    expect((await list({ ids })).items.map(({ id }) => id)).toEqual([second.id, first.id]);
    const { items } = await list({ ids, updated_from: second.updated_at });
    expect(items.map(({ id }) => id)).toEqual([second.id]);
  });

  it('with account_id lists only those of these schools, also around a place', async () => {
    const own = (name: string, principal = people.school) =>
      people.anInstructor({ name, service_areas: [at(-30, 40)] }, { principal });
    await own('Ofschool one');
    await own('Ofschool other', people.otherSchool);
    await own('Ofschool two');
    const [one, other] = [people.school.accountId, people.otherSchool.accountId];
    const around = { location: '{"latitude":-30,"longitude":40,"radius":5}' };
    for (const place of [{}, around]) {
      const of = (account_id: string) => names({ search: 'ofschool', account_id, ...place });
      expect(await of(one)).toEqual(['Ofschool two', 'Ofschool one']);
      expect(await of(`${one},${other}`)).toEqual(['Ofschool two', 'Ofschool other', 'Ofschool one']);
      expect(await of(newId('acct'))).toEqual([]);
      const { next_cursor } = (await list({ account_id: one, limit: 1, ...place })).pagination;
      const elsewhere = list({ account_id: other, limit: 1, cursor: next_cursor!, ...place });
      expect(await rejectionOf(elsewhere)).toMatchObject({ reason: 'invalid_cursor' });
    }
  });

  it.each([
    ['another kind of id', newId('ins'), 'invalid_id'],
    ['an empty list', '', 'invalid_id'],
    ['more than 100 ids', Array.from({ length: 101 }, () => newId('acct')).join(), 'too_long'],
  ])('rejects %s as account_id', async (_, account_id, reason) => {
    expect(await rejectionOf(list({ account_id }))).toMatchObject({ details: { field: 'account_id', reason } });
  });

  it('lists every school’s, newest first, page by page, with an exact total', async () => {
    const made = [];
    for (let index = 0; index < 5; index++)
      made.unshift(
        (
          await people.anInstructor(
            { name: `Pagetest ${index}` },
            { principal: index % 2 ? people.school : people.otherSchool },
          )
        ).id,
      );
    const first = await list({ search: 'pagetest', limit: 2 });
    expect(first.pagination).toMatchObject({ has_more: true, total: 5 });
    const second = await list({ search: 'pagetest', limit: 2, cursor: first.pagination.next_cursor! });
    const last = await list({ search: 'pagetest', limit: 2, cursor: second.pagination.next_cursor! });
    expect([...first.items, ...second.items, ...last.items].map(({ id }) => id)).toEqual(made);
    expect(last.pagination).toEqual({ has_more: false, next_cursor: null, total: 5 });
    expect((await list({ search: 'pagetest', offset: '3' })).items.map(({ id }) => id)).toEqual(made.slice(3));
    expect(first.items[0]).not.toHaveProperty('distance_km');
  });

  it('rejects a cursor of another account or another search', async () => {
    for (let index = 0; index < 2; index++) await people.anInstructor({ name: 'Cursortest' });
    const cursor = (await list({ search: 'cursortest', limit: 1 })).pagination.next_cursor!;
    expect(await rejectionOf(list({ search: 'cursor', limit: 1, cursor }))).toMatchObject({
      reason: 'invalid_cursor',
    });
    expect(await rejectionOf(list({ search: 'cursortest', limit: 1, cursor }, people.school))).toMatchObject({
      reason: 'invalid_cursor',
    });
  });

  it('finds by certification only while it is valid, to the end of its last day', async () => {
    people.clock.set('2027-03-01T12:00:00Z');
    const held = (name: string, expires_at?: string) =>
      people.anInstructor({
        name,
        certifications: [{ type: 'Lifeguard Training', expires_at: expires_at ?? null }, { type: 'CPR' }],
      });
    await held('ends yesterday', '2027-02-28');
    await held('ends today', '2027-03-01');
    await held('ends tomorrow', '2027-03-02');
    await held('never ends');
    expect(await names({ certification: 'lifeguard TRAINING' })).toEqual(['never ends', 'ends tomorrow', 'ends today']);
    expect(await names({ certification: 'Lifeguard' })).toEqual([]);
    expect(await names({ certification: 'CPR', search: 'ends yes' })).toEqual(['ends yesterday']);
    people.clock.set(new Date());
  });
});

describe('searching instructors around a place', () => {
  beforeAll(async () => {
    await people.anInstructor({ name: 'Geo north', service_areas: [at(10.5, 20)] });
    await people.anInstructor({ name: 'Geo centre', service_areas: [at(-40, 20), at(10, 20)] });
    await people.anInstructor({ name: 'Geo east', service_areas: [at(10, 20.2)] });
    await people.anInstructor({ name: 'Geo east again', service_areas: [at(10, 20.2)] });
    await people.anInstructor({ name: 'Geo nowhere' });
    await people.anInstructor({ name: 'Geo stays', service_areas: [{ ...at(10, 20.2), radius_km: 15 }] });
    await people.anInstructor({ name: 'Geo corner', service_areas: [at(10.55, 20.55)] });
    await people.anInstructor({ name: 'Geo dateline', service_areas: [at(0, -179.9)] });
  });
  const around = (latitude: number, longitude: number, radius: number) => ({
    'location[latitude]': String(latitude),
    'location[longitude]': String(longitude),
    'location[radius]': String(radius),
  });

  it('returns the nearest first with the distance to the nearest centre, newest first among equals', async () => {
    const { items, pagination } = await list(around(10, 20, 60));
    expect(items.map(({ name }) => name)).toEqual(['Geo centre', 'Geo east again', 'Geo east', 'Geo north']);
    expect(items.map(({ distance_km }) => Math.round(distance_km!))).toEqual([0, 22, 22, 56]);
    expect(pagination).toEqual({ has_more: false, next_cursor: null, total: 4 });
  });

  it('accepts the place as JSON too, and combines with the other filters', async () => {
    const location = JSON.stringify({ latitude: 10, longitude: 20, radius: 60 });
    expect(await names({ location })).toEqual(['Geo centre', 'Geo east again', 'Geo east', 'Geo north']);
    expect(await names({ location, search: 'geo ea' })).toEqual(['Geo east again', 'Geo east']);
  });

  it('pages by cursor and by offset', async () => {
    const seen: string[] = [];
    for (let cursor: string | undefined; ; ) {
      const { items, pagination } = await list({ ...around(10, 20, 60), limit: 1, ...(cursor ? { cursor } : {}) });
      seen.push(...items.map(({ name }) => name));
      expect(pagination.total).toBe(4);
      if (!pagination.has_more) break;
      cursor = pagination.next_cursor!;
    }
    expect(seen).toEqual(['Geo centre', 'Geo east again', 'Geo east', 'Geo north']);
    expect(await names({ ...around(10, 20, 60), offset: 2 })).toEqual(['Geo east', 'Geo north']);
  });

  it('searches across the date line', async () => {
    expect(await names(around(0, 179.9, 30))).toEqual(['Geo dateline']);
  });

  it('rejects half a place, a radius over 200 km and a place in both spellings', async () => {
    const rejected = async (query: InputOf<typeof listInstructors>) => (await rejectionOf(list(query))).details;
    expect(await rejected({ 'location[latitude]': '1' })).toMatchObject({
      reason: 'required',
      field: 'location[longitude]',
    });
    expect(await rejected(around(1, 2, 200.5))).toMatchObject({ reason: 'out_of_range', field: 'location[radius]' });
    expect(await rejected(around(91, 2, 20))).toMatchObject({ reason: 'out_of_range', field: 'location[latitude]' });
    expect(await rejected({ ...around(1, 2, 3), location: '{"latitude":1,"longitude":2,"radius":3}' })).toMatchObject({
      reason: 'mutually_exclusive',
      field: 'location',
    });
    expect(await rejected({ location: '{' })).toMatchObject({ reason: 'invalid_json', field: 'location' });
  });

  const json = (latitude: unknown, longitude: unknown, radius: unknown) =>
    JSON.stringify({ latitude, longitude, radius });

  it.each<[string, InputOf<typeof listInstructors>, string, string]>([
    ['radius 0', around(1, 2, 0), 'location[radius]', 'out_of_range'],
    ['radius 201', around(1, 2, 201), 'location[radius]', 'out_of_range'],
    ['latitude 91', around(91, 2, 3), 'location[latitude]', 'out_of_range'],
    ['latitude -90.1', around(-90.1, 2, 3), 'location[latitude]', 'out_of_range'],
    ['longitude 181', around(1, 181, 3), 'location[longitude]', 'out_of_range'],
    ['no number', { ...around(1, 2, 3), 'location[radius]': 'near' }, 'location[radius]', 'invalid_format'],
    ['a power of ten', { ...around(1, 2, 3), 'location[radius]': '1e2' }, 'location[radius]', 'invalid_format'],
    ['NaN', { ...around(1, 2, 3), 'location[latitude]': 'NaN' }, 'location[latitude]', 'invalid_format'],
    ['an empty latitude', { ...around(1, 2, 3), 'location[latitude]': '' }, 'location[latitude]', 'invalid_format'],
    ['broken JSON', { location: '{"latitude":1,' }, 'location', 'invalid_json'],
    ['JSON of a list', { location: '[1,2,3]' }, 'location', 'invalid_type'],
    ['JSON of null', { location: 'null' }, 'location', 'invalid_type'],
    ['latitude 91 in JSON', { location: json(91, 2, 3) }, 'location.latitude', 'out_of_range'],
    ['radius 0 in JSON', { location: json(1, 2, 0) }, 'location.radius', 'out_of_range'],
    ['radius 201 in JSON', { location: json(1, 2, 201) }, 'location.radius', 'out_of_range'],
    ['a text in JSON', { location: json('1', 2, 3) }, 'location.latitude', 'invalid_type'],
    ['half a place in JSON', { location: '{"latitude":1,"longitude":2}' }, 'location.radius', 'required'],
    [
      'an unknown member',
      { location: '{"latitude":1,"longitude":2,"radius":3,"$ne":1}' },
      'location.$ne',
      'unknown_field',
    ],
    ['both spellings', { ...around(1, 2, 3), location: json(1, 2, 3) }, 'location', 'mutually_exclusive'],
    ['blanks as a name', { search: '  ' }, 'search', 'too_short'],
    ['NUL in a name', { search: 'a\0' }, 'search', 'forbidden_characters'],
    ['a lone surrogate in a name', { search: '\ud800' }, 'search', 'forbidden_characters'],
    ['blanks as a certification', { certification: ' ' }, 'certification', 'too_short'],
  ])('rejects %s', async (_, query, field, reason) => {
    expect(await rejectionOf(list(query))).toMatchObject({ code: 'VALIDATION_ERROR', details: { field, reason } });
  });

  it('accepts the poles, the date line and 200 km', async () => {
    for (const [latitude, longitude] of [
      [90, 180],
      [-90, -180],
    ] as const) {
      expect(await names(around(latitude, longitude, 200))).toEqual([]);
      expect(await names({ location: json(latitude, longitude, 200) })).toEqual([]);
    }
  });

  it('combines all filters in one request', async () => {
    await people.anInstructor({
      name: 'Geo certified',
      service_areas: [at(10, 20.1)],
      certifications: [{ type: 'WSI' }],
    });
    await people.anInstructor({
      name: 'Geo lapsed',
      service_areas: [at(10, 20.1)],
      certifications: [{ type: 'WSI', expires_at: '2020-01-01' }],
    });
    expect(await names({ ...around(10, 20, 60), certification: 'wsi', search: 'geo' })).toEqual(['Geo certified']);
    expect(await names({ ...around(10, 20, 5), certification: 'wsi', search: 'geo' })).toEqual([]);
  });
});
