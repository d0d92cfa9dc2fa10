import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  createBooking,
  createPayment,
  eraseMember,
  getAvailability,
  getBooking,
  listInstructors,
  listMembers,
  listPaymentMethods,
  removePool,
  type Scope,
  updateSession,
} from '@swim/contracts';
import { AppError, newId } from '@swim/platform';
import { onePage } from '../fixtures/fake-services.js';
import { type GatewayHarness, type GatewayProcess, NO_LIMITS, startHarness } from '../fixtures/harness.js';
import { withinOneMinute } from '../fixtures/one-minute.js';

let harness: GatewayHarness;
let gateway: GatewayProcess;
const clients: Client[] = [];

beforeAll(async () => {
  harness = await startHarness();
  gateway = await harness.gateway(NO_LIMITS);
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
});
afterAll(() => harness?.stop());

async function connected(key: string, query = ''): Promise<Client> {
  const client = new Client({ name: 'assistant', version: '1.0.0' });
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  // The types of the client's package are not made for exact optional properties.
  const transport = new StreamableHTTPClientTransport(new URL(`${gateway.origin}/mcp${query}`), { requestInit });
  await client.connect(transport as Parameters<Client['connect']>[0]);
  clients.push(client);
  return client;
}

const withScopes = (...scopes: Scope[]) => harness.services.key({ principal: { scopes } });

/** The texts of a result. */
async function call(client: Client, name: string, given: Record<string, unknown> = {}) {
  const result = await client.callTool({ name, arguments: given });
  const texts = (result.content as { text: string }[]).map(({ text }) => text);
  return { isError: result.isError ?? false, texts };
}

const ACCEPT = { accept: 'application/json, text/event-stream' };

const PAYMENT = { booking_id: newId('bkg'), payment_method_id: newId('pm'), amount_cents: 3_000, currency: 'USD' };
const BOOKING = {
  instructor_id: newId('ins'),
  member_ids: [newId('mem')],
  sessions: [{ date: '2999-03-01T16:00:00Z', duration_minutes: 30 }],
};

describe('the tools', () => {
  it('are those that the scopes of the key allow', async () => {
    const client = await connected(withScopes('members:read').text);
    const { tools } = await client.listTools();
    const names = tools.map(({ name }) => name).sort();
    expect(names).toEqual(['get_me', 'get_member', 'get_member_progress', 'list_families', 'list_members']);
  });

  it('are at most 40 and 60 KB by default; the address lists all, or those that it names', async () => {
    const { text: key } = harness.services.key();
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const answer = await gateway.send('POST', '/mcp', { key, body, headers: ACCEPT });
    const everyday = JSON.parse(answer.text).result.tools;
    expect([everyday.length <= 40, Buffer.byteLength(answer.text) <= 60_000]).toEqual([true, true]);
    const namesAt = async (query: string) =>
      (await (await connected(key, query)).listTools()).tools.map(({ name }) => name);
    const all = await namesAt('?tools=all');
    expect(all.length).toBeGreaterThan(100);
    expect(all).toEqual(expect.arrayContaining(everyday.map(({ name }: { name: string }) => name)));
    expect(await namesAt('?tools=get_usage,list_pools,get_usage')).toEqual(['get_usage', 'list_pools']);
    const wrong = await gateway.send('POST', '/mcp?tools=get_usage,rob_bank', { key, body, headers: ACCEPT });
    expect([wrong.status, JSON.parse(wrong.text).error]).toMatchObject([
      400,
      { code: -32600, data: { details: { reason: 'invalid_value', field: 'tools' } } },
    ]);
  });

  it('can be called where they are not listed', async () => {
    harness.services.answer(getBooking, () => ({ id: 'bkg_1' }));
    const client = await connected(withScopes('bookings:read').text, '?tools=list_bookings');
    expect((await call(client, 'get_booking', { booking_id: newId('bkg') })).isError).toBe(false);
  });

  it('have schemas that stand alone, and no account to choose but that of a family', async () => {
    const client = await connected(harness.services.key().text, '?tools=all');
    const { tools } = await client.listTools();
    expect(JSON.stringify(tools)).not.toMatch(/\$ref/);
    const ofFamilies = ['claim_sandbox_family', 'get_family', 'invite_family'];
    for (const { name, description, inputSchema } of tools)
      expect([
        name,
        description !== '',
        inputSchema.type,
        Object.keys(inputSchema.properties ?? {}).includes('account_id'),
      ]).toEqual([name, true, 'object', ofFamilies.includes(name)]);
  });
});

describe('a call of a tool', () => {
  it('of a read sends the input that its query would have, and contains the envelope', async () => {
    harness.services.answer(listInstructors, () => onePage([{ id: 'ins_1' }]));
    harness.services.answer(getAvailability, () => ({ slots: [] }));
    const client = await connected(withScopes('instructors:read').text);
    const listed = await call(client, 'list_instructors', {
      search: 'Zoë',
      limit: 5,
      location: { latitude: 52.5, longitude: 13.4, radius: 5 },
    });
    expect(listed.isError).toBe(false);
    expect(JSON.parse(listed.texts[0]!)).toMatchObject({
      success: true,
      data: [{ id: 'ins_1' }],
      pagination: { total: 1 },
    });
    expect(harness.services.requestsOf(listInstructors).at(-1)!.input).toEqual({
      search: 'Zoë',
      limit: '5',
      'location[latitude]': '52.5',
      'location[longitude]': '13.4',
      'location[radius]': '5',
    });
    await call(client, 'list_instructors', { metadata: { crm_id: '47' } });
    expect(harness.services.requestsOf(listInstructors).at(-1)!.input).toEqual({ metadata: { crm_id: '47' } });
    const instructor_id = newId('ins');
    await call(client, 'get_availability', { instructor_id, duration_minutes: 45 });
    expect(harness.services.requestsOf(getAvailability).at(-1)!.input).toEqual({
      instructor_id,
      duration_minutes: '45',
    });
  });

  it('of a write has the idempotency key and the fingerprint of the same request by HTTP', async () => {
    harness.services.answer(createBooking, () => ({ id: 'bkg_1' }));
    const { text: key } = withScopes('bookings:write');
    const client = await connected(key);
    expect((await call(client, 'create_booking', { ...BOOKING, idempotency_key: 'k1', dry_run: true })).isError).toBe(
      false,
    );
    await gateway.send('POST', '/v1/bookings?dry_run=true', {
      key,
      body: BOOKING,
      headers: { 'idempotency-key': 'k1' },
    });
    const [byTool, byHttp] = harness.services.requestsOf(createBooking).slice(-2);
    expect(byTool!.input).toEqual(BOOKING);
    expect([byTool!.context.idempotencyKey, byTool!.context.dryRun]).toEqual(['k1', true]);
    expect(byTool!.context.fingerprint).toBe(byHttp!.context.fingerprint);
  });

  it('of a removal takes an idempotency key as DELETE does: without effect, with a warning', async () => {
    harness.services.answer(removePool, () => ({}));
    const { text: key } = withScopes('instructors:write');
    const client = await connected(key);
    const pool_id = newId('pool');
    const headers = { 'idempotency-key': 'k1' };
    const byHttp = await gateway.send('DELETE', `/v1/pools/${pool_id}?dry_run=true`, { key, headers });
    const given = { pool_id, dry_run: true };
    const results = [await call(client, 'remove_pool', { ...given, idempotency_key: 'k1' })];
    results.push(await call(client, 'remove_pool', given));
    const warned = ['Idempotency-Key has no effect on DELETE.'];
    const answers = [byHttp.text, ...results.map(({ texts }) => texts[0]!)].map((text) => JSON.parse(text));
    expect(answers.map(({ meta }) => meta.warnings)).toEqual([warned, warned, undefined]);
    const requests = harness.services.requestsOf(removePool);
    const asSent = [{ pool_id }, null];
    expect(requests.map(({ input, context }) => [input, context.idempotencyKey])).toEqual(Array(3).fill(asSent));
  });

  it('of a change has its fields beside the identifier', async () => {
    harness.services.answer(updateSession, () => ({ id: 'ses_1' }));
    const client = await connected(withScopes('sessions:write').text);
    const session_id = newId('ses');
    await call(client, 'update_session', { session_id, notes: 'Bring a towel' });
    const { input } = harness.services.requestsOf(updateSession).at(-1)!;
    expect(input).toEqual({ session_id, changes: { notes: 'Bring a towel' } });
  });

  it('uses the account of the key, and rejects another one', async () => {
    harness.services.answer(listPaymentMethods, () => onePage([]));
    const { text: key, principal } = withScopes('payments:read');
    const client = await connected(key);
    expect((await call(client, 'list_payment_methods')).isError).toBe(false);
    const { input } = harness.services.requestsOf(listPaymentMethods).at(-1)!;
    expect(input).toMatchObject({ account_id: principal.accountId });
    const foreign = await call(client, 'list_payment_methods', { account_id: newId('acct') });
    expect(JSON.parse(foreign.texts[1]!).details.reason).toBe('foreign_account');
  });

  it('without the scope fails in plain words, and does not reach the service', async () => {
    harness.services.answer(createBooking, () => ({ id: 'bkg_1' }));
    const before = harness.services.requestsOf(createBooking).length;
    const { isError, texts } = await call(await connected(withScopes('members:read').text), 'create_booking', BOOKING);
    expect(isError).toBe(true);
    expect(texts[0]).toBe('This API key lacks the scope bookings:write. Use a key that has it.');
    expect(JSON.parse(texts[1]!)).toMatchObject({ code: 'AUTHORIZATION_ERROR', details: { scope: 'bookings:write' } });
    expect(harness.services.requestsOf(createBooking)).toHaveLength(before);
  });

  it('that pays does nothing without `confirm: true`; a dry run needs none', async () => {
    harness.services.answer(createPayment, () => ({ id: 'pay_1' }));
    const client = await connected(withScopes('payments:write').text);
    for (const confirm of [undefined, false, 'true']) {
      const { isError, texts } = await call(client, 'create_payment', { ...PAYMENT, confirm });
      expect([isError, JSON.parse(texts[1]!).details.field]).toEqual([true, 'confirm']);
    }
    expect(harness.services.requestsOf(createPayment)).toEqual([]);
    await call(client, 'create_payment', { ...PAYMENT, dry_run: true });
    await call(client, 'create_payment', { ...PAYMENT, confirm: true });
    const requests = harness.services.requestsOf(createPayment);
    expect(requests.map(({ input, context }) => [input, context.dryRun])).toEqual([
      [PAYMENT, true],
      [PAYMENT, false],
    ]);
  });

  it('that erases does nothing without `confirm: true`', async () => {
    harness.services.answer(eraseMember, () => ({}));
    const client = await connected(withScopes('members:write').text);
    expect((await call(client, 'erase_member', { member_id: newId('mem') })).isError).toBe(true);
    expect(harness.services.requestsOf(eraseMember)).toEqual([]);
    expect((await call(client, 'erase_member', { member_id: newId('mem'), confirm: true })).isError).toBe(false);
  });

  it('fails with the error of the input, the identifier or the service', async () => {
    harness.services.answer(getBooking, () => {
      throw new AppError('unavailable');
    });
    const client = await connected(withScopes('bookings:write').text);
    const reasonOf = async (name: string, given: Record<string, unknown>) =>
      JSON.parse((await call(client, name, given)).texts[1]!).details.reason;
    expect(await reasonOf('create_booking', { ...BOOKING, colour: 'red' })).toBe('unknown_field');
    expect(await reasonOf('create_booking', { ...BOOKING, dry_run: 'yes' })).toBe('invalid_type');
    expect(await reasonOf('create_booking', { ...BOOKING, idempotency_key: '' })).toBe('invalid_idempotency_key');
    expect(await reasonOf('create_booking', { ...BOOKING, confirm: true })).toBe('unknown_field');
    expect(await reasonOf('get_booking', {})).toBe('resource_not_found');
    expect(await reasonOf('get_booking', { booking_id: { $ne: null } })).toBe('resource_not_found');
    expect(await reasonOf('get_booking', { booking_id: newId('bkg'), limit: 1 })).toBe('unknown_field');
    expect(await reasonOf('get_booking', { booking_id: newId('bkg') })).toBe('unavailable');
  });

  it('of an unknown tool is an error of the protocol', async () => {
    const client = await connected(withScopes('members:read').text);
    await expect(client.callTool({ name: 'toString', arguments: {} })).rejects.toThrow('No tool has this name');
  });

  it('is answered by any gateway', async () => {
    harness.services.answer(listMembers, () => onePage([]));
    const other = await harness.gateway(NO_LIMITS);
    const { text: key } = withScopes('members:read');
    const body = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'list_members', arguments: {} } };
    const answer = await other.send('POST', '/mcp', { key, body, headers: ACCEPT });
    expect(JSON.parse(answer.text)).toMatchObject({ id: 7, result: { content: [{ type: 'text' }] } });
  });

  it('is one request of the limit', async () => {
    harness.services.answer(listMembers, () => onePage([]));
    const limited = await harness.gateway({ ...NO_LIMITS, RATE_LIMIT_PER_HOUR: '100' });
    const { text: key } = withScopes('members:read');
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_members', arguments: {} } };
    const remaining = async () =>
      Number((await limited.send('POST', '/mcp', { key, body, headers: ACCEPT })).headers.get('x-ratelimit-remaining'));
    const [first, second] = await withinOneMinute(async () => [await remaining(), await remaining()] as const);
    expect(first - second).toBe(1);
  });
});
