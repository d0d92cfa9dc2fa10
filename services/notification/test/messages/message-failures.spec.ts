import { describe, expect, it } from '@jest/globals';
import { listMessages } from '@swim/contracts';
import { aPrincipal, rejectionOf, until, updateAll } from '@swim/testing';
import { aSession, messagesOf } from './mail-fixtures.js';
import { eventOf, harness, headerOf, mailTo, messageWith, people, publishOf, rows, server } from './mail-harness.js';

const HOUR_MS = 3_600_000;

describe('an e-mail that is not accepted', () => {
  it.each(['rcpt', 'data'] as const)('for good at %s is kept as bounced, without the server’s text', async (at) => {
    const { principal, recipient } = people.family();
    server.reject = (address) =>
      address === recipient.email ? { at, code: 550, text: `5.1.1 <${address}> unknown` } : null;
    await publishOf(eventOf(recipient, 'session.created', aSession(recipient)));
    const bounced = await messageWith(principal, 'bounced');
    expect(bounced).toMatchObject({
      reason: 'rejected',
      attempts: 1,
      last_response: '550 5.1.1',
      next_attempt_at: null,
    });
    expect(JSON.stringify(await rows().findOne({ _id: bounced.id }))).not.toContain(recipient.email);
  });

  it('for now is tried again, with the same Message-ID', async () => {
    const { principal, recipient } = people.family();
    server.reject = (address) =>
      address === recipient.email ? { at: 'data', code: 451, text: '4.7.1 try again later' } : null;
    await publishOf(eventOf(recipient, 'session.created', aSession(recipient)));
    const retried = await until(
      async () => (await messagesOf(harness, principal)).find(({ attempts }) => attempts === 1),
      'it was tried once',
    );
    expect(retried).toMatchObject({ status: 'pending', last_response: '451 4.7.1' });
    const delayMs = Date.parse(retried.next_attempt_at!) - Date.parse(retried.updated_at);
    expect(delayMs).toBeGreaterThan(50_000);
    expect(delayMs).toBeLessThan(70_000);
    server.reject = () => null;
    await rows().updateOne({ _id: retried.id }, { $set: { dueAt: new Date(0) } });
    const mail = await mailTo(recipient);
    expect(headerOf(mail, 'message-id')).toBe(`<${retried.id}.test@swim.example>`);
    expect(await messageWith(principal, 'sent')).toMatchObject({ attempts: 2 });
  });

  it('is written for each try in the language and the zone that the account has then', async () => {
    const { recipient } = people.family({ locale: 'en' });
    server.reject = (address) => (address === recipient.email ? { at: 'data', code: 451, text: '4.7.1' } : null);
    await publishOf(eventOf(recipient, 'session.created', aSession(recipient)));
    const isTried = async () => (await rows().findOne({ accountId: recipient.id, attempts: 1 } as object)) !== null;
    await until(isTried, 'it was tried once');
    Object.assign(recipient, { locale: 'de', timezone: 'America/New_York' });
    server.reject = () => null;
    await rows().updateOne({ accountId: recipient.id } as object, { $set: { dueAt: new Date(0) } });
    const { email } = await mailTo(recipient);
    expect(email.subject).toBe('Gebucht: Schwimmstunde am Montag, 1. März 2027');
    expect(email.text).toContain('10:00');
  });

  it('within a day is abandoned', async () => {
    const { principal, recipient } = people.family();
    server.reject = (address) => (address === recipient.email ? { at: 'data', code: 451, text: '4.7.1' } : null);
    await publishOf(eventOf(recipient, 'session.created', aSession(recipient)));
    await until(
      async () => (await messagesOf(harness, principal)).find(({ attempts }) => attempts === 1),
      'it was tried once',
    );
    const longAgo = new Date(Date.now() - 25 * HOUR_MS);
    await rows().updateOne({ accountId: recipient.id } as object, { $set: { dueAt: longAgo, createdAt: longAgo } });
    expect(await messageWith(principal, 'failed')).toMatchObject({ reason: 'not_accepted_in_time', attempts: 1 });
  });

  it('because it cannot be written waits, and holds back no other of its batch', async () => {
    const both = [people.family({ timezone: 'Mars/Base' }), people.family()];
    const isNext = async (instant: string) =>
      (await Promise.all(both.map(({ principal }) => messagesOf(harness, principal)))).every(
        ([message]) => message && (message.next_attempt_at ?? message.sent_at)! > instant,
      );
    people.isDown = true;
    await publishOf(...both.map(({ recipient }) => eventOf(recipient, 'session.created', aSession(recipient))));
    await until(() => isNext(new Date().toISOString()), 'both wait').finally(() => (people.isDown = false));
    const ids = both.map(({ recipient }) => recipient.id);
    // A try that began while people was down may postpone them once more.
    const areDue = () => updateAll(rows(), { accountId: { $in: ids }, sentAt: null }, { dueAt: new Date(0) });
    const read = () => Promise.all(both.map(({ principal }) => messagesOf(harness, principal)));
    await until(async () => {
      await areDue();
      return (await read())[1]?.[0]?.status === 'sent';
    }, 'the other is sent');
    expect((await read())[0]).toMatchObject([{ status: 'pending', attempts: 0 }]);
  });

  it('because people cannot be reached waits without a try', async () => {
    const { principal, recipient } = people.family();
    people.isDown = true;
    try {
      await publishOf(eventOf(recipient, 'session.created', aSession(recipient)));
      await until(
        async () =>
          (await messagesOf(harness, principal)).find(({ updated_at, created_at }) => updated_at > created_at),
        'it is postponed',
      );
    } finally {
      people.isDown = false;
    }
    expect(await messagesOf(harness, principal)).toMatchObject([{ status: 'pending', attempts: 0 }]);
    await rows().updateOne({ accountId: recipient.id } as object, { $set: { dueAt: new Date(0) } });
    await mailTo(recipient);
  });
});

describe('what happened more than a day ago', () => {
  it('is not written about', async () => {
    const { principal, recipient } = people.family();
    const occurredAt = new Date(Date.now() - 25 * HOUR_MS).toISOString();
    await publishOf(
      eventOf(recipient, 'session.created', aSession(recipient), { occurredAt }),
      eventOf(recipient, 'session.created', aSession(recipient)),
    );
    await messageWith(principal, 'sent');
    expect(await messagesOf(harness, principal)).toHaveLength(1);
  });
});

describe('the list of messages', () => {
  it('is the account’s own, filtered by kind, status, ids and time of change', async () => {
    const { principal, recipient } = people.family();
    await publishOf(eventOf(recipient, 'session.created', aSession(recipient)));
    await messageWith(principal, 'sent');
    const list = (filters: object) =>
      harness.call(listMessages, { account_id: principal.accountId, ...filters }, { principal });
    expect((await list({ kind: 'booked', status: 'sent' })).items).toHaveLength(1);
    expect((await list({ kind: 'reminder' })).items).toEqual([]);
    const [sent] = (await list({ status: 'sent,failed' })).items;
    expect((await list({ ids: sent!.id, updated_from: sent!.updated_at })).items).toEqual([sent]);
    expect((await list({ updated_to: sent!.updated_at })).items).toEqual([]);
    const reversed = list({ updated_from: '2027-03-02', updated_to: '2027-03-01' });
    expect((await rejectionOf(reversed)).reason).toBe('range_reversed');
    const foreign = harness.call(listMessages, { account_id: principal.accountId }, { principal: aPrincipal() });
    expect((await rejectionOf(foreign)).reason).toBe('foreign_account');
  });
});
