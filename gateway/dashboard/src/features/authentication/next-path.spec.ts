import { describe, expect, it } from '@jest/globals';
import { nextPath, tokenIn } from './next-path.ts';

describe('the path after a sign-in', () => {
  it.each(['/sandbox/calendar', '/live/developers/webhooks/whe_1', '/live/bookings?status=pending'])(
    'is the requested one: %s',
    (path) => {
      expect(nextPath(`?next=${encodeURIComponent(path)}`)).toBe(path);
    },
  );

  it.each([
    '',
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '~//evil.example',
    'javascript:alert(1)',
    '/@x:y',
  ])('is the start instead of %p', (path) => {
    expect(nextPath(`?next=${encodeURIComponent(path)}`)).toBe('/');
  });

  it('is the start without one', () => {
    expect(nextPath('')).toBe('/');
  });
});

describe('the token of a link', () => {
  it('is read from the fragment', () => {
    expect(tokenIn('#token=abc-_1')).toBe('abc-_1');
    expect(tokenIn('')).toBe('');
  });
});
