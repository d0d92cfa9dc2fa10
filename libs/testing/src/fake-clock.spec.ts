import { describe, expect, it } from '@jest/globals';
import { FakeClock } from './fake-clock.js';

describe('a fake clock', () => {
  it('stands still until it is moved', () => {
    const clock = new FakeClock(new Date('2027-03-01T10:00:00Z'));
    expect(clock.now()).toEqual(clock.now());
    clock.advance(90_000);
    expect(clock.now()).toEqual(new Date('2027-03-01T10:01:30Z'));
    clock.set('2028-01-01T00:00:00Z');
    expect(clock.now()).toEqual(new Date('2028-01-01T00:00:00Z'));
  });

  it('is not moved by who changes the date it gave', () => {
    const clock = new FakeClock(new Date(0));
    clock.now().setFullYear(2000);
    expect(clock.now()).toEqual(new Date(0));
  });
});
