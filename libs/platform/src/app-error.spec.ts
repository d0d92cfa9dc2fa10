import { describe, expect, it } from '@jest/globals';
import { type ErrorBody, REASONS, type Reason } from '@swim/contracts';
import { AppError, isServerFault } from './app-error.js';

const reasons = Object.keys(REASONS) as Reason[];
const acrossTheBus = (error: AppError): ErrorBody => JSON.parse(JSON.stringify(error.toBody()));

describe('an application error', () => {
  it('has the code and the words of its reason', () => {
    for (const reason of reasons) {
      expect(new AppError(reason)).toMatchObject({ ...REASONS[reason], reason, details: { reason } });
    }
  });

  it('says what it was told: field, message, further details', () => {
    const error = new AppError('instructor_busy', {
      field: 'date',
      message: 'Busy.',
      details: { suggestions: ['soon'] },
    });
    expect(error.toBody()).toEqual({
      code: 'CONFLICT',
      message: 'Busy.',
      details: { field: 'date', reason: 'instructor_busy', suggestions: ['soon'] },
    });
  });

  it('lists the field of a validation problem among its errors, as the contract has it', () => {
    expect(new AppError('in_past', { field: 'date' }).details).toEqual({
      field: 'date',
      reason: 'in_past',
      errors: [{ field: 'date', reason: 'in_past' }],
    });
  });

  it('keeps its cause to itself', () => {
    const error = new AppError('internal', { cause: new Error('secret') });
    expect(error.cause).toBeInstanceOf(Error);
    expect(JSON.stringify(error.toBody())).not.toContain('secret');
  });

  it('arrives across the bus as it left', () => {
    for (const reason of reasons) {
      const sent = new AppError(reason, { field: 'date', message: 'So.', details: { more: [1, { deep: null }] } });
      const arrived = AppError.fromBody(acrossTheBus(sent), 7);
      expect(arrived).toBeInstanceOf(AppError);
      expect(arrived.reason).toBe(reason);
      expect(arrived.retryAfterSeconds).toBe(7);
      expect(arrived.toBody()).toEqual(sent.toBody());
    }
  });

  it('of a reason that only a newer process knows keeps its code and details', () => {
    const body: ErrorBody = { code: 'CONFLICT', message: 'New.', details: { reason: 'from_next_year', detail: 1 } };
    const arrived = AppError.fromBody(body);
    expect(arrived.toBody()).toEqual(body);
    expect(isServerFault(arrived)).toBe(false);
  });
});

describe('a fault of the service', () => {
  it('is every SERVER_ERROR and whatever is no application error', () => {
    const faults = reasons.filter((reason) => isServerFault(new AppError(reason)));
    expect(faults).toEqual(reasons.filter((reason) => REASONS[reason].code === 'SERVER_ERROR'));
    for (const thrown of [new Error('x'), 'x', null, undefined]) expect(isServerFault(thrown)).toBe(true);
  });
});
