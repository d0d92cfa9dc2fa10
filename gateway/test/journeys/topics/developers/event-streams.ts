import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type AccountEvent, type ApiKeyWithText, MOST_EVENT_STREAMS } from '@swim/contracts';
import { EventStreamClient, until } from '@swim/testing';
import { apiError, type Customer } from '../../fixtures/customer.js';
import { aMember } from '../../fixtures/fixtures.js';
import { journey, stack } from '../../fixtures/shared-stack.js';

journey('streams of events', () => {
  const clients: EventStreamClient[] = [];
  let family: Customer;

  /** Opens a stream, which is closed after the test. */
  const open = async ({ key }: Customer, lastEventId?: number, origin = stack.origin) => {
    const client = await EventStreamClient.open(origin, key, lastEventId);
    clients.push(client);
    return client;
  };
  const listed = (customer: Customer) => customer.readAll<AccountEvent>('/events?after_sequence=0');

  beforeAll(async () => {
    family = stack.family;
    for (let made = 0; made < 3; made++) await aMember(family);
    await until(async () => (await listed(family)).length >= 3, 'the events are listed');
  });
  afterEach(() => {
    for (const client of clients.splice(0)) client.close();
  });

  it('have what GET /events answers, from the position of the client on, and live', async () => {
    const [all, later, live] = [await open(family, 0), await open(family, 2), await open(family)];
    await aMember(family);
    const events = await all.received(4);
    expect(events).toEqual(await listed(family));
    expect(await later.received(2)).toEqual(events.slice(2));
    expect(await live.received(1)).toEqual(events.slice(3));
  });

  it('resume after a disconnection without a gap', async () => {
    const first = await open(family);
    await aMember(family);
    const [event] = await first.received(1);
    first.close();
    await aMember(family);
    const resumed = await open(family, Number(first.lastEventId));
    expect((await resumed.received(1))[0]!.sequence).toBe(event!.sequence + 1);
  });

  it('are the same at every gateway, for each of 20 streams of an account', async () => {
    const other = await stack.addGateway();
    const origins = Array.from({ length: MOST_EVENT_STREAMS }, (_, index) => (index % 2 === 0 ? stack.origin : other));
    const opened = await Promise.all(origins.map((origin) => open(family, 0, origin)));
    expect(await family.once.get('/events/stream')).toMatchObject(apiError(409, 'limit_reached'));
    const { length } = await listed(family);
    await aMember(family);
    await Promise.all(opened.map((client) => client.received(length + 1)));
    const events = await listed(family);
    for (const client of opened) expect(await client.received(events.length)).toEqual(events);
  });

  describe('of another account', () => {
    it('have none of its events, and reject its positions', async () => {
      const other = await stack.open('family');
      const client = await open(other, 0);
      const { sequence } = (await listed(family)).at(-1)!;
      const rejected = await other.once.send('GET', '/events/stream', {
        headers: { 'last-event-id': String(sequence) },
      });
      expect(rejected).toMatchObject(apiError(400, 'out_of_range', 'Last-Event-ID'));
      await aMember(other);
      await aMember(family);
      const own = await client.received(1);
      expect(own.map(({ account_id }) => account_id)).toEqual([other.id]);
    });
  });

  it('of live data have none of the sandbox', async () => {
    const live = await stack.open('family', 'live');
    const [ofLive, ofSandbox] = [await open(live, 0), await open(family)];
    await aMember(family);
    await aMember(live);
    const isLive = async (client: EventStreamClient) =>
      new Set((await client.received(1)).map(({ livemode }) => livemode));
    // That of the sandbox may also have later events of other tests.
    expect([await isLive(ofLive), await isLive(ofSandbox)]).toEqual([new Set([true]), new Set([false])]);
  });

  it('end with their key', async () => {
    const path = `/accounts/${family.id}/keys`;
    const { id, key } = await family.make<ApiKeyWithText>(path, { name: 'Stream' });
    const client = await EventStreamClient.open(stack.origin, key!);
    await family.post(`${path}/${id}/revoke`, {});
    await client.ended();
  });
});
