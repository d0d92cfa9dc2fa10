import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Booking, Instructor } from '@swim/contracts';
import { AuthenticationError, AuthorizationError, Swim } from '@swim/sdk';
import type { Customer } from '../../fixtures/customer.js';
import { aBooking, aMember, anInstructor, nextTime } from '../../fixtures/fixtures.js';
import { journey, stack } from '../../fixtures/shared-stack.js';
import { bookAndPay } from '../../fixtures/typed-client.js';

const ROOT = fileURLToPath(new URL('../../../../../', import.meta.url));
const run = promisify(execFile);

const clientOf = ({ key }: Pick<Customer, 'key'>) => new Swim({ apiKey: key, baseUrl: `${stack.origin}/v1` });

/** The TypeScript of a document, block after block. */
async function examplesOf(document: string): Promise<string> {
  const text = await readFile(path.join(ROOT, document), 'utf8');
  return [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code).join('\n');
}

const SECRET = Buffer.alloc(32, 7).toString('base64');

/** Sends a signed webhook to the function of the example, and prints the status of the answer. */
function webhookCall(): string {
  const [id, at, body] = ['evt_1', Math.floor(Date.now() / 1000), '{"id":"evt_1","type":"ping"}'];
  const signature = createHmac('sha256', Buffer.from(SECRET, 'base64')).update(`${id}.${at}.${body}`).digest('base64');
  const headers = { 'webhook-id': id, 'webhook-timestamp': String(at), 'webhook-signature': `v1,${signature}` };
  const request = `new Request('http://localhost', { method: 'POST', ...${JSON.stringify({ headers, body })} })`;
  return `console.log((await receiveWebhook(${request}, 'whsec_${SECRET}')).status);
    console.log((await receiveWebhook(${request}, 'whsec_AAAA')).status);`;
}

journey('the TypeScript client', () => {
  let instructor: Instructor;
  beforeAll(async () => {
    instructor = await anInstructor(stack.school);
  });

  it('books, takes the suggestion of a conflict, pays and receives the event, by its types alone', async () => {
    const date = nextTime();
    const other = await stack.open('family');
    await aBooking(other, instructor, await aMember(other), date);
    const { id } = stack.family;
    const outcome = await bookAndPay(clientOf(stack.family), id, instructor.id, date);
    expect(outcome).toMatchObject({ requested: date, payment: { status: 'succeeded', amount_cents: 6_000 } });
    expect(outcome.booked).not.toBe(date);
    expect(outcome.event).toEqual({ type: 'payment.succeeded', paidCents: 6_000 });
    const [booking] = await stack.family.readAll<Booking>('/bookings');
    expect(booking).toMatchObject({ payment_status: 'paid', sessions: [{ date: outcome.booked }] });
  });

  it('reads a list of several pages', async () => {
    const family = await stack.open('family');
    for (const name of ['A', 'B', 'C']) await aMember(family, { name });
    const names: string[] = [];
    for await (const { name } of clientOf(family).members.list({ limit: 2 })) names.push(name);
    expect(names).toEqual(['C', 'B', 'A']);
  });

  it('throws the class of the error, with its typed details', async () => {
    const reader = await stack.mint(stack.family.id, { scopes: ['sessions:read'] });
    await expect(clientOf(reader).bookings.list()).rejects.toMatchObject({
      constructor: AuthorizationError,
      details: { reason: 'missing_scope', scope: 'bookings:read' },
      requestId: expect.stringMatching(/^req_/),
    });
    const malformed = clientOf({ key: `${reader.key.slice(0, -6)}000000` });
    await expect(malformed.bookings.list()).rejects.toBeInstanceOf(AuthenticationError);
  });

  describe('in the examples of its README', () => {
    let folder: string;
    let family: Customer;
    beforeAll(async () => {
      family = await stack.open('family');
      folder = await mkdtemp(path.join(tmpdir(), 'swim-sdk-examples-'));
      await symlink(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
      await writeFile(path.join(folder, 'package.json'), '{"type":"module"}');
      await writeFile(path.join(folder, 'examples.ts'), `${await examplesOf('libs/sdk/README.md')}\n${webhookCall()}`);
    });
    afterAll(() => rm(folder, { recursive: true, force: true }));

    it('compiles', async () => {
      const options = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2024', '--types', 'node'];
      const tsc = path.join(ROOT, 'node_modules/typescript/bin/tsc');
      const compiled = await run(process.execPath, [tsc, ...options, '--skipLibCheck', 'examples.ts'], {
        cwd: folder,
      }).catch((error: { stdout: string }) => error);
      expect(compiled.stdout).toBe('');
    });

    it('books, pays, lists, receives an event and verifies a webhook', async () => {
      const env = {
        ...process.env,
        NODE_OPTIONS: '',
        SWIM_API_KEY: family.key,
        SWIM_ACCOUNT_ID: family.id,
        SWIM_BASE_URL: `${stack.origin}/v1`,
      };
      const { stdout } = await run(process.execPath, ['examples.ts'], { cwd: folder, env });
      const lines = stdout.trim().split('\n');
      expect(lines.slice(0, 4)).toEqual([
        'confirmed 3000 USD',
        expect.stringMatching(/^instructor_busy req_/),
        'succeeded',
        expect.stringMatching(/^3000 req_\w+ \d+$/),
      ]);
      expect(lines).toContain('1 1');
      expect(lines.some((line) => /^\d+ booking\.confirmed /.test(line))).toBe(true);
      expect(lines.slice(-3)).toEqual(['ping evt_1', '204', '400']);
    });
  });
});
