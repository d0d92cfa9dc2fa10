import { expect } from '@jest/globals';
import type { SandboxClock } from '@swim/contracts';
import { until } from '@swim/testing';
import { type Customer, expectStatus } from './customer.js';

/** What the clock of a customer's test account shows. */
export const clockOf = (customer: Customer): Promise<SandboxClock> => customer.read<SandboxClock>('/sandbox/clock');

/** Advances a clock, and waits where a busy machine answers that the advance has not ended yet. */
export async function advance(customer: Customer, advance_to: string): Promise<SandboxClock> {
  let { data } = expectStatus(200, await customer.post<SandboxClock>('/sandbox/clock', { advance_to }));
  const hasEnded = async () => {
    if (data.advancing) data = await clockOf(customer);
    return !data.advancing;
  };
  await until(hasEnded, 'the advance has ended');
  expect(Date.parse(data.now)).toBeGreaterThanOrEqual(Date.parse(advance_to));
  return data;
}
