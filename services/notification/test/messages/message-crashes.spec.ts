import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { CrashableService, freePort, startHarness, type TestHarness, updateAll } from '@swim/testing';
import { MailServer } from '@swim/testing/mail-server';
import { anEvent, publish } from '../bus.js';
import { aSession, KnownRecipients } from './mail-fixtures.js';

let harness: TestHarness;
let service: CrashableService;
let server: MailServer;
const people = new KnownRecipients();

jest.setTimeout(240_000);
beforeAll(async () => {
  harness = await startHarness();
  // Its port is free until it starts again.
  server = await MailServer.start(await freePort());
  Object.assign(harness.env, { SMTP_URL: server.url, MAIL_FROM: 'lessons@swim.example' });
  people.serve(harness);
  service = await CrashableService.start(harness, {
    service: 'notification',
    load: async () => ({
      module: (await import('../../src/app.module.js')).AppModule,
      config: (await import('../../src/config.js')).config,
    }),
    lapse: () => updateAll(rows(), { dueAt: { $type: 'date' } }, { dueAt: new Date(0) }),
  });
});
afterAll(async () => {
  await service?.stop();
  await server?.stop();
  await harness?.stop();
});

const rows = () => harness.database('notification_test').collection('messages');
const isSent = async (accountIds: string[]) =>
  (await rows().countDocuments({ accountId: { $in: accountIds }, status: 'sent' })) === accountIds.length;

it('a crash after any write loses no e-mail, and repeats it at most once, with the same Message-ID', async () => {
  const accountIds: string[] = [];
  const writes = await service.everywhere(async (n) => {
    const { recipient } = people.family();
    const session = aSession(recipient);
    const event = anEvent({ type: 'session.created', objectId: session.id, object: session, audience: [recipient.id] });
    let published: Promise<void> | undefined;
    const work = async () => {
      accountIds.push(recipient.id);
      published = publish(harness, [event], 'scheduling');
      await published;
    };
    const hasCrashed = await service.crashDuring(n, work, () => isSent(accountIds));
    await published;
    await service.idle(() => isSent(accountIds));
    return hasCrashed;
  });
  expect(writes).toBeGreaterThanOrEqual(4);
  for (const accountId of accountIds) {
    const mails = server.to(`${accountId}@example.test`);
    expect(mails.length).toBeGreaterThanOrEqual(1);
    expect(mails.length).toBeLessThanOrEqual(2);
    expect(new Set(mails.map(({ email }) => email.messageId)).size).toBe(1);
  }
  const repeated = accountIds.filter((accountId) => server.to(`${accountId}@example.test`).length === 2);
  expect(repeated.length).toBeLessThanOrEqual(1);
});

it('two replicas share e-mails, and each is sent once', async () => {
  const replica = await service.startReplica();
  server.beforeAccepting = () => new Promise((resolve) => setTimeout(resolve, 5));
  try {
    const recipients = Array.from({ length: 20 }, () => people.family().recipient);
    const events = recipients.map((recipient) => {
      const session = aSession(recipient);
      return anEvent({ type: 'session.created', objectId: session.id, object: session, audience: [recipient.id] });
    });
    await publish(harness, events, 'scheduling');
    await service.idle(() => isSent(recipients.map(({ id }) => id)));
    for (const { email } of recipients) expect(server.to(email!)).toHaveLength(1);
  } finally {
    await replica.stop();
  }
});

it('e-mails wait while the mail server is away, and are sent once it is back', async () => {
  const { port } = server;
  await server.stop();
  const { recipient } = people.family();
  const session = aSession(recipient);
  await publish(
    harness,
    [anEvent({ type: 'session.created', objectId: session.id, object: session, audience: [recipient.id] })],
    'scheduling',
  );
  const isWaiting = async () =>
    (await rows().countDocuments({ accountId: recipient.id, status: 'pending', attempts: 1 })) === 1;
  await service.idle(isWaiting);
  server = await MailServer.start(port);
  await updateAll(rows(), { accountId: recipient.id }, { dueAt: new Date(0) });
  await service.idle(() => isSent([recipient.id]));
  expect(server.to(recipient.email!)).toHaveLength(1);
});
