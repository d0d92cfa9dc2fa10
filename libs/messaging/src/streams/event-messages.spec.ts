import { describe, expect, it } from '@jest/globals';
import type { BusEvent } from '@swim/contracts';
import fc from 'fast-check';
import { bodyOf, eventsIn, groupsOf, messageIdOf, messagesOf } from './event-messages.js';

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

describe('groups share a message', () => {
  const anOwn = (n: number, more: Partial<BusEvent> = {}) =>
    groupsOf([anEvent(n, { objectId: `bkg_${n}`, ...more })])[0]!;
  const messagesWith = (groups: ReturnType<typeof anOwn>[]) =>
    messagesOf(groups).map((message) => message.flatMap(({ events }) => events.map(({ id }) => id)));

  it('when their types have the same consumers, whatever their objects, times and requests', () => {
    const other = { occurredAt: '2027-03-01T16:00:00.001Z', type: 'booking.confirmed', ...cause('req_2') };
    expect(messagesWith([anOwn(1), anOwn(2, other)])).toEqual([['evt_1', 'evt_2']]);
  });

  it('unless they differ in their environment or in the consumers of their types', () => {
    const groups = [anOwn(1), anOwn(2, { env: 'live' }), anOwn(3, { type: 'session.created' }), anOwn(4)];
    expect(messagesWith(groups)).toEqual([['evt_1', 'evt_4'], ['evt_2'], ['evt_3']]);
  });

  it('up to 32 events, and a group is never split', () => {
    const ofTen = (from: number) =>
      groupsOf(Array.from({ length: 10 }, (_, index) => anEvent(from + index, { objectId: `bkg_${from}` })))[0]!;
    const counts = messagesWith([10, 20, 30, 40].map(ofTen)).map((ids) => ids.length);
    expect(counts).toEqual([30, 10]);
  });

  it('up to 64 KiB, and one that is larger is a message of its own', () => {
    const large = (bytes: number) => ({ object: { text: 'x'.repeat(bytes) } });
    const groups = [anOwn(1, large(40_000)), anOwn(2, large(40_000)), anOwn(3), anOwn(4, large(100_000)), anOwn(5)];
    expect(messagesWith(groups)).toEqual([['evt_1'], ['evt_2', 'evt_3'], ['evt_4'], ['evt_5']]);
  });

  it('so that each object keeps the order of its events, and each event is in one message', () => {
    const types = ['booking.created', 'session.created', 'session.updated', 'member.created'];
    const groups = fc.array(
      fc.record({ object: fc.nat(3), type: fc.constantFrom(...types), bytes: fc.constantFrom(0, 30_000, 70_000) }),
      { maxLength: 60 },
    );
    const property = fc.property(groups, (all) => {
      const given = all.map(({ object, type, bytes }, index) =>
        anOwn(index, { objectId: `bkg_${object}`, n: index, type, object: { text: 'x'.repeat(bytes) } }),
      );
      const events = messagesOf(given).flatMap((message) => message.flatMap((group) => group.events));
      expect(events).toHaveLength(given.length);
      for (const own of Map.groupBy(events, ({ objectId }) => objectId).values())
        expect(own.map(({ n }) => n)).toEqual(own.map(({ n }) => n).sort((a, b) => a - b));
    });
    fc.assert(property);
  });
});

describe('a message', () => {
  it('of one event has the body and the id of that event', () => {
    const [group] = groupsOf([anEvent(1)]);
    expect(JSON.parse(bodyOf(group!))).toEqual(anEvent(1));
    expect(messageIdOf(group!)).toBe('evt_1');
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
