import { expect, it } from '@jest/globals';
import { inEachEnvironment } from '@swim/platform';
import { aPrincipal, metricValue, until, updateAll } from '@swim/testing';
import { aHistory, publish } from '../bus.js';
import { aReceiver, endpointTo, harness, rows, service } from './webhooks-harness.js';

const HOUR_S = 3_600;

const age = (env: 'live' | 'test') => metricValue('swim_webhook_backlog_age_seconds', { env });

it('the metrics of the backlog count deliveries that wait for their endpoint, and tell since when the oldest does', async () => {
  const owner = aPrincipal();
  const hanging = await aReceiver(() => undefined);
  const endpoint = await endpointTo(owner, hanging);
  await publish(harness, aHistory(100, { audience: [owner.accountId] }));
  const parked = { endpointId: endpoint.id, parked: true, tries: 0 };
  await until(async () => (await rows().countDocuments(parked as object)) > 50, 'deliveries wait for their endpoint');
  await updateAll(rows(), parked, { createdAt: new Date(Date.now() - HOUR_S * 1_000) });
  const { DeliveryClaimsService } = await import('../../src/webhook-deliveries/delivery-claims.service.js');
  const claims = service.app.get(DeliveryClaimsService, { strict: false });
  const isMeasured = async () => {
    await inEachEnvironment(() => claims.measure());
    return (await age('test')) >= HOUR_S;
  };
  await until(isMeasured, 'the age is that of the oldest');
  expect(await age('test')).toBeLessThan(HOUR_S + 60);
  expect(await metricValue('swim_webhook_backlog', { env: 'test' })).toBeGreaterThan(50);
  expect(await age('live')).toBe(0);
});
