import { describe, expect, it } from '@jest/globals';
import { accountEvent, withKinds } from '@swim/contracts';
import { newId, timeOfId } from '@swim/platform';
import { copiesOf, toAccountEvent, toDocument, toUnnumberedEvent } from './event.mapper.js';
import { type IncomingEvent, readEvent } from './incoming-event.js';

const account = newId('acct');
const anEvent = (more: Partial<IncomingEvent> = {}): IncomingEvent =>
  readEvent({
    id: newId('evt'),
    n: 3,
    type: 'session.rescheduled',
    env: 'live',
    occurredAt: '2026-03-01T10:00:00.000Z',
    audience: [account],
    objectId: newId('ses'),
    object: { object: 'session', id: 'ses_1', 'a.$b': null },
    cause: { requestId: 'req_1', idempotencyKey: 'k', actor: 'key_1', accountId: account },
    ...more,
  });

const copyOf = (event: IncomingEvent, account: string) => copiesOf(event, [account])[0]!;

describe('an account’s copy of an event', () => {
  it('has the same id each time it is made, and a different one for another account or event', () => {
    const event = anEvent();
    const { _id } = toDocument(copyOf(event, account));
    expect(toDocument(copyOf(event, account))._id).toBe(_id);
    expect(toDocument(copyOf(event, newId('acct')))._id).not.toBe(_id);
    expect(toDocument(copyOf(anEvent(), account))._id).not.toBe(_id);
    expect(_id).toMatch(/^evt_[0-7][0-9a-hjkmnp-tv-z]{9}[ef][0-9a-hjkmnp-tv-z]{2}[89abr-tv][0-9a-hjkmnp-tv-z]{12}$/);
    expect(timeOfId(_id)).toEqual(timeOfId(event.id));
  });

  it('is readable by that account only', () => {
    const [copy] = copiesOf(anEvent(), [account, newId('acct')]);
    expect(toDocument(copy!)).toMatchObject({ account, readers: [account], copies: 2 });
  });

  it('is returned in the public shape', () => {
    const event = anEvent({ previous: { date: '2026-02-01T10:00:00.000Z' } });
    const document = { ...toDocument(copyOf(event, account)), sequence: 7 };
    const answered = toAccountEvent(document, 'live');
    expect(accountEvent.strict().parse(withKinds(accountEvent, answered))).toEqual({
      object: 'event',
      id: document._id,
      type: 'session.rescheduled',
      timestamp: '2026-03-01T10:00:00.000Z',
      sequence: 7,
      account_id: account,
      api_version: 'v1',
      livemode: true,
      data: {
        object: { object: 'session', id: 'ses_1', 'a.$b': null },
        previous_attributes: { date: '2026-02-01T10:00:00.000Z' },
      },
      request: { id: 'req_1', idempotency_key: 'k' },
      actor: 'key_1',
    });
  });

  it.each(['own', 'of another account'])('reads the same before it is numbered and from its document (%s)', (whose) => {
    const cause = { requestId: 'req_1', idempotencyKey: 'k', actor: 'key_1', accountId: newId('acct') };
    const event = anEvent(whose === 'own' ? { previous: { date: '2026-02-01T10:00:00.000Z' } } : { cause });
    const { sequence, ...stored } = toAccountEvent({ ...toDocument(copyOf(event, account)), sequence: 7 }, 'test');
    expect(toUnnumberedEvent(copyOf(event, account), 'test')).toEqual(stored);
    expect(sequence).toBe(7);
  });

  it('contains another account’s id, but neither its key nor its idempotency key', () => {
    const actor = newId('acct');
    const event = anEvent({ cause: { requestId: 'req_1', idempotencyKey: 'k', actor: 'key_1', accountId: actor } });
    const answered = toAccountEvent({ ...toDocument(copyOf(event, account)), sequence: 1 }, 'test');
    expect(answered).toMatchObject({ request: { id: 'req_1', idempotency_key: null }, actor });
  });

  it('names the author of a review to the author alone', () => {
    const cause = { requestId: 'req_1', idempotencyKey: 'k', actor: 'key_1', accountId: account };
    const event = anEvent({ type: 'review.created', cause });
    const answeredTo = (reader: string) =>
      toAccountEvent({ ...toDocument(copyOf(event, reader)), sequence: 1 }, 'test');
    expect(answeredTo(account)).toMatchObject({ request: { id: 'req_1' }, actor: 'key_1' });
    expect(answeredTo(newId('acct'))).toMatchObject({ request: null, actor: 'system' });
  });

  it('has no request and no former values where there are none', () => {
    const event = anEvent({ cause: { requestId: null, idempotencyKey: null, actor: 'system', accountId: account } });
    const answered = toAccountEvent({ ...toDocument(copyOf(event, account)), sequence: 1 }, 'test');
    expect(answered).toMatchObject({ livemode: false, request: null, actor: 'system' });
    expect(answered.data.previous_attributes).toBeNull();
  });
});
