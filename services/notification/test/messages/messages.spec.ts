import { describe, expect, it } from '@jest/globals';
import {
  changeSubscription,
  createWebhookEndpoint,
  listEvents,
  listOwnEndedSubscriptions,
  type Recipient,
  sendEmailConfirmation,
} from '@swim/contracts';
import { newId } from '@swim/platform';
import { inDays, rejectionOf } from '@swim/testing';
import { allowPrivateTargets } from '../in-process.js';
import { answering, Receiver } from '../receivers.js';
import { aCancellation, aSession } from './mail-fixtures.js';
import { eventOf, harness, headerOf, mailsTo, mailTo, messageWith, people, publishOf, server } from './mail-harness.js';

const HOUR_MS = 3_600_000;

describe('an e-mail about money, an offer or an endpoint', () => {
  const payment = (account: Recipient, overrides: object = {}) => ({
    id: newId('pay'),
    account_id: account.id,
    booking_id: newId('bkg'),
    amount_cents: 12_345,
    refunded_cents: 0,
    currency: 'EUR',
    status: 'succeeded',
    ...overrides,
  });

  it('is a receipt to the payer, and not to the school', async () => {
    const { recipient } = people.family({ locale: 'de' });
    const ofSchool = people.family({ kind: 'school' }).recipient;
    await publishOf(
      eventOf(recipient, 'payment.succeeded', payment(recipient), { audience: [recipient.id, ofSchool.id] }),
      eventOf(ofSchool, 'session.created', aSession(ofSchool), { audience: [ofSchool.id] }),
    );
    expect((await mailTo(recipient)).email.subject).toMatch(/^Quittung: 123,45\s€$/);
    expect((await mailsTo(ofSchool)).map(({ email }) => email.subject)).toEqual([expect.stringMatching(/^Booked/)]);
  });

  it('names the amount of one refund', async () => {
    const { recipient } = people.family();
    const object = payment(recipient, { refunded_cents: 5_000, currency: 'JPY' });
    await publishOf(eventOf(recipient, 'payment.refunded', object, { previous: { refunded_cents: 4_000 } }));
    expect((await mailTo(recipient)).email.subject).toBe('Refund: ¥1,000');
  });

  const entry = (account: Recipient, expires_at: string) => ({
    id: newId('wl'),
    account_id: account.id,
    instructor_id: account.instructors[0]!.id,
    member_id: account.members[0]!.id,
    status: 'offered',
    offer: { hold_id: newId('hold'), date: inDays(5), end_date: inDays(5, 11), expires_at },
  });

  it('leads from an offer of the waitlist back to the school', async () => {
    const { recipient } = people.family();
    recipient.instructors[0]!.school.offerUrlTemplate = 'https://baths.example/o/{waitlist_id}?h={hold_id}&x=1';
    const object = entry(recipient, new Date(Date.now() + HOUR_MS).toISOString());
    people.places.set(object.offer.hold_id, { type: 'pool', pool: 'City Baths, Uferweg 1' });
    await publishOf(eventOf(recipient, 'waitlist.offered', object));
    const { email } = await mailTo(recipient);
    expect(email.text).toContain('Mia with Ines – City Baths, Uferweg 1');
    expect(email.text).toContain(`https://baths.example/o/${object.id}?h=${object.offer.hold_id}&x=1`);
    expect(email.html).toContain(`href="https://baths.example/o/${object.id}?h=${object.offer.hold_id}&amp;x=1"`);
  });

  it('offers a place in a lesson as such', async () => {
    const { recipient } = people.family();
    const offered = entry(recipient, new Date(Date.now() + HOUR_MS).toISOString());
    const object = { ...offered, lesson_id: newId('lsn') };
    await publishOf(eventOf(recipient, 'waitlist.offered', object));
    expect((await mailTo(recipient)).email.subject).toMatch(/^A place has become free on /);
  });

  it('offers a place in all lessons of a class as such', async () => {
    const { recipient } = people.family();
    const offered = entry(recipient, new Date(Date.now() + HOUR_MS).toISOString());
    const object = { ...offered, class_id: newId('cls') };
    await publishOf(eventOf(recipient, 'waitlist.offered', object));
    const { email } = await mailTo(recipient);
    expect(email.subject).toMatch(/^A place in a class from .+ on has become free$/);
    expect(email.text).toContain('This is the first lesson:');
  });

  it('is not sent once the offer has ended', async () => {
    const { principal, recipient } = people.family();
    await publishOf(eventOf(recipient, 'waitlist.offered', entry(recipient, inDays(-1))));
    expect(await messageWith(principal, 'skipped')).toMatchObject({ kind: 'waitlist_offer', reason: 'out_of_date' });
  });

  it('says which endpoint was disabled and why, without the secrets in its URL', async () => {
    const { recipient } = people.family();
    const object = { id: newId('whe'), url: 'https://hooks.example/secret-path', disabled_reason: 'gone' };
    await publishOf(eventOf(recipient, 'webhook_endpoint.disabled', object, { audience: [recipient.id] }));
    const { email } = await mailTo(recipient);
    expect(email.text).toContain('hooks.example answered 410 Gone');
    expect(email.text).not.toContain('secret-path');
  });
});

describe('an endpoint that is disabled', () => {
  it.each([
    ['by an answer of 410', 410, 'gone', null, /127\.0\.0\.1:\d+ answered 410 Gone/],
    ['after five failing days', 500, 'failing', 5, /No webhook to 127\.0\.0\.1:\d+ has succeeded for five days/],
  ])('%s has an event, and its account gets an e-mail', async (_, status, reason, failedDays, text) => {
    const { principal, recipient } = people.family();
    await allowPrivateTargets(true);
    const receiver = await Receiver.start(answering(status));
    try {
      const { id } = await harness.call(createWebhookEndpoint, { url: receiver.url }, { principal });
      const days = failedDays && { last: new Date(Date.now() - 24 * HOUR_MS), failed: failedDays };
      const endpoints = harness.database('notification_test').collection<{ _id: string }>('webhook_endpoints');
      await endpoints.updateOne({ _id: id }, { $set: { days } });
      await publishOf(eventOf(recipient, 'member.created', { id: newId('mem') }, { audience: [recipient.id] }));
      expect((await mailTo(recipient)).email.text).toMatch(text);
      const { items } = await harness.call(listEvents, { type: 'webhook_endpoint.disabled' }, { principal });
      expect(items.map(({ data }) => data.object)).toMatchObject([{ id, enabled: false, disabled_reason: reason }]);
    } finally {
      await receiver.stop();
      await allowPrivateTargets(false);
    }
  });
});

describe('an address', () => {
  it('gets nothing until it is confirmed', async () => {
    const { principal, recipient } = people.family({ email: null });
    await publishOf(eventOf(recipient, 'session.created', aSession(recipient)));
    expect(await messageWith(principal, 'skipped')).toMatchObject({ reason: 'address_unconfirmed' });
  });

  it('gets the link by which it is confirmed, once', async () => {
    const { principal } = people.family();
    const confirmationId = newId('req');
    const issued = { email: `${confirmationId}@example.test`, token: 'test.a.b.c', locale: 'fr' as const };
    people.confirmations.set(confirmationId, issued);
    const input = { accountId: principal.accountId, confirmationId };
    for (let time = 0; time < 2; time++) await harness.call(sendEmailConfirmation, input, { principal });
    await messageWith(principal, 'sent');
    const mails = server.to(issued.email);
    expect(mails).toHaveLength(1);
    expect(mails[0]!.email.text).toContain('https://api.swim.example/confirm-email?token=test.a.b.c&lang=fr');
    expect(headerOf(mails[0]!, 'list-unsubscribe')).toBeUndefined();
  });

  it('gets no more messages of a kind after one click, but those of other kinds', async () => {
    const { principal, recipient } = people.family();
    await publishOf(eventOf(recipient, 'session.created', aSession(recipient)));
    const mail = await mailTo(recipient);
    expect(headerOf(mail, 'list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
    const url = headerOf(mail, 'list-unsubscribe')!.replaceAll(/[<>\s]/g, '');
    expect(url).toMatch(/^https:\/\/api\.swim\.example\/unsubscribe\?token=[\w.-]+&lang=en$/);
    expect(mail.email.text).toContain(url);
    const token = new URL(url).searchParams.get('token')!;
    const ended = async () => (await harness.call(listOwnEndedSubscriptions, {}, { principal })).items;
    expect(await ended()).toEqual([]);
    await harness.call(changeSubscription, { token, subscribed: false });
    expect(await ended()).toEqual([{ kind: 'booked', address_hash: expect.stringMatching(/^[\w-]{22}$/) }]);
    const cancelled = { status: 'cancelled' as const, cancellation: aCancellation() };
    await publishOf(
      eventOf(recipient, 'session.created', aSession(recipient)),
      eventOf(recipient, 'session.cancelled', aSession(recipient, cancelled)),
    );
    expect(await messageWith(principal, 'skipped')).toMatchObject({ kind: 'booked', reason: 'unsubscribed' });
    expect((await mailsTo(recipient, 2))[1]!.email.subject).toMatch(/^Cancelled/);
    await harness.call(changeSubscription, { token, subscribed: true });
    expect(await ended()).toEqual([]);
    await publishOf(eventOf(recipient, 'session.created', aSession(recipient)));
    await mailsTo(recipient, 3);
  });

  it('is not affected by links of the account’s former address, or of another account', async () => {
    const [first, second] = [people.family(), people.family()];
    await publishOf(eventOf(first.recipient, 'session.created', aSession(first.recipient)));
    const url = headerOf(await mailTo(first.recipient), 'list-unsubscribe')!.replaceAll(/[<>\s]/g, '');
    const token = new URL(url).searchParams.get('token')!;
    const forged = token.replace(first.recipient.id, second.recipient.id);
    const rejection = rejectionOf(harness.call(changeSubscription, { token: forged, subscribed: false }));
    expect((await rejection).reason).toBe('resource_not_found');
    await harness.call(changeSubscription, { token, subscribed: false });
    const moved = { ...first.recipient, email: `${newId('acct')}@example.test` };
    people.accounts.set(moved.id, moved);
    await publishOf(eventOf(moved, 'session.created', aSession(moved)));
    await mailTo(moved);
  });
});
