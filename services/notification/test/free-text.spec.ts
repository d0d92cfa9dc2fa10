import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listEvents, type Principal } from '@swim/contracts';
import type { RunningService } from '@swim/messaging';
import { newId } from '@swim/platform';
import { aPrincipal, startHarness, type TestHarness, until } from '@swim/testing';
import { anEvent, publish } from './bus.js';
import { startHere } from './in-process.js';

const CANARY = 'oriolusreason';

let harness: TestHarness;
let service: RunningService | undefined;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(async () => {
  await service?.stop();
  await harness?.stop();
});

const events = () => harness.database('notification_test').collection<{ _id: string; data: string }>('events');
const cancelled = () => ({
  id: newId('ses'),
  status: 'cancelled',
  cancellation: { reason: CANARY, late: false, fee_cents: 0 },
});
const list = async (principal: Principal) =>
  (await harness.call(listEvents, { after_sequence: 0, limit: 100 }, { principal })).items;

/** More than one batch of events as the former release stored them. */
async function storeOfOld(account: string, count: number): Promise<void> {
  const documents = Array.from({ length: count }, (_, index) => {
    const object = cancelled();
    return {
      _id: newId('evt'),
      account,
      readers: [account],
      sequence: index + 1,
      type: 'session.cancelled',
      objectId: object.id,
      n: 2,
      copies: 1,
      timestamp: new Date(),
      data: JSON.stringify({ object, previous_attributes: { status: 'scheduled', cancellation: null } }),
      cause: { requestId: null, idempotencyKey: null, actor: 'system', accountId: account },
    };
  });
  await events().insertMany(documents);
}

describe('the reason of a cancellation', () => {
  it('is removed from events that a former release stored, all of which stay listed under their numbers', async () => {
    const reader = aPrincipal();
    await storeOfOld(reader.accountId, 1_203);
    service = await startHere();
    const left = () => events().countDocuments({ data: { $regex: CANARY } });
    await until(async () => (await left()) === 0, 'the migration has run');
    expect(await events().countDocuments({ account: reader.accountId })).toBe(1_203);
    const listed = await list(reader);
    expect(listed.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
    expect(listed[0]!.data).toEqual({
      object: expect.objectContaining({ status: 'cancelled', cancellation: { late: false, fee_cents: 0 } }),
      previous_attributes: { status: 'scheduled', cancellation: null },
    });
  });

  it('is not stored when a replica of a former release still publishes it', async () => {
    const reader = aPrincipal();
    const object = cancelled();
    await publish(harness, [
      anEvent({ audience: [reader.accountId], type: 'session.cancelled', objectId: object.id, object }),
    ]);
    await until(async () => (await list(reader)).length === 1, 'the event is listed');
    expect(await events().countDocuments({ data: { $regex: CANARY } })).toBe(0);
    expect((await list(reader))[0]!.data.object).toMatchObject({ cancellation: { late: false } });
  });
});
