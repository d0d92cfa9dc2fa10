import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AppError, newId } from '@swim/platform';
import { refusalOfCall } from '@swim/testing';
import { familyIn, startWorld, times, type World } from './booking-world.js';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
beforeEach(() => world.calendar.calm());
afterAll(() => world.stop());

const { create, listed, storedFor } = familyIn(() => world);

describe('a booking refused by scheduling', () => {
  const refuse = (...refusal: ConstructorParameters<typeof AppError>) =>
    world.calendar.disturb('claim', {
      before: () => {
        throw new AppError(...refusal);
      },
    });

  it('because others are claiming the time is told to try again, and the same key then books', async () => {
    refuse('busy_retry', { retryAfterSeconds: 1 });
    const [wanted, caller] = [world.wanted(), { idempotencyKey: newId('req') }];
    const error = await refusalOfCall(create(wanted, caller));
    expect(error).toMatchObject({ code: 'SERVER_ERROR', reason: 'busy_retry', retryAfterSeconds: 1 });
    world.calendar.calm();
    expect(await listed(wanted)).toEqual([]);
    expect((await create(wanted, caller)).status).toBe('confirmed');
  });

  it('for a pool that is not there is refused with the name of that field, and never seen', async () => {
    refuse('not_found', { field: 'location.pool_id' });
    const wanted = world.wanted({ location: { type: 'pool', pool_id: newId('pool') } });
    const error = await refusalOfCall(create(wanted));
    expect(error).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { reason: 'not_found', field: 'location.pool_id' },
    });
    expect((await storedFor(wanted))[0]).toMatchObject({ status: 'failed', readers: [] });
  });

  it('answers the same to the same key, also when the time has come free since', async () => {
    const taken = await create(world.wanted({ sessions: times(3) }));
    const wanted = world.wanted({ instructor_id: taken.instructor_id, sessions: times(3) });
    const caller = { idempotencyKey: newId('req') };
    const first = await refusalOfCall(create(wanted, caller));
    world.calendar.claims.delete(taken.id);
    const second = await refusalOfCall(create(wanted, caller));
    expect(second.toBody()).toEqual(first.toBody());
  });
});
