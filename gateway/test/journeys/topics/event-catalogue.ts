import { expect, it } from '@jest/globals';
import { type AccountEvent, eventOfType, type PublicEventType } from '@swim/contracts';
import { journey, stack } from '../shared-stack.js';

journey('the events of all journeys of this spec', () => {
  it('have objects as the catalogue describes their type, and nothing beside', async () => {
    const stored = await stack.stored('notification', 'events');
    const types = new Set(stored.map(({ type }) => type as PublicEventType));
    for (const { type, data } of stored as { type: PublicEventType; data: string }[]) {
      const { object } = JSON.parse(data) as AccountEvent['data'];
      const { data: described } = eventOfType(type).shape as unknown as { data: { shape: { object: { omit: Omit } } } };
      expect([type, described.shape.object.omit({ object: true }).parse(object)]).toEqual([type, object]);
    }
    expect(types.size).toBeGreaterThan(10);
  });
});

type Omit = (fields: { object: true }) => { parse: (value: unknown) => unknown };
