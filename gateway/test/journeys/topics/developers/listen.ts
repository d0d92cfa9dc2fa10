import { type ChildProcess, spawn } from 'node:child_process';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { AccountEvent } from '@swim/contracts';
import { until } from '@swim/testing';
import { Webhook } from 'standardwebhooks';
import type { Customer } from '../../fixtures/customer.js';
import { aMember } from '../../fixtures/fixtures.js';
import { journey, stack } from '../../fixtures/shared-stack.js';

const LISTEN = fileURLToPath(new URL('../../../../../deploy/local/listen/listen.ts', import.meta.url));

journey('npm run listen', () => {
  const received: { headers: Record<string, string>; body: string }[] = [];
  const processes: ChildProcess[] = [];
  let receiver: http.Server;
  let url: string;
  let family: Customer;

  /** Runs the command with these arguments; returns what it has printed so far. */
  const listen = (...args: string[]) => {
    const env = { ...process.env, NODE_OPTIONS: '', API_KEY: family.key, BASE_URL: family.baseUrl };
    const child = spawn(process.execPath, [LISTEN, ...args], { env });
    processes.push(child);
    const printed = { text: '', notes: '', child };
    child.stdout.on('data', (chunk) => (printed.text += chunk));
    child.stderr.on('data', (chunk) => (printed.notes += chunk));
    return printed;
  };
  const begun = (printed: { notes: string }) => until(() => printed.notes.includes('Listening to'), 'it listens');

  beforeAll(async () => {
    family = stack.family;
    receiver = http.createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      received.push({ headers: request.headers as Record<string, string>, body: Buffer.concat(chunks).toString() });
      response.writeHead(204).end();
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`;
  });
  afterAll(async () => {
    for (const child of processes) child.kill();
    receiver?.closeAllConnections();
    await new Promise((resolve) => receiver?.close(resolve));
  });

  it('prints each event of the account as it happens', async () => {
    const printed = listen();
    await begun(printed);
    const { id } = await aMember(family);
    await until(() => printed.text.includes(id), 'the event is printed');
    expect(printed.text).toMatch(new RegExp(`^\\S+Z {2}1 {2}member\\.created {2}${id}\n$`));
  });

  it('forwards events as webhooks, signed with the secret that it prints', async () => {
    const printed = listen('--after', '0', '--forward', url);
    await begun(printed);
    await aMember(family);
    await until(() => received.length >= 2, 'the events are received');
    const secret = /whsec_\S+/.exec(printed.notes)![0];
    const verified = received.map(({ body, headers }) => new Webhook(secret).verify(body, headers) as AccountEvent);
    expect(verified).toEqual(await family.readAll('/events?after_sequence=0'));
    expect(received.map(({ headers }) => headers['webhook-id'])).toEqual(verified.map(({ id }) => id));
    await until(() => printed.text.split('-> 204').length === 3, 'the answers are printed');
  });

  it('ends with the message of the API when the key is rejected', async () => {
    family = { ...stack.family, key: 'nonsense', baseUrl: family.baseUrl } as Customer;
    const printed = listen();
    const code = await new Promise((resolve) => printed.child.once('close', resolve));
    expect([code, printed.notes]).toEqual([1, expect.stringContaining('well-formed API key')]);
  });
});
