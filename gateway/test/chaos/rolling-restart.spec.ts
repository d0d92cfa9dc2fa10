import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AccountEvent, SERVICES } from '@swim/contracts';
import { until } from '@swim/testing';
import { Customer } from '../journeys/fixtures/customer.js';
import { Stack } from '../journeys/fixtures/stack.js';
import { Load } from './load.js';

let stack: Stack;
let load: Load;
beforeAll(async () => {
  stack = await Stack.start();
  load = await Load.on(stack);
});
afterAll(() => stack?.stop());

describe('a replica that gets SIGTERM while another one runs', () => {
  it.each(SERVICES)('of %s fails no request', async (service) => {
    await stack.add(service);
    expect(await load.failuresDuring(() => stack.retire(service))).toEqual([]);
  });

  it('of the gateway fails no request either, when new ones go to the other', async () => {
    const other = new Customer(`${await stack.addGateway()}/v1`, stack.family.id, stack.family.key);
    let families = [stack.family, other];
    const retire = async () => {
      // As a load balancer does before it lets the old one be ended.
      families = [other];
      await stack.retire('gateway');
    };
    expect(await load.failuresDuring(retire, () => families)).toEqual([]);
    const events = await until(
      async () => {
        const all = await other.readAll<AccountEvent>('/events');
        return all.filter(({ type }) => type === 'session.created').length === load.sessionsMade ? all : null;
      },
      'every session has its event',
      30_000,
    );
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => events.length - index));
  });
});
