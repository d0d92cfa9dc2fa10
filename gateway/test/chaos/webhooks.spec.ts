import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Stack } from '../journeys/fixtures/stack.js';
import { expectAllDelivered, type Fault, makeEventsAmid } from '../journeys/fixtures/webhook-faults.js';

const EVENTS = 2_000;
const FAULTS: readonly Fault[] = ['relay', 'notification', 'nats', 'database', 'receiver'];
const LONGEST_MS = 900_000;

let stack: Stack;
beforeAll(async () => {
  stack = await Stack.start({ WEBHOOK_ALLOW_PRIVATE: 'true', IDEMPOTENCY_LEASE_MS: '4000' });
  await stack.add('notification');
});
afterAll(() => stack?.stop());

it(
  'all of 2,000 events arrive, verified and without a gap, while each part is killed in turn, three times',
  async () => {
    const faults = [...FAULTS, ...FAULTS, ...FAULTS];
    expectAllDelivered(await makeEventsAmid(stack, faults, EVENTS), faults, EVENTS);
    expect(stack.isWhole).toBe(true);
  },
  LONGEST_MS,
);
