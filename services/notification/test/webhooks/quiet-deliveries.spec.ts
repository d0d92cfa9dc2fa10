import { expect, it } from '@jest/globals';
import { inEnvironment, newId } from '@swim/platform';
import { partOf } from '@swim/testing';
import { newDelivery } from '../../src/webhook-deliveries/delivery.mapper.js';
import { WebhookDeliveriesRepository } from '../../src/webhook-deliveries/webhook-deliveries.repository.js';
import { service } from './webhooks-harness.js';

// Later than what the sweeps of the service take.
const DUE = new Date('2100-01-01T00:00:00.000Z');

it('a new delivery is found at once by a process that knew of no due ones', async () => {
  const deliveries = partOf(service, WebhookDeliveriesRepository);
  const findDue = async () => (await deliveries.findDue(DUE, 10)).map(({ _id }) => _id);
  expect([await findDue(), await findDue()]).toEqual([[], []]);
  const event = { id: newId('evt'), account: newId('acct'), type: 'ping' };
  const delivery = { ...newDelivery(event, newId('whe'), DUE), dueAt: DUE };
  await deliveries.insertNew([delivery]);
  expect(await findDue()).toEqual([delivery._id]);
});

it('a parked delivery is not claimed as it was read by a replica that was paused since', async () => {
  const deliveries = service.app.get(WebhookDeliveriesRepository, { strict: false });
  const event = { id: newId('evt'), account: newId('acct'), type: 'ping' };
  const read = { ...newDelivery(event, newId('whe'), new Date()), body: '{}', parked: true as const };
  // Tried and parked again by another replica, in the environment in which no sweep of this service looks for the endpoint.
  await inEnvironment('live', () => deliveries.insertNew([{ ...read, tries: 9 }]));
  const claim = { token: 'late', until: new Date(Date.now() + 40_000) };
  expect(await inEnvironment('live', () => deliveries.claim([read], claim))).toEqual([]);
});
