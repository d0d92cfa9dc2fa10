import { describe, expect, it } from '@jest/globals';
import { BOUND_NAMES, type ErrorBody, REASONS, type Reason } from '@swim/contracts';
import { AppError, isServerFault } from './app-error.js';

const reasons = Object.keys(REASONS) as Reason[];
const validationReasons = reasons.filter((reason) => REASONS[reason].code === 'VALIDATION_ERROR');
const acrossTheBus = (error: AppError): ErrorBody => JSON.parse(JSON.stringify(error.toBody()));

describe('an application error', () => {
  it('has the code and the message of its reason', () => {
    for (const reason of reasons) {
      expect(new AppError(reason)).toMatchObject({ ...REASONS[reason], reason, details: { reason } });
    }
  });

  it('has its given field, message and further details', () => {
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

  it('lists the field of a validation error among its errors, as in the contract', () => {
    expect(new AppError('in_past', { field: 'date' }).details).toEqual({
      field: 'date',
      reason: 'in_past',
      errors: [
        {
          field: 'date',
          reason: 'in_past',
          message: 'date: This time must be in the future.',
          expected: 'a time in the future',
        },
      ],
    });
  });

  it.each(validationReasons)('states in the entry of the field what would be right: %s', (reason) => {
    const [entry] = new AppError(reason, { field: 'x' }).details.errors!;
    expect(BOUND_NAMES.filter((name) => entry![name] !== undefined)).not.toEqual([]);
  });

  it('states bounds in the entry alone, and an expected value in the message too', () => {
    const error = new AppError('in_past', { field: 'date', bounds: { expected: 'after the lesson', minimum: 3 } });
    const message = 'date must be after the lesson.';
    expect(error.message).toBe(message);
    expect(error.details).toEqual({
      field: 'date',
      reason: 'in_past',
      errors: [{ field: 'date', reason: 'in_past', message, expected: 'after the lesson', minimum: 3 }],
    });
    const own = new AppError('in_past', { field: 'date', message: 'Own.', bounds: { expected: 'after the lesson' } });
    expect(own.details.errors).toEqual([
      { field: 'date', reason: 'in_past', message: 'Own.', expected: 'after the lesson' },
    ]);
  });

  it('names its field although the message has it as part of another word', () => {
    const message = 'name: Text must not contain control characters or unpaired surrogates; names neither';
    expect(new AppError('forbidden_characters', { field: 'name' }).message).toContain(message);
    expect(new AppError('invalid_cursor', { field: 'cursor' }).message).toMatch(/^cursor does not/);
    expect(new AppError('unsupported_media_type', { field: 'Content-Type' }).message).toMatch(/^Send the body/);
  });

  it('states the bounds of a validation error on its field too, and names the whole body where no field is known', () => {
    const message = 'member_ids must have at most 2 items.';
    const error = new AppError('group_too_large', { field: 'member_ids', message, details: { maximum: 2 } });
    expect(error.details.errors).toEqual([{ field: 'member_ids', reason: 'group_too_large', message, maximum: 2 }]);
    expect(new AppError('invalid_body').details.errors).toMatchObject([{ field: 'body' }]);
  });

  it('does not expose its cause', () => {
    const error = new AppError('internal', { cause: new Error('secret') });
    expect(error.cause).toBeInstanceOf(Error);
    expect(JSON.stringify(error.toBody())).not.toContain('secret');
  });

  it('is unchanged after serialization', () => {
    for (const reason of reasons) {
      const sent = new AppError(reason, { field: 'date', message: 'So.', details: { more: [1, { deep: null }] } });
      const arrived = AppError.fromBody(acrossTheBus(sent), 7);
      expect(arrived).toBeInstanceOf(AppError);
      expect(arrived.reason).toBe(reason);
      expect(arrived.retryAfterSeconds).toBe(7);
      expect(arrived.toBody()).toEqual(sent.toBody());
    }
  });

  it('with a reason of a newer release keeps its code and details', () => {
    const body: ErrorBody = { code: 'CONFLICT', message: 'New.', details: { reason: 'from_next_year', detail: 1 } };
    const arrived = AppError.fromBody(body);
    expect(arrived.toBody()).toEqual(body);
    expect(isServerFault(arrived)).toBe(false);
  });
});

describe('a fault of the service', () => {
  it('is every SERVER_ERROR and every other thrown value', () => {
    const faults = reasons.filter((reason) => isServerFault(new AppError(reason)));
    expect(faults).toEqual(reasons.filter((reason) => REASONS[reason].code === 'SERVER_ERROR'));
    for (const thrown of [new Error('x'), 'x', null, undefined]) expect(isServerFault(thrown)).toBe(true);
  });
});
