import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { demoClient } from './demo-client.ts';

/** Status and body. */
type Answer = [number, object];

const rejection = (reason: string) => ({
  success: false,
  error: { message: `because of ${reason}`, details: { reason } },
});
const UNAVAILABLE: Answer = [503, rejection('unavailable')];
const IN_PROGRESS: Answer = [409, rejection('idempotency_in_progress')];
const MADE: Answer = [201, { success: true, data: { id: 'ins_1' } }];

let server: Server;
afterEach(() => new Promise<void>((resolve) => void server.close(() => resolve())));

/** Returns a client of a server that gives these responses in turn, and the received requests. */
async function clientOf(...answers: Answer[]) {
  const keys: unknown[] = [];
  server = createServer((request, response) => {
    keys.push(request.headers['idempotency-key']);
    const [status, body] = answers[keys.length - 1]!;
    response.writeHead(status, { connection: 'close' });
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return { client: demoClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 'key'), keys };
}

describe('create, when a machine is busy', () => {
  it('retries the request under the same key until it succeeds', async () => {
    const { client, keys } = await clientOf(UNAVAILABLE, IN_PROGRESS, MADE);
    expect(await client.create('/instructors', 'instructor', {})).toEqual({ id: 'ins_1' });
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
  });

  it('throws at once when the API rejects the request permanently', async () => {
    const { client, keys } = await clientOf([409, rejection('already_exists')]);
    await expect(client.create('/instructors', 'instructor', {})).rejects.toThrow('409: because of already_exists');
    expect(keys).toHaveLength(1);
  });
});
