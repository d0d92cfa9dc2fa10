import { describe, expect, it } from '@jest/globals';
import { newId } from '@swim/platform';
import { readEvent } from './incoming-event.js';

const event = {
  id: newId('evt'),
  n: 1,
  type: 'booking.created',
  env: 'test',
  occurredAt: '2026-03-01T10:00:00.000Z',
  audience: ['acct_a'],
  objectId: 'bkg_1',
  object: { id: 'bkg_1', nested: { a: [1] } },
  cause: { requestId: null, idempotencyKey: null, actor: 'system', accountId: 'acct_a' },
};

describe('readEvent', () => {
  it('accepts an event unchanged', () => {
    expect(readEvent(event)).toEqual(event);
    expect(readEvent({ ...event, previous: { date: 'x' } }).previous).toEqual({ date: 'x' });
  });

  it('ignores fields that a newer service has added', () => {
    expect(readEvent({ ...event, colour: 'red' })).toEqual(event);
  });

  it('throws for anything but an event, and names the wrong fields without their values', () => {
    const { audience: _, ...deaf } = event;
    expect(() => readEvent(deaf)).toThrow('Not an event: audience');
    expect(() => readEvent({ ...event, n: 0, id: 'evt_1' })).toThrow('Not an event: id, n');
    expect(() => readEvent({ ...event, object: 'Anna, allergic to nuts' })).toThrow(/^Not an event: object$/);
    expect(() => readEvent(null)).toThrow('Not an event: the whole of it');
  });
});
