import { describe, expect, it } from '@jest/globals';
import type { Recipient, SessionObject } from '@swim/contracts';
import { newId } from '@swim/platform';
import { until } from '@swim/testing';
import { aCancellation, aSession, messagesOf } from './mail-fixtures.js';
import { eventOf, gathered, harness, mailsTo, people, publishOf, rows, server } from './mail-harness.js';

const HOUR_MS = 3_600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();

/** A lesson of a booking that begins in a day, so that its reminder waits for those of the booking's other members. */
const tomorrow = (recipient: Recipient, overrides: Partial<SessionObject> = {}) =>
  aSession(recipient, { booking_id: newId('bkg'), date: inHours(24), end_date: inHours(25), ...overrides });
const cancelled = (session: SessionObject): SessionObject => ({
  ...session,
  status: 'cancelled',
  version: session.version + 1,
  cancellation: aCancellation(),
});
/** Publishes the events of one lesson, in order. */
const publishAll = (account: Recipient, events: [type: string, object: { id: string }][]) =>
  publishOf(...events.map(([type, object], index) => eventOf(account, type, object, { n: index + 1 })));

const ended = (principal: Parameters<typeof messagesOf>[1], kind: string) =>
  until(
    async () =>
      (await messagesOf(harness, principal)).find((message) => message.kind === kind && message.status !== 'pending'),
    `a message of the kind ${kind} has ended`,
  );

describe('a reminder', () => {
  it('is not sent when its lesson was cancelled meanwhile', async () => {
    const { principal, recipient } = people.family();
    const session = tomorrow(recipient);
    await publishAll(recipient, [
      ['session.reminder', session],
      ['session.cancelled', cancelled(session)],
    ]);
    await gathered(recipient.id, 2);
    expect(await ended(principal, 'reminder')).toMatchObject({ status: 'skipped', reason: 'out_of_date' });
    expect((await mailsTo(recipient)).map(({ email }) => email.subject)).toEqual([
      expect.stringMatching(/^Cancelled: /),
    ]);
  });

  it('is not sent when its lesson was moved meanwhile', async () => {
    const { principal, recipient } = people.family();
    const session = tomorrow(recipient);
    const moved = { ...session, date: inHours(48), end_date: inHours(49), version: 2 };
    await publishAll(recipient, [
      ['session.reminder', session],
      ['session.rescheduled', moved],
    ]);
    await gathered(recipient.id, 2);
    expect(await ended(principal, 'reminder')).toMatchObject({ status: 'skipped', reason: 'out_of_date' });
  });

  it('is sent of a lesson that was moved before it', async () => {
    const { principal, recipient } = people.family();
    const session = tomorrow(recipient, { version: 2 });
    await publishAll(recipient, [
      ['session.rescheduled', session],
      ['session.reminder', session],
    ]);
    await gathered(recipient.id, 2);
    expect(await ended(principal, 'reminder')).toMatchObject({ status: 'sent' });
  });

  it('of lessons that members have together leaves out the one that was cancelled', async () => {
    const members = ['Mia', 'Tom'].map((name) => ({ id: newId('mem'), name }));
    const { principal, recipient } = people.family({ members });
    const booking_id = newId('bkg');
    const [first, second] = members.map(({ id }) => tomorrow(recipient, { booking_id, member_id: id })) as [
      SessionObject,
      SessionObject,
    ];
    const same = { ...second, date: first.date, end_date: first.end_date };
    await publishAll(recipient, [
      ['session.reminder', first],
      ['session.cancelled', cancelled(first)],
    ]);
    await publishAll(recipient, [['session.reminder', same]]);
    await gathered(recipient.id, 3);
    expect(await ended(principal, 'reminder')).toMatchObject({ status: 'sent' });
    const sent = await until(
      () => server.to(recipient.email!).find(({ email }) => email.subject!.startsWith('Reminder: ')),
      'the reminder arrives',
    );
    expect(sent.email.text).toContain('Tom with Ines');
    expect(sent.email.text).not.toContain('Mia');
  });
});

describe('an e-mail about an offer of the waitlist', () => {
  const offered = (recipient: Recipient) => {
    const instructor_id = recipient.instructors[0]!.id;
    const offer = { hold_id: newId('hold'), date: inHours(48), end_date: inHours(49), expires_at: inHours(2) };
    return { id: newId('wl'), account_id: recipient.id, member_id: recipient.members[0]!.id, instructor_id, offer };
  };

  it.each(['waitlist.accepted', 'waitlist.expired', 'waitlist.joined'])('is not sent after %s', async (type) => {
    const { principal, recipient } = people.family();
    const entry = offered(recipient);
    // The first try fails, so that the message waits.
    server.reject = (address) => (address === recipient.email ? { at: 'data', code: 451, text: '4.7.1' } : null);
    await publishAll(recipient, [['waitlist.offered', entry]]);
    const isTried = async () => (await rows().findOne({ accountId: recipient.id, attempts: 1 } as object)) !== null;
    await until(isTried, 'it was tried once');
    await publishOf(eventOf(recipient, type, { ...entry, offer: null } as never, { n: 2 }));
    const events = harness.database('notification_test').collection('events');
    await until(() => events.findOne({ account: recipient.id, type }), 'the offer has ended');
    server.reject = () => null;
    await rows().updateOne({ accountId: recipient.id } as object, { $set: { dueAt: new Date(0) } });
    expect(await ended(principal, 'waitlist_offer')).toMatchObject({ status: 'skipped', reason: 'out_of_date' });
  });
});
