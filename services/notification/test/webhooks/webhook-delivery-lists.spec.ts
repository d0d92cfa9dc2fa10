import { expect, it } from '@jest/globals';
import { listWebhookDeliveries } from '@swim/contracts';
import { derivedId, lowestIdAt, newId } from '@swim/platform';
import { aPrincipal, rejectionOf } from '@swim/testing';
import { aHistory, anEvent, publish } from '../bus.js';
import { answering } from '../receivers.js';
import { aReceiver, deliveriesOf, ended, endpointTo, harness, rows } from './webhooks-harness.js';

it('deliveries are listed by one or several states', async () => {
  const owner = aPrincipal();
  const receiver = await aReceiver(answering(410));
  const endpoint = await endpointTo(owner, receiver);
  await publish(harness, [anEvent({ audience: [owner.accountId] })]);
  await ended(owner, endpoint, 'failed');
  const count = async (status?: string) =>
    (await harness.call(listWebhookDeliveries, { webhook_endpoint_id: endpoint.id, status }, { principal: owner }))
      .items.length;
  expect([
    await count(),
    await count('failed'),
    await count('pending,failed'),
    await count('pending,succeeded'),
  ]).toEqual([1, 1, 1, 0]);
  expect((await rejectionOf(count('failed,lost'))).reason).toBe('invalid_value');
});

it('deliveries are listed newest first, also those of an older object, whose ids are as old as it', async () => {
  const owner = aPrincipal();
  const audience = [owner.accountId];
  const endpoint = await endpointTo(owner, await aReceiver());
  const objectId = lowestIdAt('bkg', new Date(Date.now() - 3_600_000));
  const ofNewer = anEvent({ audience });
  const ofOlder = anEvent({ audience, objectId, id: derivedId('evt', objectId, '1') });
  await publish(harness, [ofNewer]);
  const [first] = await ended(owner, endpoint, 'succeeded');
  await publish(harness, [ofOlder]);
  const [last] = await ended(owner, endpoint, 'succeeded', 2);
  expect(last!.id < first!.id).toBe(true);
  expect(last!.created_at > first!.created_at).toBe(true);
  const pageOf = async (more: object) =>
    harness.call(listWebhookDeliveries, { webhook_endpoint_id: endpoint.id, limit: 1, ...more }, { principal: owner });
  const page = await pageOf({});
  expect(page.items).toEqual([last]);
  expect((await pageOf({ cursor: page.pagination.next_cursor! })).items).toEqual([first]);
});

it('deliveries are listed by their ids, and by when they changed', async () => {
  const owner = aPrincipal();
  const endpoint = await endpointTo(owner, await aReceiver());
  await publish(harness, aHistory(2, { audience: [owner.accountId] }));
  const [newest, oldest] = await ended(owner, endpoint, 'succeeded', 2);
  expect(newest!.updated_at >= newest!.attempts[0]!.at).toBe(true);
  const idsOf = async (filters: object) => {
    const input = { webhook_endpoint_id: endpoint.id, ...filters };
    return (await harness.call(listWebhookDeliveries, input, { principal: owner })).items.map(({ id }) => id);
  };
  expect(await idsOf({ ids: `${oldest!.id},${newId('dlv')}` })).toEqual([oldest!.id]);
  await rows().updateOne({ _id: oldest!.id }, { $set: { updatedAt: new Date(0) } });
  expect(await idsOf({ updated_from: newest!.updated_at })).toEqual([newest!.id]);
  expect(await idsOf({ updated_to: newest!.updated_at })).toEqual([oldest!.id]);
  const reversed = idsOf({ updated_from: '2027-03-02', updated_to: '2027-03-01' });
  expect((await rejectionOf(reversed)).reason).toBe('range_reversed');
});

it('deliveries are listed although what a receiver answered to one of them cannot be decrypted', async () => {
  const owner = aPrincipal();
  const receiver = await aReceiver();
  const endpoint = await endpointTo(owner, receiver);
  await publish(harness, aHistory(2, { audience: [owner.accountId] }));
  const [newest, oldest] = await ended(owner, endpoint, 'succeeded', 2);
  await rows().updateOne({ _id: newest!.id }, { $set: { 'attempts.0.response': Buffer.from('no ciphertext') } });
  const bodies = (await deliveriesOf(owner, endpoint)).map(({ id, attempts }) => [id, attempts[0]!.response_body]);
  expect(bodies).toEqual([
    [newest!.id, null],
    [oldest!.id, 'ok'],
  ]);
});
