import { describe, expect, it } from '@jest/globals';
import { FakeClock } from './fake-clock.js';

describe('a fake clock', () => {
  it('shows the same time until it is moved', () => {
    const clock = new FakeClock(new Date('2027-03-01T10:00:00Z'));
    expect(clock.now()).toEqual(clock.now());
    clock.advance(90_000);
    expect(clock.now()).toEqual(new Date('2027-03-01T10:01:30Z'));
    clock.set('2028-01-01T00:00:00Z');
    expect(clock.now()).toEqual(new Date('2028-01-01T00:00:00Z'));
  });

  it('does not change when a returned date is changed', () => {
    const clock = new FakeClock(new Date(0));
    clock.now().setFullYear(2000);
    expect(clock.now()).toEqual(new Date(0));
  });
});
