import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listMembers } from '@swim/contracts';
import { expectError } from '../fixtures/expectations.js';
import { onePage } from '../fixtures/fake-services.js';
import { type GatewayHarness, type GatewayProcess, NO_LIMITS, startHarness } from '../fixtures/harness.js';

let harness: GatewayHarness;
let gateway: GatewayProcess;
beforeAll(async () => {
  harness = await startHarness();
  gateway = await harness.gateway(NO_LIMITS);
});
afterAll(() => harness?.stop());

const withScopes = () => harness.services.key({ principal: { scopes: ['members:read'] } });
const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
};
const ACCEPT = { accept: 'application/json, text/event-stream' };
const post = (body: unknown, key?: string, headers: Record<string, string> = {}) =>
  gateway.send('POST', '/mcp', { key, body, headers: { ...ACCEPT, ...headers } });

describe('POST /mcp', () => {
  it('without a key, and with one that is malformed, is 401', async () => {
    expectError(await post(initialize), 401, 'missing_key');
    expectError(await post(initialize, 'swl_test_nonsense'), 401, 'malformed_key');
  });

  it('from a web page of another origin is 403, from its own origin or none it is served', async () => {
    const { text: key } = withScopes();
    for (const origin of ['https://evil.example', 'null', 'http://127.0.0.1:1'])
      expectError(await post(initialize, key, { origin }), 403, 'foreign_origin');
    expect((await post(initialize, key, { origin: gateway.origin })).status).toBe(200);
    expect((await post(initialize, key)).status).toBe(200);
  });

  it('rejects bodies that are too large as the API does', async () => {
    const { text: key } = withScopes();
    expectError(await post({ ...initialize, x: 'x'.repeat(300_000) }, key), 413, 'body_too_large');
  });

  it('answers what is no message of the protocol as JSON-RPC 2.0', async () => {
    const { text: key } = withScopes();
    const headers = { ...ACCEPT, 'content-type': 'application/json' };
    const answers = [
      await gateway.send('POST', '/mcp', { key, raw: '{', headers }),
      await post([initialize, initialize], key),
      await post({ ...initialize, params: { card: '4242 4242 4242 4242' } }, key),
      await post({ hello: 1 }, key),
    ].map(({ status, text }) => [status, JSON.parse(text)]);
    const error = (code: number, reason: string) => [
      400,
      {
        jsonrpc: '2.0',
        id: null,
        error: expect.objectContaining({
          code,
          data: expect.objectContaining({ details: expect.objectContaining({ reason }) }),
        }),
      },
    ];
    expect(answers.slice(0, 3)).toEqual([
      error(-32700, 'invalid_json'),
      error(-32600, 'invalid_body'),
      error(-32600, 'card_number'),
    ]);
    expect(answers[3]).toMatchObject([400, { error: { code: -32700 } }]);
  });

  it('answers clients that accept anything, or do not say what', async () => {
    const { text: key } = withScopes();
    for (const headers of [{ accept: '*/*' }, {}])
      expect((await gateway.send('POST', '/mcp', { key, body: initialize, headers })).status).toBe(200);
  });

  it('takes null as no arguments, and an argument that is null as absent', async () => {
    harness.services.answer(listMembers, () => onePage([]));
    const { text: key } = withScopes();
    for (const given of [null, { search: null, limit: null }]) {
      const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_members', arguments: given } };
      const answer = await post(body, key);
      expect(JSON.parse(answer.text)).toMatchObject({ id: 1, result: { content: [{ type: 'text' }] } });
      expect(JSON.parse(answer.text).result.isError).toBeUndefined();
      expect(harness.services.requestsOf(listMembers).at(-1)!.input).toEqual({});
    }
  });

  it('is the only method of the path', async () => {
    for (const method of ['GET', 'DELETE', 'OPTIONS']) {
      const answer = await gateway.send(method, '/mcp');
      expectError(answer, 405, 'method_not_allowed');
      expect(answer.headers.get('allow')).toBe('POST');
    }
  });
});
