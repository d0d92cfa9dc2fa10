import { expect, it } from '@jest/globals';
import { type AccountEvent, eventOfType, type PublicEventType } from '@swim/contracts';
import { journey, stack } from '../shared-stack.js';

journey('the events of all journeys of this spec', () => {
  it('have objects as the catalogue describes their type, and nothing beside', async () => {
    const stored = await stack.stored('notification', 'events');
    const types = new Set(stored.map(({ type }) => type as PublicEventType));
    for (const { type, data } of stored as { type: PublicEventType; data: string }[]) {
      const { object } = JSON.parse(data) as AccountEvent['data'];
      const { data: described } = eventOfType(type).shape as unknown as { data: { shape: { object: Parser } } };
      expect([type, described.shape.object.parse(object)]).toEqual([type, object]);
    }
    expect(types.size).toBeGreaterThan(10);
  });

  it('name the kinds of their objects as GET and the export of the account do', async () => {
    const { family } = stack;
    const exported = await family.read<Record<string, Named[]>>(`/accounts/${family.id}/export`);
    const kindOfId = new Map(
      Object.values(exported)
        .flat()
        .map(({ id, object }) => [id, object]),
    );
    const events = (await family.get<AccountEvent[]>('/events?limit=100')).data;
    const known = events.map(({ data }) => data.object as object as Named).filter(({ id }) => kindOfId.has(id));
    for (const { id, object } of known) expect([id, object]).toEqual([id, kindOfId.get(id)]);
    expect([...new Set(known.map(({ object }) => object))]).toEqual(
      expect.arrayContaining(['booking', 'member', 'session']),
    );
    expect(events.map(({ object }: AccountEvent & Partial<Named>) => object)).toEqual(events.map(() => 'event'));
    const { id } = known.find(({ object }) => object === 'booking')!;
    expect(await family.read(`/bookings/${id}`)).toMatchObject({ object: 'booking', id });
    expect(await family.read('/me')).toMatchObject({ account: { object: 'account' }, key: { object: 'api_key' } });
  });
});

interface Named {
  id: string;
  object: string;
}
type Parser = { parse: (value: unknown) => unknown };
