import { describe, expect, it } from '@jest/globals';
import { instantText, otherZone } from './instant-text.ts';

const AT = '2026-12-01T09:00:00Z';
const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

describe('the text of an instant', () => {
  it('has the weekday, and no name of a zone whose clock is the reader’s', () => {
    expect(instantText(AT, 'en-GB', ownZone)).toBe(instantText(AT, 'en-GB'));
    expect(instantText(AT, 'en-GB')).toMatch(/^(?:Mon|Tue|Wed)/);
  });

  it('names a zone whose clock is another one', () => {
    expect(instantText(AT, 'en-GB', 'Pacific/Kiritimati')).toMatch(/^Tue,? 1 Dec 2026, 23:00 GMT\+14$/);
    expect(instantText(AT, 'de-DE', 'Pacific/Pago_Pago')).toMatch(/^Mo., 30. Nov. 2026, 22:00 GMT-11$/);
  });
});

it('names a zone by whose clock times are typed, unless it is the reader’s', () => {
  expect([otherZone(ownZone), otherZone('Pacific/Kiritimati')]).toEqual([undefined, 'Pacific/Kiritimati']);
});
