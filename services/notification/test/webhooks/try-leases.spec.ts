import { beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { inEnvironment, newId } from '@swim/platform';
import { aPrincipal } from '@swim/testing';
import { TryLeasesService } from '../../src/webhook-deliveries/sending/try-leases.service.js';
import { WebhookEndpointsRepository } from '../../src/webhook-endpoints/webhook-endpoints.repository.js';
import { WebhookTargetsService } from '../../src/webhook-endpoints/webhook-targets.service.js';
import { aReceiver, endpointTo, harness, service } from './webhooks-harness.js';

const owner = aPrincipal();
let targets: WebhookTargetsService;
let endpointId: string;
beforeAll(() => {
  targets = service.app.get(WebhookTargetsService, { strict: false });
});
beforeEach(async () => {
  endpointId = (await endpointTo(owner, await aReceiver())).id;
});

/** The leases of a replica. */
const aReplica = () => new TryLeasesService(targets);
const request = (replica: TryLeasesService, needed: number) =>
  inEnvironment('test', () => replica.request(endpointId, needed));
const endpoints = () => harness.database('notification_test').collection<{ _id: string }>('webhook_endpoints');

describe('replicas that lease tries to an endpoint', () => {
  it('get as many as they want, or what the others leave', async () => {
    const [first, second, third] = [aReplica(), aReplica(), aReplica()];
    expect([await request(first, 3), await request(second, 4), await request(third, 1)]).toEqual([3, 1, 0]);
    expect([first, second, third].map((each) => each.countOf(endpointId))).toEqual([3, 1, 0]);
    expect([first, second, third].map((each) => each.allows(endpointId))).toEqual([true, true, false]);
  });

  it('get four together at most, however many request at once', async () => {
    const counts = await Promise.all(Array.from({ length: 12 }, () => request(aReplica(), 4)));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(4);
  });

  it('get more when they want more, with one request at a time', async () => {
    const [first, other] = [aReplica(), aReplica()];
    await request(first, 1);
    expect(await Promise.all([request(first, 2), request(first, 2)])).toEqual([2, 2]);
    expect(await request(other, 1)).toBe(1);
    expect(await request(first, 4)).toBe(3);
    expect(first.mayRequest(endpointId)).toBe(false);
    expect(await request(first, 4)).toBe(3);
  });

  it('get what another one had once its lease has ended by the clock of the database', async () => {
    const [crashed, other] = [aReplica(), aReplica()];
    await request(crashed, 4);
    await endpoints().updateOne({ _id: endpointId }, { $set: { 'tryLeases.0.until': new Date(Date.now() - 1) } });
    expect(await request(other, 4)).toBe(4);
    expect(await request(crashed, 4)).toBe(0);
    expect(crashed.allows(endpointId)).toBe(false);
  });

  it('get what another one has returned', async () => {
    const [leaving, other] = [aReplica(), aReplica()];
    await request(leaving, 4);
    await leaving.end();
    expect(await request(other, 4)).toBe(4);
  });

  it('get none while they were paused so long that another one got them', async () => {
    const [paused, other] = [aReplica(), aReplica()];
    const repository = service.app.get(WebhookEndpointsRepository, { strict: false }) as unknown as {
      view(...of: unknown[]): Promise<unknown>;
    };
    const view = repository.view.bind(repository);
    jest.spyOn(repository, 'view').mockImplementationOnce(async (...of) => {
      await endpoints().updateOne({ _id: endpointId }, { $set: { 'tryLeases.0.until': new Date(Date.now() - 1) } });
      expect(await request(other, 4)).toBe(4);
      return view(...of);
    });
    expect(await request(paused, 4)).toBe(0);
  });

  it('need no lease for an endpoint that is gone', async () => {
    endpointId = newId('whe');
    expect(await request(aReplica(), 2)).toBe(2);
  });
});
