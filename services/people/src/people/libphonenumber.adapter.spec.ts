import { describe, expect, it } from '@jest/globals';
import { AppError } from '@swim/platform';
import { toE164 } from './libphonenumber.adapter.js';

describe('a phone number', () => {
  it.each([
    ['+14155552671', '+14155552671'],
    ['+1 (415) 555-2671', '+14155552671'],
    ['+44 20 7946 0958', '+442079460958'],
    ['+49 (0)30 901820', '+4930901820'],
  ])('%s is kept as %s', (text, e164) => {
    expect(toE164(text, 'phone')).toBe(e164);
  });

  it.each([
    ['+1234567890', 'phone must be a phone number with 10 digits after +1; this one has 9.'],
    ['+12345678901234', 'phone must be a phone number with 10 digits after +1; this one has 13.'],
    ['+999123456789', expect.stringMatching(/^phone must be a phone number that exists/)],
  ])('%s is rejected with what is wrong with it', (text, message) => {
    expect(() => toE164(text, 'phone')).toThrow(expect.objectContaining({ message }));
  });

  it.each([
    '4155552671',
    '+1',
    '+14',
    '+1415',
    '+999123456789',
    '+',
    'call +14155552671',
    '+14155552671 ext. 5',
    '+1415555267100',
    '+1415555CALL0\0',
    '001 415 555 2671',
  ])('%j is rejected with its field', (text) => {
    const attempt = () => toE164(text, 'emergency_contact.phone');
    expect(attempt).toThrow(AppError);
    expect(attempt).toThrow(
      expect.objectContaining({
        reason: 'invalid_phone',
        details: expect.objectContaining({ field: 'emergency_contact.phone' }),
      }),
    );
  });
});
