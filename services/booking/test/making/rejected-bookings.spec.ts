import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AppError, newId } from '@swim/platform';
import { rejectionOf } from '@swim/testing';
import { type BookingFixture, familyIn, startFixture, times } from '../harness.js';

let fixture: BookingFixture;
beforeAll(async () => {
  fixture = await startFixture();
});
beforeEach(() => fixture.calendar.calm());
afterAll(() => fixture.stop());

const { create, listed, storedFor, draftsFor } = familyIn(() => fixture);

describe('a booking rejected by scheduling', () => {
  const reject = (...rejection: ConstructorParameters<typeof AppError>) =>
    fixture.calendar.disturb('claim', {
      before: () => {
        throw new AppError(...rejection);
      },
    });

  it('is rejected as retryable while another claim of the time is in progress, and the same key then books', async () => {
    reject('busy_retry', { retryAfterSeconds: 1 });
    const [input, options] = [fixture.bookingInput(), { idempotencyKey: newId('req') }];
    const error = await rejectionOf(create(input, options));
    expect(error).toMatchObject({ code: 'SERVER_ERROR', reason: 'busy_retry', retryAfterSeconds: 1 });
    fixture.calendar.calm();
    expect(await listed(input)).toEqual([]);
    expect((await create(input, options)).status).toBe('confirmed');
  });

  it('is rejected for an unknown pool with the name of the field, and never visible', async () => {
    reject('not_found', { field: 'location.pool_id' });
    const input = fixture.bookingInput({ location: { type: 'pool', pool_id: newId('pool') } });
    const error = await rejectionOf(create(input));
    expect(error).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { reason: 'not_found', field: 'location.pool_id' },
    });
    expect([await storedFor(input), await draftsFor(input)]).toEqual([[], []]);
    const rejected = (await fixture.allDrafts()).filter(({ rejection }) => String(rejection).includes('pool_id'));
    expect(rejected).toMatchObject([{ state: 'failed' }]);
  });

  it('returns the same to the same key, also after the time has become free', async () => {
    const taken = await create(fixture.bookingInput({ sessions: times(3) }));
    const input = fixture.bookingInput({ instructor_id: taken.instructor_id, sessions: times(3) });
    const options = { idempotencyKey: newId('req') };
    const first = await rejectionOf(create(input, options));
    fixture.calendar.claims.delete(taken.id);
    const second = await rejectionOf(create(input, options));
    expect(second.toBody()).toEqual(first.toBody());
  });
});
