import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { type BusEvent, type Message, type Principal, type Recipient } from '@swim/contracts';
import type { RunningService } from '@swim/messaging';
import { newId } from '@swim/platform';
import { aPrincipal, startHarness, type TestHarness, until, updateAll } from '@swim/testing';
import { MailServer, type ReceivedMail } from '@swim/testing/mail-server';
import ICAL from 'ical.js';
import { anEvent, publish } from '../bus.js';
import { startHere } from '../in-process.js';
import { KnownRecipients, messagesOf } from './mail-fixtures.js';

/** The engines of the tests of e-mails; the service runs from the first to the last test of a spec. */
export let harness: TestHarness;
/** The mail server. */
export let server: MailServer;
let service: RunningService;
/** The accounts that get e-mails. */
export const people = new KnownRecipients();
beforeAll(async () => {
  harness = await startHarness();
  server = await MailServer.start();
  Object.assign(process.env, {
    SMTP_URL: server.url,
    MAIL_FROM: 'Swim Lessons <lessons@swim.example>',
    PUBLIC_URL: 'https://api.swim.example/',
  });
  people.serve(harness);
  service = await startHere();
});
afterAll(async () => {
  await service?.stop();
  await server?.stop();
  await harness?.stop();
});
beforeEach(() => {
  server.reject = () => null;
});

const school = aPrincipal({ kind: 'school' });
/** The stored messages. */
export const rows = () => harness.database('notification_test').collection<{ _id: string }>('messages');
/** An event about an object of an account, which acted itself unless another did. */
export const eventOf = (
  account: Recipient,
  type: string,
  object: { id: string },
  seed: Partial<BusEvent> = {},
): BusEvent =>
  anEvent({
    type,
    objectId: object.id,
    object,
    audience: [account.id, school.accountId],
    cause: { requestId: newId('req'), idempotencyKey: null, actor: newId('key'), accountId: account.id },
    ...seed,
  });
/** Publishes events as scheduling does. */
export const publishOf = (...events: BusEvent[]) => publish(harness, events, 'scheduling');
/** Ends the wait of messages for further events of their groups, once so many events are in them. */
export async function gathered(accountId: string, events: number): Promise<void> {
  await until(async () => {
    const found = await rows()
      .find({ accountId } as object)
      .toArray();
    return found.flatMap((each) => (each as unknown as { eventIds: string[] }).eventIds).length === events;
  }, `${events} events are in messages`);
  await updateAll(rows(), { accountId, status: 'pending' }, { dueAt: new Date(0) });
}
/** The mails to an account once there are `count`. */
export const mailsTo = ({ email }: Recipient, count = 1): Promise<ReceivedMail[]> =>
  until(() => (server.to(email!).length >= count ? server.to(email!) : null), `${count} mails arrive`);
/** The first mail to an account. */
export const mailTo = async (recipient: Recipient): Promise<ReceivedMail> => (await mailsTo(recipient))[0]!;
/** The first message of an account once it has a status. */
export const messageWith = (principal: Principal, status: Message['status']): Promise<Message> =>
  until(
    async () => (await messagesOf(harness, principal)).find((message) => message.status === status),
    `a message is ${status}`,
  );
/** A header of a mail, by its name in lower case. */
export const headerOf = ({ email }: ReceivedMail, name: string) => email.headers.find(({ key }) => key === name)?.value;
/** The calendar of a mail, as an independent library reads it. */
export function calendarOf({ email }: ReceivedMail): ICAL.Component {
  const attachment = email.attachments.find(({ mimeType }) => mimeType === 'application/ics')!;
  return new ICAL.Component(ICAL.parse(new TextDecoder().decode(attachment.content as ArrayBuffer)));
}
