import { describe, expect, it } from '@jest/globals';
import { eraseEventsOfAccount } from '@swim/contracts';
import { newId } from '@swim/platform';
import { untilDone } from '../in-process.js';
import { aCancellation, aSession } from './mail-fixtures.js';
import { eventOf, harness, mailsTo, mailTo, people, publishOf, server } from './mail-harness.js';

describe('an e-mail about a lesson', () => {
  it.each([
    ['key', 'key'],
    ['user of the dashboard', 'usr'],
  ] as const)(
    'goes to the school when the family acted, without names, and not when a %s of the school did',
    async (_, actor) => {
      const { recipient } = people.family();
      const ofSchool = people.family({ kind: 'school', members: [], instructors: recipient.instructors });
      const audience = [recipient.id, ofSchool.recipient.id];
      const acting = (accountId: string) => ({
        audience,
        cause: { requestId: newId('req'), idempotencyKey: null, actor: newId(actor), accountId },
      });
      await publishOf(
        eventOf(recipient, 'session.created', aSession(recipient), acting(ofSchool.recipient.id)),
        eventOf(recipient, 'session.created', aSession(recipient), acting(recipient.id)),
      );
      await mailsTo(recipient, 2);
      const { email } = await mailTo(ofSchool.recipient);
      expect(email.text).toContain('with Ines');
      expect(email.text).not.toMatch(/\bMia\b/);
      expect(server.to(ofSchool.recipient.email!)).toHaveLength(1);
    },
  );

  it('goes to the school also while the family is being erased', async () => {
    const { recipient } = people.family();
    const ofSchool = people.family({ kind: 'school', members: [], instructors: recipient.instructors });
    await untilDone(() => harness.call(eraseEventsOfAccount, { accountId: recipient.id }));
    const session = aSession(recipient, { status: 'cancelled', version: 2, cancellation: aCancellation() });
    const audience = [recipient.id, ofSchool.recipient.id];
    await publishOf(eventOf(recipient, 'session.cancelled', session, { audience }));
    expect((await mailTo(ofSchool.recipient)).email.subject).toMatch(/^Cancelled: /);
    expect(server.to(recipient.email!)).toEqual([]);
  });
});
