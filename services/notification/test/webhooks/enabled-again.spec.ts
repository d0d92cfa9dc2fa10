import { expect, it } from '@jest/globals';
import { pingWebhookEndpoint, updateWebhookEndpoint } from '@swim/contracts';
import { aPrincipal, partOf, until } from '@swim/testing';
import { WebhookTargetsService } from '../../src/webhook-endpoints/webhook-targets.service.js';
import { anEvent, publish } from '../bus.js';
import { aReceiver, deliveriesOf, endpointTo, harness, service } from './webhooks-harness.js';

it('a ping and an event right after an endpoint was enabled again are delivered', async () => {
  const owner = aPrincipal();
  const endpoint = await endpointTo(owner, await aReceiver());
  const change = (enabled: boolean) =>
    harness.call(
      updateWebhookEndpoint,
      { webhook_endpoint_id: endpoint.id, changes: { enabled } },
      { principal: owner },
    );
  await change(false);
  // As a retry that falls due while the endpoint is disabled.
  const targets = partOf(service, WebhookTargetsService);
  expect(await targets.find(endpoint.id)).toMatchObject({ enabled: false });
  await change(true);
  await harness.call(pingWebhookEndpoint, { webhook_endpoint_id: endpoint.id }, { principal: owner });
  await publish(harness, [anEvent({ audience: [owner.accountId] })]);
  const deliveries = await until(async () => {
    const found = await deliveriesOf(owner, endpoint);
    return found.length === 2 && found.every(({ status }) => status !== 'pending') ? found : null;
  }, 'both have ended');
  expect(deliveries.map(({ status }) => status)).toEqual(['succeeded', 'succeeded']);
});
