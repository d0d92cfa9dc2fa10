import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@swim/platform';
import { partOf } from '@swim/testing';
import { ClaimsRepository } from '../../src/calendar/claims.repository.js';
import { type SchedulingHarness, startScheduling } from '../harness.js';

const MINUTE_MS = 60_000;

let scheduling: SchedulingHarness;
let claims: ClaimsRepository;
beforeAll(async () => {
  scheduling = await startScheduling();
  claims = partOf(scheduling.service, ClaimsRepository);
});
afterAll(() => scheduling?.stop());

const aClaim = (leaseMs: number) => claims.insertTaking({ key: newId('bkg'), elements: [] }, leaseMs);
const stateOf = async (id: string) => (await claims.findById(id))?.state;

describe('the time of a claim', () => {
  it('ends by the database’s clock alone, whatever a replica’s clock shows', async () => {
    const [taking, held] = [await aClaim(MINUTE_MS), await aClaim(MINUTE_MS)];
    expect(await claims.markHeld(held, MINUTE_MS)).toBe(true);
    for (const { _id } of [taking, held]) expect(await claims.markLapsed(_id)).toBe(false);
    expect([await stateOf(taking._id), await stateOf(held._id)]).toEqual(['taking', 'held']);
  });

  it('ends exactly once', async () => {
    const { _id, key } = await aClaim(MINUTE_MS);
    // It has expired, but is not due for recovery yet.
    const stored = scheduling.harness.database('scheduling_test').collection<{ _id: string }>('claims');
    await stored.updateOne({ _id }, { $set: { until: new Date(Date.now() - MINUTE_MS) } });
    const tries = await Promise.all([1, 2, 3].map(() => claims.markLapsed(_id)));
    expect(tries.filter((did) => did)).toHaveLength(1);
    expect(await claims.markConfirmed({ _id, key })).toBe(false);
    expect(await claims.markHeld({ _id }, MINUTE_MS)).toBe(false);
  });

  it('does not end once it is confirmed', async () => {
    const { _id, key } = await aClaim(MINUTE_MS);
    expect(await claims.markConfirmed({ _id, key })).toBe(true);
    expect(await claims.markLapsed(_id)).toBe(false);
    expect(await stateOf(_id)).toBe('confirmed');
  });
});
