import { describe, expect, it } from '@jest/globals';
import { withoutFreeText } from './free-text.rules.js';

describe('withoutFreeText', () => {
  it('removes notes, comments and the reason of a cancellation, from the object and its former values', () => {
    const payload = { id: 'ses_1', notes: 'x', comment: 'x', cancellation: { reason: 'x', late: true } };
    const bare = { id: 'ses_1', cancellation: { late: true } };
    expect(withoutFreeText({ object: payload, previous_attributes: payload })).toEqual({
      object: bare,
      previous_attributes: bare,
    });
  });

  it('keeps all other fields', () => {
    const data = { object: { id: 'ses_1', cancellation: null, reason: 'a' }, previous_attributes: null };
    expect(withoutFreeText(data)).toEqual(data);
    expect(withoutFreeText({ object: { id: 'bkg_1' }, previous_attributes: { status: 'x' } })).toEqual({
      object: { id: 'bkg_1' },
      previous_attributes: { status: 'x' },
    });
  });
});
