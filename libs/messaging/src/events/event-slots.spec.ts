import { describe, expect, it } from '@jest/globals';
import { EventSlots } from './event-slots.js';

/**
 * Takes slots and records the name of each admitted message, and of each rejected one with a `!`. `end` ends an
 * admitted event.
 */
const taker = (slots: EventSlots) => {
  const admitted: string[] = [];
  const running: (() => void)[] = [];
  const take = (name: string, count: number) =>
    void slots.take(count).then((isAdmitted) => {
      admitted.push(isAdmitted ? name : `${name}!`);
      for (let event = 0; isAdmitted && event < count; event++)
        void slots.run(() => new Promise((end) => running.push(end)));
    });
  return { admitted, take, end: () => running.shift()!() };
};
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('slots of events', () => {
  it('admit messages up to the bound, and the next one when enough events are handled', async () => {
    const slots = new EventSlots(4);
    const { admitted, take, end } = taker(slots);
    take('a', 2);
    take('b', 2);
    take('c', 2);
    await settled();
    expect(admitted).toEqual(['a', 'b']);
    end();
    await settled();
    expect(admitted).toEqual(['a', 'b']);
    end();
    await settled();
    expect(admitted).toEqual(['a', 'b', 'c']);
  });

  it('admit messages in their order, also one that would fit before another', async () => {
    const slots = new EventSlots(4);
    const { admitted, take, end } = taker(slots);
    take('a', 3);
    take('b', 4);
    take('c', 1);
    await settled();
    expect(admitted).toEqual(['a']);
    for (let event = 0; event < 3; event++) end();
    await settled();
    expect(admitted).toEqual(['a', 'b']);
  });

  it('admit a message that exceeds the bound while nothing else is handled', async () => {
    const slots = new EventSlots(4);
    const { admitted, take, end } = taker(slots);
    take('a', 1);
    take('b', 9);
    await settled();
    expect(admitted).toEqual(['a']);
    end();
    await settled();
    expect(admitted).toEqual(['a', 'b']);
  });

  it('admit a message without events at once', async () => {
    const slots = new EventSlots(1);
    const { admitted, take } = taker(slots);
    take('a', 1);
    take('b', 0);
    await settled();
    expect(admitted).toEqual(['a', 'b']);
  });

  it('that are closed turn away those that wait, and those that come', async () => {
    const slots = new EventSlots(1);
    const { admitted, take } = taker(slots);
    take('a', 1);
    take('b', 1);
    slots.close();
    take('c', 1);
    await settled();
    expect(admitted).toEqual(['a', 'b!', 'c!']);
  });
});
