import { describe, expect, it } from '@jest/globals';
import * as contracts from '../index.js';
import type { Operation } from '../operations/operation.js';
import { validationErrorOf } from '../validation/validation-error.js';

const ID = 'ins_01k5zr8q3ve9mbf6w2n0x4ht7c';
const MEMBER = ID.replace('ins', 'mem');
function reject({ input: schema }: Operation, input: Record<string, unknown>) {
  const parsed = schema.safeParse(input, { reportInput: true });
  if (parsed.success) throw new Error('It was not rejected.');
  return validationErrorOf(parsed.error, schema);
}
const entry = (operation: Operation, input: Record<string, unknown>, field: string) =>
  reject(operation, input).details.errors!.find((each) => each.field === field);

type Wrong = [what: string, Operation, input: Record<string, unknown>, field: string, error: object];

describe('the error of a field', () => {
  it.each<Wrong>([
    [
      'of a number: its bounds, and the number',
      contracts.createSession,
      { duration_minutes: 10 },
      'duration_minutes',
      { message: 'duration_minutes must be from 15 to 240; you sent 10.', minimum: 15, maximum: 240 },
    ],
    [
      'of a text: how many characters it takes, and how many were sent',
      contracts.createSession,
      { notes: '🏊'.repeat(2_001) },
      'notes',
      { message: 'notes must have at most 2000 characters; you sent 2001.', max_length: 2_000 },
    ],
    [
      'of a list: how many it takes, and how many were sent',
      contracts.createBooking,
      { member_ids: Array.from({ length: 11 }, () => 'x') },
      'member_ids',
      { message: 'member_ids must have at most 10 items; you sent 11.', max_items: 10 },
    ],
    [
      'of an enumeration: its values, and the word',
      contracts.createSession,
      { location: { type: 'lake' } },
      'location.type',
      {
        message: 'location.type must be one of pool, home, open_water; you sent lake.',
        allowed: ['pool', 'home', 'open_water'],
      },
    ],
    [
      'of an id: its prefix, and the prefix that was sent',
      contracts.createSession,
      { member_id: ID },
      'member_id',
      { message: 'member_id must be an id that begins with mem_; you sent one that begins with ins_.' },
    ],
    [
      "of a processor's token: the request that adds it",
      contracts.createPayment,
      { payment_method_id: 'pm_card_visa' },
      'payment_method_id',
      { message: expect.stringContaining('use POST /v1/accounts/{account_id}/payment-methods') },
    ],
    [
      'of text for an integer of a query: the range',
      contracts.listSessions,
      { limit: 'abc' },
      'limit',
      { reason: 'invalid_type', message: 'limit must be an integer from 1 to 100; you sent "abc".' },
    ],
    [
      'of coordinates: how they are written',
      contracts.listInstructors,
      { location: '51.5,-0.12' },
      'location',
      { reason: 'invalid_json', message: expect.stringContaining('location[latitude]=51.5&location[longitude]=-0.12') },
    ],
    ...['latitude', 'location.latitude'].map(
      (name): Wrong => [
        `of ${name}: the parameter that it should be`,
        contracts.listInstructors,
        { [name]: '51.5' },
        name,
        { reason: 'unknown_field', message: `${name} is unknown. Did you mean location[latitude]?` },
      ],
    ),
    [
      'of a radius: the parameter that it should be, and its unit',
      contracts.listAvailability,
      { radius: '10' },
      'radius',
      { reason: 'unknown_field', message: 'radius is unknown. Did you mean location[radius], in kilometres?' },
    ],
    [
      'of a radius that is too large: its unit',
      contracts.listInstructors,
      { 'location[radius]': '500' },
      'location[radius]',
      { message: 'location[radius] must be more than 0 and at most 200 kilometres; you sent 500.', maximum: 200 },
    ],
    [
      'of too many keys: how many it takes',
      contracts.createSession,
      { metadata: Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`key${index}`, 'x'])) },
      'metadata',
      { message: 'metadata must have at most 50 keys; you sent 51.', max_items: 50 },
    ],
    [
      'of a key of metadata that is reserved: that it is',
      contracts.createSession,
      { metadata: { prototype: 'x' } },
      'metadata.prototype',
      {
        reason: 'invalid_value',
        message:
          'metadata.prototype must be another key: __proto__, constructor and prototype are reserved; you sent prototype.',
      },
    ],
    [
      'of a required field: what it has to be',
      contracts.createSession,
      {},
      'duration_minutes',
      { message: 'duration_minutes is required: an integer from 15 to 240.', expected: 'an integer from 15 to 240' },
    ],
    [
      'of a place without a pool: when to leave it out',
      contracts.createSession,
      { location: { type: 'home', pool_id: ID.replace('ins', 'pool') } },
      'location.pool_id',
      {
        reason: 'mutually_exclusive',
        message: 'location.pool_id must be left out where the type is not pool.',
        expected: 'left out where the type is not pool',
      },
    ],
    [
      'of two ways to page: the other one',
      contracts.listSessions,
      { cursor: 'abc', offset: '1' },
      'cursor',
      {
        message: 'cursor and offset cannot be sent together: leave one out.',
        expected: 'left out, or sent without offset',
      },
    ],
    [
      'of half a contact: its parts',
      contracts.createMember,
      { emergency_contact: { name: 'Ana' } },
      'emergency_contact.phone',
      { reason: 'incomplete_contact', expected: 'sent along with name, phone and relationship' },
    ],
    [
      'of a list whose range is reversed: its start',
      contracts.listSessions,
      { date_from: '2027-03-02', date_to: '2027-03-01' },
      'date_to',
      { message: 'date_to must be no earlier than date_from.', expected: 'no earlier than date_from' },
    ],
    [
      'of a range that may not be empty: that its end is later',
      contracts.joinWaitlist,
      { instructor_id: ID, member_id: MEMBER, date_from: '2027-03-01', date_to: '2027-03-01', duration_minutes: 30 },
      'date_to',
      { message: 'date_to must be later than date_from.', expected: 'later than date_from' },
    ],
    [
      'of an override without windows: what it needs',
      contracts.createInstructor,
      { availability_schedule: { overrides: [{ date: '2027-03-01' }] } },
      'availability_schedule.overrides.0.windows',
      { reason: 'required', expected: 'an array of windows, unless `unavailable` is true' },
    ],
    [
      'of a certification that ends before it begins: its start',
      contracts.createInstructor,
      { certifications: [{ type: 'WSI', issued_at: '2027-03-02', expires_at: '2027-03-01' }] },
      'certifications.0.expires_at',
      { message: 'certifications.0.expires_at must be no earlier than issued_at.' },
    ],
    [
      'of an unknown field of an object: its fields',
      contracts.createSession,
      { location: { type: 'home', lake: 'x' } },
      'location.lake',
      { message: 'location.lake is unknown here. Remove it.', allowed: ['type', 'pool_id'] },
    ],
    [
      'of a list with a value twice: that each is sent once',
      contracts.createBooking,
      { member_ids: [MEMBER, MEMBER] },
      'member_ids',
      { reason: 'duplicate_value', expected: 'a list that has each value once' },
    ],
  ])('states, %s', (_what, operation, input, field, expected) => {
    expect(entry(operation, input, field)).toMatchObject(expected);
  });

  it('has no bound of another kind than the one that is exceeded', () => {
    const ids = Array.from({ length: 101 }, (_, index) => `${ID.slice(0, -3)}${100 + index}`).join(',');
    expect(entry(contracts.listInstructors, { ids }, 'ids')).toEqual({
      field: 'ids',
      reason: 'too_long',
      message: 'ids must have at most 100 items; you sent 101.',
      max_items: 100,
    });
    const late = { instructor_id: ID, member_id: MEMBER, date: '9999-12-31T23:59:00Z', duration_minutes: 30 };
    const expected = 'early enough for the lesson to end before the year 10000';
    expect(entry(contracts.createSession, late, 'date')).toEqual({
      field: 'date',
      reason: 'out_of_range',
      message: `date must be ${expected}.`,
      expected,
    });
  });

  it('does not offer the parameters of the path as fields', () => {
    const parsed = contracts.cancelSession.input.safeParse({ session_id: ID.replace('ins', 'ses'), x: 1 });
    const { details } = validationErrorOf(parsed.error!, contracts.cancelSession.input, ['session_id']);
    expect(details.errors).toMatchObject([{ field: 'x', allowed: expect.not.arrayContaining(['session_id']) }]);
    expect(details.errors![0]!.allowed).toContain('reason');
  });

  it('repeats neither text nor long digits of the input', () => {
    const secrets = [
      'Anna has asthma',
      'swl_test_01kdvdna01e8ha48h248h248h20ea39b055n9nn5ktdtst3pa2rk8n1b7y',
      '4242424242424242',
    ];
    for (const secret of secrets) {
      const input = { duration_minutes: secret, location: { type: secret }, date: secret, member_id: secret };
      const body = JSON.stringify(reject(contracts.createSession, { ...input, notes: secret.repeat(300) }));
      expect([secret, body.includes(secret)]).toEqual([secret, false]);
    }
    const amounts = JSON.stringify(reject(contracts.createPayment, { amount_cents: 4242424242424242 }));
    expect(amounts).not.toContain('4242424242424242');
  });
});
