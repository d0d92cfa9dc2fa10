import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createSession, removeHold, updateSession } from '@swim/contracts';
import { parsedInput } from '@swim/messaging';
import { newId } from '@swim/platform';
import { ofSeveralTries } from '@swim/testing';
import { booking, lesson, payment } from '../fixtures/bodies.js';
import { expectError } from '../fixtures/expectations.js';
import { type GatewayHarness, type GatewayProcess, NO_LIMITS, startHarness } from '../fixtures/harness.js';

let harness: GatewayHarness;
let gateway: GatewayProcess;
let key: string;

beforeAll(async () => {
  harness = await startHarness();
  gateway = await harness.gateway(NO_LIMITS);
  key = harness.services.key().text;
  harness.services.answer(createSession, () => ({}));
  harness.services.answer(removeHold, () => ({}));
});
afterAll(() => harness?.stop());

const post = (path: string, body: unknown) => gateway.send('POST', `/v1${path}`, { key, body });
const entryOf = ({ body }: Awaited<ReturnType<typeof post>>) => body.error.details.errors![0]!;
const raw = (text: string | Buffer, headers: Record<string, string> = { 'content-type': 'application/json' }) =>
  gateway.send('POST', '/v1/sessions', { key, raw: text, headers });

describe('a body', () => {
  it('of another type than JSON is 415', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=latin1']) {
      expectError(await raw('{}', { 'content-type': type }), 415, 'unsupported_media_type', 'Content-Type');
    }
    expectError(await raw(Buffer.from('{}'), {}), 415, 'unsupported_media_type');
    expect(entryOf(await raw('{}', { 'content-type': 'text/plain' }))).toMatchObject({ allowed: ['application/json'] });
  });

  it('that is compressed is 415, and says so', async () => {
    const answer = await raw('{}', { 'content-type': 'application/json', 'content-encoding': 'gzip' });
    expectError(answer, 415, 'unsupported_media_type', 'Content-Encoding');
    expect(entryOf(answer)).toMatchObject({
      message: expect.stringMatching(/^Content-Encoding /),
      allowed: ['identity'],
    });
  });

  it('that exceeds a maximum states it', async () => {
    const members = (count: number) =>
      JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, at) => [at, 1])));
    expect(entryOf(await raw('['.repeat(33)))).toMatchObject({ reason: 'too_deep', maximum: 32 });
    expect(entryOf(await raw(members(1_001)))).toMatchObject({ reason: 'invalid_body', max_items: 1_000 });
    expect(entryOf(await raw(`{"notes":"${'x'.repeat(300 * 1024)}"}`))).toMatchObject({ maximum: 256 * 1024 });
  });

  it('with an unknown field names those that the operation has, without the parameters of the path', async () => {
    const answer = await post(`/sessions/${newId('ses')}/cancel`, { why: 'x' });
    expectError(answer, 400, 'unknown_field', 'why');
    expect(entryOf(answer).allowed).toEqual(['reason', 'notify_participants', 'refund_as']);
    expect(entryOf(await post('/sessions', lesson({ location: { type: 'home', lake: 1 } }))).allowed).toEqual([
      'type',
      'pool_id',
    ]);
  });

  it('that is broken, no object, or nested too deeply is 400', async () => {
    for (const text of ['{', '{"a":1,}', 'hello', Buffer.from([0x7b, 0xff, 0x7d])])
      expectError(await raw(text), 400, 'invalid_json', 'body');
    for (const text of ['[]', '"x"', '1', 'null']) expectError(await raw(text), 400, 'invalid_body', 'body');
    expectError(await raw(`${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`), 400, 'too_deep', 'body');
    expectError(await raw(`{"a":${'['.repeat(100_000)}`), 400, 'too_deep', 'body');
  });

  it('that is not there misses what is required', async () => {
    expectError(await raw('{}'), 400, 'required', 'instructor_id');
    expectError(await gateway.send('POST', '/v1/sessions', { key }), 400, 'required', 'instructor_id');
  });

  it('larger than 256 KiB is 413, also when the client sends on and on', async () => {
    // The connection stays open for two seconds after the answer.
    for (const bytes of [300 * 1024, 8 * 1024 * 1024])
      await ofSeveralTries(async () =>
        expectError(await raw(`{"notes":"${'x'.repeat(bytes)}"}`), 413, 'body_too_large', 'body'),
      );
    expect((await raw(`{"notes":"${'x'.repeat(256 * 1024 - 12)}"}`)).status).toBe(400);
  });

  it('of a PATCH with names that objects are born with has unknown fields, none that are read-only', async () => {
    for (const name of ['constructor', 'toString', '__proto__']) {
      const path = `/v1/sessions/${newId('ses')}`;
      const headers = { 'content-type': 'application/json' };
      const answer = await gateway.send('PATCH', path, { key, raw: `{"${name}":1}`, headers });
      expectError(answer, 400, 'unknown_field', name);
      expect(JSON.stringify(answer.body)).not.toContain('read-only');
    }
  });

  it('of a DELETE is checked like any other, and can only be an empty object', async () => {
    const remove = (text: string, type = 'application/json') =>
      gateway.send('DELETE', `/v1/holds/${newId('hold')}`, { key, raw: text, headers: { 'content-type': type } });
    expectError(await remove('{"foo":1}', 'text/plain'), 415, 'unsupported_media_type', 'Content-Type');
    expectError(await remove('{"foo":1}'), 400, 'unknown_field', 'foo');
    expectError(await remove('[]'), 400, 'invalid_body', 'body');
    expectError(await remove(`{"foo":"${'x'.repeat(300 * 1024)}"}`), 413, 'body_too_large', 'body');
    expect((await remove('{}')).status).toBe(204);
  });

  it('with names that objects are born with is one with unknown fields', async () => {
    for (const name of ['__proto__', 'constructor', 'toString', '$where']) {
      expectError(
        await raw(JSON.stringify(lesson()).replace('{', `{"${name}":{"isAdmin":true},`)),
        400,
        'unknown_field',
        name,
      );
    }
    expectError(await post('/sessions', lesson({ status: 'completed' })), 400, 'unknown_field', 'status');
  });

  it('with NUL or an unpaired surrogate is 400, in whatever field', async () => {
    expectError(await raw(JSON.stringify(lesson({ notes: 'a\0b' }))), 400, 'forbidden_characters', 'notes');
    expectError(await raw(JSON.stringify(lesson({ notes: '\ud800' }))), 400, 'forbidden_characters', 'notes');
    expectError(
      await raw(JSON.stringify(lesson({ location: { type: 'pool\0' } }))),
      400,
      'forbidden_characters',
      'location.type',
    );
  });

  it('with a card number anywhere is rejected, and the number is written nowhere', async () => {
    expectError(
      await post('/payments', payment({ payment_method_id: '4242 4242 4242 4242' })),
      400,
      'card_number',
      'payment_method_id',
    );
    const answer = await post('/sessions', lesson({ notes: 'charge 5555-5555-5555-4444 please' }));
    expectError(answer, 400, 'card_number', 'notes');
    expect(answer.text + gateway.output()).not.toMatch(/5555\D?5555|4242\D?4242/);
    expect((await post('/sessions', lesson({ notes: 'call +4242424242424242' }))).status).toBe(201);
  });
});

describe('a field', () => {
  it.each([
    ['an operator for an id', { instructor_id: { $ne: null } }, 'invalid_id', 'instructor_id'],
    ['an operator written as text', { instructor_id: '{"$ne":null}' }, 'invalid_id', 'instructor_id'],
    ['an id of another kind', { instructor_id: newId('mem') }, 'invalid_id', 'instructor_id'],
    ['no offset', { date: '2099-01-01T10:00:00' }, 'offset_required', 'date'],
    ['30 February', { date: '2099-02-30T10:00:00Z' }, 'invalid_date', 'date'],
    ['a leap second', { date: '2016-12-31T23:59:60Z' }, 'invalid_date', 'date'],
    ['the year 275761', { date: '+275761-01-01T00:00:00Z' }, 'invalid_format', 'date'],
    ['a number for a date', { date: 1234567890 }, 'invalid_type', 'date'],
    ['no minutes', { duration_minutes: 0 }, 'too_small', 'duration_minutes'],
    ['negative minutes', { duration_minutes: -30 }, 'too_small', 'duration_minutes'],
    ['half minutes', { duration_minutes: 30.5 }, 'invalid_type', 'duration_minutes'],
    ['a billion minutes', { duration_minutes: 1e9 }, 'too_large', 'duration_minutes'],
    ['minutes as text', { duration_minutes: '30' }, 'invalid_type', 'duration_minutes'],
    ['oversize text', { notes: 'x'.repeat(2001) }, 'too_long', 'notes'],
    ['a pool without its id', { location: { type: 'pool' } }, 'required', 'location.pool_id'],
  ])('of a session that is %s is rejected by its name', async (_, more, reason, field) => {
    expectError(await post('/sessions', lesson(more)), 400, reason, field);
  });

  it('of a booking is checked down to each session', async () => {
    const slots = (count: number) =>
      Array.from({ length: count }, (_, n) => ({
        date: new Date(Date.UTC(2099, 0, 1 + n)).toISOString(),
        duration_minutes: 30,
      }));
    expectError(
      await post('/bookings', booking({ sessions: [...slots(1), ...slots(1)] })),
      400,
      'overlapping_sessions',
      'sessions',
    );
    expectError(await post('/bookings', booking({ sessions: slots(53) })), 400, 'too_long', 'sessions');
    expectError(await post('/bookings', booking({ sessions: [] })), 400, 'too_short', 'sessions');
    const member = newId('mem');
    expectError(
      await post('/bookings', booking({ member_ids: [member, member] })),
      400,
      'duplicate_value',
      'member_ids',
    );
    expectError(
      await post('/bookings', booking({ sessions: [{ date: 'x', duration_minutes: 30 }] })),
      400,
      'invalid_format',
      'sessions.0.date',
    );
  });

  it('of money is whole, positive, and in a currency that exists', async () => {
    for (const [amount, reason] of [
      [-1, 'too_small'],
      [0, 'too_small'],
      [1.5, 'invalid_type'],
      [2 ** 53, 'invalid_type'],
    ] as const) {
      const answer = await post('/payments', payment({ amount_cents: amount }));
      expect([amount, answer.status, answer.body.error.details.field]).toEqual([amount, 400, 'amount_cents']);
      if (amount !== 2 ** 53) expect(answer.body.error.details.reason).toBe(reason);
    }
    for (const currency of ['usd', 'XXX', 'US', '€'])
      expect((await post('/payments', payment({ currency }))).body.error.details.field).toBe('currency');
  });

  it('is rejected together with every other one at fault', async () => {
    const answer = await post('/sessions', { date: 'x', duration_minutes: 0, nonsense: 1 });
    expect(answer.body.error.details.errors!.map(({ field }) => field).sort()).toEqual([
      'date',
      'duration_minutes',
      'instructor_id',
      'member_id',
      'nonsense',
    ]);
  });

  it('of a patch is named without anything before it; an empty patch is none', async () => {
    // What the object may have as it is sent is the service's to reject.
    harness.services.answer(updateSession, ({ input }) => parsedInput(updateSession, input, 0) as never);
    const path = `/v1/sessions/${newId('ses')}`;
    const patch = (body: object) => gateway.send('PATCH', path, { key, body });
    expectError(await patch({}), 400, 'empty_patch', 'body');
    expectError(await gateway.send('PATCH', path, { key }), 400, 'empty_patch', 'body');
    const state = await patch({ status: 'cancelled' });
    expectError(state, 400, 'read_only', 'status');
    expect(state.body.error.message).toContain('POST /v1/sessions/{session_id}/cancel');
    const late = await patch({ date: '2099-02-30T10:00:00Z' });
    expectError(late, 400, 'invalid_date', 'date');
    expect(late.text).not.toContain('changes');
  });
});
