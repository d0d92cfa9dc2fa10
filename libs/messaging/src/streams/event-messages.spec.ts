import { describe, expect, it } from '@jest/globals';
import type { BusEvent } from '@swim/contracts';
import { bodyOf, eventsIn, groupsOf, messageIdOf } from './event-messages.js';

const anEvent = (n: number, more: Partial<BusEvent> = {}): BusEvent => ({
  id: `evt_${n}`,
  n,
  type: 'booking.created',
  env: 'test',
  occurredAt: '2027-03-01T16:00:00.000Z',
  audience: ['acct_1'],
  objectId: 'bkg_1',
  object: { n },
  cause: { requestId: 'req_1', idempotencyKey: null, actor: 'key_1', accountId: 'acct_1' },
  ...more,
});
const cause = (requestId: string) => ({ cause: { ...anEvent(1).cause, requestId } });
const idsOf = (events: BusEvent[]) => groupsOf(events).map((group) => group.events.map(({ id }) => id));

describe('events share a message', () => {
  it('when they are of one write and their types have the same consumers', () => {
    expect(idsOf([anEvent(1), anEvent(2, { type: 'booking.confirmed' })])).toEqual([['evt_1', 'evt_2']]);
  });

  it('in their order, which the body keeps', () => {
    const events = [1, 2, 3].map((n) => anEvent(n));
    const [group] = groupsOf(events);
    expect(eventsIn(JSON.parse(bodyOf(group!)))).toEqual(events);
  });

  it.each([
    ['object', { objectId: 'bkg_2' }],
    ['environment', { env: 'live' }],
    ['time', { occurredAt: '2027-03-01T16:00:00.001Z' }],
    ['request', cause('req_2')],
  ] as [string, Partial<BusEvent>][])('unless they differ in their %s', (_, other) => {
    expect(idsOf([anEvent(1), anEvent(2, other)])).toEqual([['evt_1'], ['evt_2']]);
  });

  it('unless one of their types has other consumers', () => {
    const types = ['session.created', 'session.updated', 'session.rescheduled', 'session.reminder'];
    const events = types.map((type, index) => anEvent(index + 1, { type }));
    expect(idsOf(events)).toEqual([['evt_1'], ['evt_2', 'evt_3'], ['evt_4']]);
  });

  it('up to sixteen of them', () => {
    const events = Array.from({ length: 20 }, (_, index) => anEvent(index + 1));
    expect(groupsOf(events).map((group) => group.events.length)).toEqual([16, 4]);
  });

  it('up to 256 KiB', () => {
    const large = { object: { text: 'é'.repeat(70_000) } };
    expect(groupsOf([anEvent(1, large), anEvent(2, large), anEvent(3)]).map(({ events }) => events.length)).toEqual([
      1, 2,
    ]);
  });
});

describe('a message', () => {
  it('of one event has the body and the id of that event', () => {
    const [group] = groupsOf([anEvent(1)]);
    expect(JSON.parse(bodyOf(group!))).toEqual(anEvent(1));
    expect(messageIdOf(group!)).toBe('evt_1@2027-03-01T16:00:00.000Z');
  });

  it('of several events has the ids of all, so that no two groups are alike', () => {
    const idOf = (...ordinals: number[]) => messageIdOf(groupsOf(ordinals.map((n) => anEvent(n)))[0]!);
    expect(new Set([idOf(1), idOf(2), idOf(1, 2), idOf(1, 2, 3), idOf(2, 3)]).size).toBe(5);
    expect(idOf(1, 2)).toBe(idOf(1, 2));
  });

  it('without events cannot be read', () => {
    expect(() => eventsIn([])).toThrow('A message without events.');
  });
});
