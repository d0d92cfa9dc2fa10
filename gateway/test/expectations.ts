import { expect } from '@jest/globals';
import { BOUND_NAMES, ERROR_CODES, type FieldError } from '@swim/contracts';
import type { Answered } from './harness.js';

/** What must be true of every answer with a body, whatever it is. */
export function expectSound(answer: Answered, isSuccess: boolean): void {
  const meta = {
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    request_id: expect.any(String),
  };
  expect({ text: answer.text, body: answer.body }).toMatchObject({ body: { success: isSuccess, meta } });
  expect(answer.headers.get('x-request-id')).toBe(answer.body.meta.request_id);
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  expect(answer.headers.get('x-powered-by')).toBeNull();
  expect(answer.headers.get('etag')).toBeNull();
}

/** Whether the entry names a field, and says what is wrong with it and what would be right (contract, HTTP). */
const isComplete = (entry: FieldError): boolean =>
  [entry.field, entry.reason, entry.message].every((text) => typeof text === 'string' && text !== '') &&
  BOUND_NAMES.some((name) => entry[name] !== undefined);

/** An error: its status, reason and, for bad input, field with what would be right, in a sound envelope of one of the seven codes. */
export function expectError(answer: Answered, status: number, reason: string, field?: string): void {
  expect([answer.status, answer.body.error?.details.reason, answer.text]).toEqual([status, reason, answer.text]);
  expectSound(answer, false);
  expect(ERROR_CODES).toContain(answer.body.error.code);
  expect(typeof answer.body.error.message).toBe('string');
  if (status === 400) expect(typeof answer.body.error.details.field).toBe('string');
  if (answer.body.error.code === 'VALIDATION_ERROR') {
    const { errors = [] } = answer.body.error.details;
    expect(errors.length).toBeGreaterThan(0);
    expect(errors.filter((entry) => !isComplete(entry))).toEqual([]);
  }
  if (field !== undefined) expect(answer.body.error.details.field).toBe(field);
  expect(answer.text).not.toMatch(/node_modules|\bat .*\.js|Error:/);
}
