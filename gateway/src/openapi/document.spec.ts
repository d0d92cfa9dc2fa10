import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { accountEvent, createClosure, EVENT_TYPES, REASONS } from '@swim/contracts';
import { newId } from '@swim/platform';
import { OPENAPI_FILE } from '../pages.js';
import { ROUTES, WEBHOOKS } from '../routes.js';
import { openApiDocument, parametersOf } from './document.js';
import type { DocumentedOperation, DocumentedResponse } from './documented-operation.js';
import { FIELD_TEXTS } from './field-texts.js';
import { reasonsOf } from './responses/responses.js';
import type { JsonSchema } from './schemas.js';

interface Discriminator {
  mapping: Record<string, string>;
}

const nameIn = (ref: string): string => ref.replace('#/components/schemas/', '');
const document = openApiDocument();
const text = JSON.stringify(document);

/** A TypeID, an instant, a date, or an e-mail address. */
const FORMATTED = /^(?:[a-z]+_[0-7][0-9a-z]{25}|\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?|[^@\s/]+@[^@\s/]+\.[a-z]+)$/;
/** Fields that a client may fill with a text of its own, the key or service that caused an event, and a date or an instant. */
const OF_SEVERAL_FORMATS = /(?:request_id|request\.id|idempotency_key|\.actor|\.warnings\.date)$/;

interface Field {
  name: string;
  value: string;
  schemas: JsonSchema[];
}

const hasFormat = ({ pattern, format }: JsonSchema): boolean => pattern !== undefined || format !== undefined;

const answersOf = ({ responses }: DocumentedOperation) =>
  Object.values(responses).flatMap((response) => Object.values(('content' in response && response.content) || {})) as {
    schema: JsonSchema;
    example?: unknown;
  }[];

const partsOf = ({ anyOf, oneOf, allOf }: JsonSchema) =>
  [anyOf, oneOf, allOf].flatMap((parts) => (parts ?? []) as JsonSchema[]);

/** The schemas that these stand for: what they refer to, and their alternatives. */
function resolved(schemas: readonly JsonSchema[]): JsonSchema[] {
  return schemas.flatMap((schema) => {
    const referred = schema.$ref ? [document.components.schemas[nameIn(String(schema.$ref))]!] : [];
    const parts = [...referred, ...partsOf(schema)];
    return [schema, ...resolved(parts)];
  });
}

/** Every text in a value, with the schemas that describe it. A member that no schema describes is left out. */
function fieldsOf(schemas: readonly JsonSchema[], value: unknown, name: string): Field[] {
  const all = resolved(schemas);
  if (typeof value === 'string') return [{ name, value, schemas: all }];
  if (Array.isArray(value)) {
    const items = all.flatMap((schema) => (schema.items ? [schema.items as JsonSchema] : []));
    return value.flatMap((item) => fieldsOf(items, item, name));
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    const described = all.flatMap(({ properties }): JsonSchema[] => [properties?.[key] ?? []].flat());
    return described.length === 0 ? [] : fieldsOf(described, member, `${name}.${key}`);
  });
}

describe('the OpenAPI document', () => {
  it('is committed as the contracts have it', () => {
    expect(JSON.parse(readFileSync(OPENAPI_FILE, 'utf8'))).toEqual(JSON.parse(text));
  });

  it('has every route, each under a name of its own', () => {
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
    const names = operations.map(({ operationId }) => operationId);
    expect(new Set(names).size).toBe(names.length);
    for (const { method, path } of ROUTES)
      expect(document.paths[path.replace('/v1', '')]?.[method.toLowerCase()]).toBeDefined();
  });

  it('names the host of the document first, and says of each server which keys reach live data and the sandbox', () => {
    const { servers } = document;
    expect(servers.map(({ url }) => url)).toEqual(['/v1', 'https://{host}/v1', 'http://127.0.0.1:{port}/v1']);
    for (const { url, description, variables = {} } of servers) {
      expect(description).toMatch(/live.*`swl_test_`.*sandbox|`swl_test_`.*sandbox.*[Ll]ive/);
      const filled = url.replace(/\{(\w+)\}/g, (_, name: string) => variables[name]!.default);
      expect(URL.canParse(filled, 'https://host')).toBe(true);
      expect(Object.keys(variables)).toEqual([...url.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
    }
  });

  it('refers to nothing that is not in it', () => {
    const refs = [...text.matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, ref]) => ref!);
    const followed = (ref: string) =>
      ref.split('/').reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], document);
    expect([...new Set(refs)].filter((ref) => followed(ref) === undefined)).toEqual([]);
    expect(refs.length).toBeGreaterThan(100);
  });

  it('lists every reason that an operation declares', () => {
    for (const route of ROUTES) expect(reasonsOf(route)).toEqual(expect.arrayContaining([...route.operation.errors]));
  });

  it('says what null means of values alone that can be null', () => {
    const mayBeNull = ({ type, anyOf = [] }: JsonSchema): boolean =>
      [type].flat().includes('null') || (anyOf as JsonSchema[]).some(mayBeNull);
    const fieldsIn = (node: unknown): [string, JsonSchema][] => {
      if (typeof node !== 'object' || node === null) return [];
      const { properties = {} } = node as JsonSchema;
      return [...Object.entries(properties), ...Object.values(node).flatMap(fieldsIn)];
    };
    const parameters = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).flatMap(({ parameters: given = [] }) =>
        given.flatMap((each): [string, JsonSchema][] =>
          '$ref' in each ? [] : [[each.name, { ...each.schema, description: each.description }]],
        ),
      ),
    );
    const wrong = [...fieldsIn(document.components.schemas), ...parameters].filter(
      ([name, field]) => name !== 'metadata' && / null /.test(String(field.description)) && !mayBeNull(field),
    );
    expect(wrong.map(([name]) => name)).toEqual([]);
  });

  it('uses every text that describes a field', () => {
    const used = new Set([...text.matchAll(/"description":("(?:[^"\\]|\\.)*")/g)].map(([, each]) => JSON.parse(each!)));
    expect(Object.entries(FIELD_TEXTS).filter(([, each]) => !used.has(each))).toEqual([]);
  });

  it('has an example of each body that is sent, and of each that is answered with success, in every media type', () => {
    const without = [...ROUTES, ...WEBHOOKS.map((webhook) => ({ ...webhook, status: 200 }))].flatMap((route) => {
      const { requestBody, responses } = document.paths[route.path.replace('/v1', '')]![route.method.toLowerCase()]!;
      const answered = responses[route.status] as DocumentedResponse;
      const bodies = [...Object.entries(requestBody?.content ?? {}), ...Object.entries(answered.content ?? {})];
      const missing = bodies.filter(([, { example, examples }]) => (example ?? examples) === undefined);
      return missing.map(([type]) => `${route.method} ${route.path}: ${type}`);
    });
    expect(without).toEqual([]);
  });

  it('refers to shared schemas for dates and e-mail addresses in requests and answers', () => {
    const { Account, UpdateAccountBody, Member, CreateMemberBody, Instructor } = document.components.schemas;
    const [address, date] = ['EmailAddress', 'CalendarDate'].map((name) => ({ $ref: `#/components/schemas/${name}` }));
    for (const { properties } of [Account!, UpdateAccountBody!, Instructor!])
      expect(properties!.email).toMatchObject(address!);
    expect(Account!.properties!.pending_email).toMatchObject({ type: ['string', 'null'], format: 'email' });
    for (const { properties } of [Member!, CreateMemberBody!]) expect(properties!.date_of_birth).toMatchObject(date!);
    const certification = Instructor!.properties!.certifications!.items as JsonSchema;
    expect(certification.properties!.expires_at).toMatchObject({ type: ['string', 'null'], format: 'date' });
  });

  it('requires the limits that the gateway adds to the usage', () => {
    expect(document.components.schemas.Usage!.required).toContain('limits');
  });

  it('refers to shared schemas for ids and instants in answers', () => {
    const { id, created_at, booking_id } = document.components.schemas.Session!.properties!;
    expect(id).toMatchObject({ $ref: '#/components/schemas/id_ses' });
    expect(created_at).toMatchObject({ $ref: '#/components/schemas/Timestamp' });
    expect(booking_id).toMatchObject({ type: ['string', 'null'], pattern: expect.stringMatching(/bkg/) });
  });

  it('states the format of each id, instant, date and e-mail address that a recorded example of an answer contains', () => {
    const answers = Object.values(document.paths).flatMap((methods) => Object.values(methods).flatMap(answersOf));
    const fields = answers.flatMap(({ schema, example }) => fieldsOf([schema], example, ''));
    const plain = fields.filter(({ value, schemas }) => FORMATTED.test(value) && !schemas.some(hasFormat));
    expect([...new Set(plain.map(({ name }) => name))].filter((name) => !OF_SEVERAL_FORMATS.test(name))).toEqual([]);
    expect(fields.filter(({ value }) => FORMATTED.test(value)).length).toBeGreaterThan(500);
  });

  it('links what an answer contains to the operations that take it', () => {
    const { links = {} } = document.paths['/bookings']!.post!.responses['201'] as { links?: object };
    expect(Object.keys(links)).toEqual(
      expect.arrayContaining([
        'getBooking.booking',
        'cancelBooking.booking',
        'listPayments.booking',
        'listSessions.booking',
      ]),
    );
    const shared = document.components.links as Record<
      string,
      { operationId: string; parameters: Record<string, string> }
    >;
    expect(shared['listSessions.member']!.parameters).toEqual({ member_id: '$response.body#/data/id' });
    expect(shared['getInstructor.0.instructor_id']!.parameters).toEqual({
      instructor_id: '$response.body#/data/0/instructor_id',
    });
  });

  it('links a list to its next page, and to the operation that reads an object of it', () => {
    const shared = document.components.links as Record<string, { operationId: string; parameters: object }>;
    expect(shared['listRefunds.next']).toMatchObject({
      operationId: 'listRefunds',
      parameters: { payment_id: '$request.path.payment_id', cursor: '$response.body#/pagination/next_cursor' },
    });
    expect(shared['getRequest.0.request_log']).toMatchObject({
      parameters: { request_log_id: '$response.body#/data/0/id' },
    });
    const lists = ROUTES.filter(({ operation }) => operation.kind === 'list');
    const withCursor = lists.filter((route) =>
      parametersOf(route)!.some((each) => 'name' in each && each.name === 'cursor'),
    );
    const linked = Object.keys(shared).filter((name) => name.endsWith('.next'));
    expect(linked).toHaveLength(withCursor.length);
  });

  it('links only to operations that it has, by parameters that they have', () => {
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
    const shared = document.components.links as Record<string, { operationId: string; parameters: object }>;
    for (const [name, { operationId, parameters }] of Object.entries(shared)) {
      const operation = operations.find((each) => each.operationId === operationId);
      const names = (operation?.parameters ?? []).map((each) => ('name' in each ? each.name : ''));
      expect([name, names]).toEqual([name, expect.arrayContaining(Object.keys(parameters))]);
    }
  });

  it('does not bind what answers may have beside what they have today', () => {
    const { Session } = document.components.schemas;
    expect(JSON.stringify(Session)).not.toContain('"additionalProperties":false');
  });

  it('has a complete schema for each type of event, which its `type` names', () => {
    const { schemas } = document.components;
    const { oneOf, discriminator } = schemas.AccountEvent as { oneOf: object[]; discriminator: Discriminator };
    const listed = EVENT_TYPES.filter((type) => type !== 'ping');
    expect(Object.keys(discriminator.mapping)).toEqual(listed);
    expect(Object.values(discriminator.mapping)).toEqual(oneOf.map((each) => (each as { $ref: string }).$ref));
    for (const [type, ref] of Object.entries(discriminator.mapping)) {
      const { properties, required } = schemas[nameIn(ref)]!;
      expect(properties!.type).toMatchObject({ type: 'string', const: type });
      expect(properties!.data!.properties!.object).toMatchObject({ $ref: expect.stringMatching(/EventObject$/) });
      expect(required).toEqual(Object.keys(accountEvent.shape));
    }
  });

  it('has a named schema for the details of each reason with members of its own', () => {
    const { schemas } = document.components;
    const { discriminator } = schemas.ConflictDetails as { discriminator?: Discriminator };
    expect(discriminator!.mapping.conflicting_dates).toBe('#/components/schemas/ConflictingDatesDetails');
    expect(schemas.ConflictingDatesDetails!.properties!.conflicts).toMatchObject({
      items: { $ref: '#/components/schemas/DateConflict' },
    });
    const conflicts = Object.entries(REASONS).filter(([, { code }]) => code === 'CONFLICT');
    expect(Object.keys(discriminator!.mapping).sort()).toEqual(conflicts.map(([reason]) => reason).sort());
  });

  it('states that the token of a calendar feed has no NUL, which the gateway rejects in every query', () => {
    for (const owner of ['instructor', 'member']) {
      const { parameters } = document.paths[`/${owner}s/{${owner}_id}/calendar.ics`]!.get!;
      const token = parameters!.find((each) => 'name' in each && each.name === 'token');
      expect(token).toMatchObject({ schema: { pattern: '^[^\\u0000]*$' } });
    }
  });

  it('states that a bounded number of a body may be null', () => {
    expect(document.components.schemas.CreatePoolBody!.properties!.lanes).toMatchObject({
      ...{ type: ['integer', 'null'], minimum: 1, maximum: 100 },
    });
  });

  it('states the members that an emergency contact needs, and the one that a patch needs', () => {
    const { CreateMemberBody, UpdatePoolBody } = document.components.schemas;
    expect(CreateMemberBody!.properties!.emergency_contact).toMatchObject({
      anyOf: [{ required: ['name', 'phone', 'relationship'] }, { type: 'null' }],
    });
    expect(UpdatePoolBody).toMatchObject({ minProperties: 1 });
  });

  it('states the members of which an object has exactly one, as the contracts check them', () => {
    const { CreateBookingBody, CreateClosureBody, JoinWaitlistBody } = document.components.schemas;
    // biome-ignore lint/suspicious/noThenProperty: this is a keyword of JSON Schema.
    const one = (...names: string[]) => ({ if: {}, then: { oneOf: names.map((name) => ({ required: [name] })) } });
    expect(CreateBookingBody).toMatchObject(one('sessions', 'recurrence', 'lesson_ids'));
    expect(CreateClosureBody).toMatchObject(one('pool_ids', 'instructor_ids'));
    expect(JoinWaitlistBody).toMatchObject(one('instructor_id', 'lesson_id', 'class_id'));
    const body = { from: '2027-03-01T00:00:00Z', to: '2027-03-02T00:00:00Z', reason: 'Repairs', lessons: 'keep' };
    const given = { pool_ids: [newId('pool')], instructor_ids: [newId('ins')] };
    const isTaken = (members: object) => createClosure.input.safeParse({ ...body, ...members }).success;
    const { pool_ids, instructor_ids } = given;
    expect([{}, { pool_ids }, { instructor_ids }, given].map(isTaken)).toEqual([false, true, true, false]);
  });

  it('keeps the type of the values of metadata in answers', () => {
    expect(document.components.schemas.Session!.properties!.metadata).toMatchObject({
      additionalProperties: { type: 'string' },
    });
  });

  it('takes a query parameter for the number that it means', () => {
    const parameters = document.paths['/sessions']!.get!.parameters as { name: string; schema: object }[];
    expect(parameters.find(({ name }) => name === 'limit')!.schema).toEqual({
      type: 'integer',
      minimum: 1,
      maximum: 100,
      default: 20,
    });
  });
});
