import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { sharedClock } from './clock.js';
import { Deadline } from './deadline.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

describe('a deadline', () => {
  it('counts down the remaining time', () => {
    const deadline = new Deadline(1_000);
    expect(deadline.remainingMs()).toBe(1_000);
    jest.advanceTimersByTime(400);
    expect(deadline.remainingMs()).toBe(600);
    expect(deadline.expired).toBe(false);
  });

  it('has passed at its end, and from then on', () => {
    const deadline = new Deadline(1_000);
    jest.advanceTimersByTime(1_000);
    expect(deadline.expired).toBe(true);
    jest.advanceTimersByTime(500);
    expect(deadline.remainingMs()).toBe(-500);
  });

  it('with a budget of zero has passed from the start', () => {
    expect(new Deadline(0).expired).toBe(true);
    expect(new Deadline(-1).expired).toBe(true);
  });

  it('is an instant, the same for every process', () => {
    const deadline = new Deadline(1_000);
    expect(deadline.at).toEqual(sharedClock.inMs(1_000));
    jest.advanceTimersByTime(400);
    expect(Deadline.at(deadline.at.getTime()).at).toEqual(deadline.at);
    expect(Deadline.at(deadline.at.getTime()).remainingMs()).toBe(600);
  });

  it('rejects further steps after its end, and not before', () => {
    const deadline = new Deadline(1_000);
    expect(() => deadline.check()).not.toThrow();
    jest.advanceTimersByTime(1_000);
    expect(() => deadline.check()).toThrow(expect.objectContaining({ reason: 'deadline_exceeded' }));
  });

  it('does not depend on changes of the machine’s clock', () => {
    const deadline = new Deadline(1_000);
    jest.setSystemTime(Date.now() + 600_000);
    expect(deadline.remainingMs()).toBe(1_000);
    jest.setSystemTime(Date.now() - 3_600_000);
    expect(deadline.expired).toBe(false);
  });
});
