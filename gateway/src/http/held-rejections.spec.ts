import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { HeldRejections } from './held-rejections.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

class FakeResponse extends EventEmitter {
  destroyed = false;
}

function start() {
  const rejections = new HeldRejections();
  const hold = (response = new FakeResponse()) => {
    const answer = jest.fn();
    rejections.hold(response as unknown as ServerResponse, answer);
    return { response, answer };
  };
  return { rejections, hold };
}

describe('a rejection for overload', () => {
  it('is sent once, after a quarter of a second', () => {
    const { response, answer } = start().hold();
    jest.advanceTimersByTime(249);
    expect(answer).not.toHaveBeenCalled();
    jest.advanceTimersByTime(1);
    response.emit('close');
    jest.advanceTimersByTime(1_000);
    expect(answer).toHaveBeenCalledTimes(1);
    expect(response.listenerCount('close')).toBe(0);
  });

  it('is sent at once while 512 are held back, and held back again once one of them is sent', () => {
    const { hold } = start();
    const held = Array.from({ length: 512 }, () => hold());
    expect(hold().answer).toHaveBeenCalledTimes(1);
    expect(held.some(({ answer }) => answer.mock.calls.length > 0)).toBe(false);
    expect(jest.getTimerCount()).toBe(512);
    held[0]!.response.emit('close');
    expect(hold().answer).not.toHaveBeenCalled();
  });

  it('frees its timer and its place when the client closes the connection, and is counted then', () => {
    const { response, answer } = start().hold();
    response.emit('close');
    expect(answer).toHaveBeenCalledTimes(1);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('is not held back for a client that has already gone', () => {
    const gone = new FakeResponse();
    gone.destroyed = true;
    expect(start().hold(gone).answer).toHaveBeenCalledTimes(1);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('is sent when the gateway stops, and never held back afterwards', () => {
    const { rejections, hold } = start();
    const held = [hold(), hold()];
    rejections.stop();
    expect(held.map(({ answer }) => answer.mock.calls.length)).toEqual([1, 1]);
    expect(hold().answer).toHaveBeenCalledTimes(1);
    expect(jest.getTimerCount()).toBe(0);
  });
});
