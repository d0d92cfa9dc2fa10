import { expect, it } from '@jest/globals';
import { type AccountEvent, eventOfType, type PublicEventType } from '@swim/contracts';
import { until } from '@swim/testing';
import { aBooking, aCard, aMember, anInstructor, memberBody, paymentBody } from '../fixtures.js';
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
});

journey('the kind of an object', () => {
  it('is the same in the answer to its POST, in GET, in the export of the account and in its events', async () => {
    const { family } = stack;
    const [instructor, member] = [await anInstructor(stack.school), await aMember(family)];
    const [booking, card] = [await aBooking(family, instructor, member), await aCard(family)];
    const payment = await family.make<Named>('/payments', paymentBody(booking, card));
    const named = Object.fromEntries([member, booking, card, payment].map((made) => [made.id, (made as Named).object]));
    expect(Object.values(named)).toEqual(['member', 'booking', 'payment_method', 'payment']);
    expect(await family.read(`/bookings/${booking.id}`)).toMatchObject({ object: 'booking' });
    const exported = await family.read<Record<string, Named[]>>(`/accounts/${family.id}/export`);
    const all = Object.values(exported).flat();
    expect(Object.fromEntries(all.filter(({ id }) => id in named).map(({ id, object }) => [id, object]))).toEqual(
      named,
    );
    expect(all.filter(({ id, object }) => id !== undefined && object === undefined)).toEqual([]);
    for (const [id, object] of Object.entries(named)) {
      const listed = async () => (await family.readAll<AccountEvent>(`/events?object_id=${id}`))[0];
      const event = await until(listed, 'its event is listed');
      expect(event).toMatchObject({ object: 'event', data: { object: { id, object } } });
    }
  });

  it('is named in a dry run, and in an object that another contains', async () => {
    const { family } = stack;
    const { data } = await family.post(`/accounts/${family.id}/members?dry_run=true`, memberBody());
    expect(data).toMatchObject({ object: 'member' });
    expect(await family.read('/me')).toMatchObject({ account: { object: 'account' }, key: { object: 'api_key' } });
  });
});

interface Named {
  id: string;
  object: string;
}
type Parser = { parse: (value: unknown) => unknown };
