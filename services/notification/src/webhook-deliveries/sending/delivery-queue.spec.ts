import { describe, expect, it } from '@jest/globals';
import { type DeliveryJob, DeliveryQueue, type Lane } from './delivery-queue.js';

const LIMITS = {
  inFlightOfEndpoint: 4,
  inFlight: 10,
  slow: 4,
  open: 20,
  waitingOfEndpoint: 6,
  waitingOfSlow: 1,
  waitingOfAllSlow: 10,
  jobs: 30,
};

function aQueue(limits: Partial<typeof LIMITS> = {}, allowed = new Map<string, number>()) {
  const short: [string, number][] = [];
  const queue = new DeliveryQueue(
    { ...LIMITS, ...limits },
    {
      countOf: (endpointId) => allowed.get(endpointId) ?? LIMITS.inFlightOfEndpoint,
      onShort: (_, endpointId, needed) => short.push([endpointId, needed]),
    },
  );
  // Each endpoint is of an account of its own, unless its name says otherwise: `a/1`, `a/2`.
  const add = (endpointId: string, count: number, lane: Lane = 'fresh', prefix = 'job') => {
    const accountId = endpointId.split('/')[0]!;
    for (let at = 0; at < count; at++) queue.add({ accountId, endpointId, id: `${prefix}${at}` } as DeliveryJob, lane);
  };
  const startAll = () => {
    const started: DeliveryJob[] = [];
    for (let job = queue.start(); job; job = queue.start()) started.push(job);
    return started;
  };
  return { queue, add, startAll, short };
}

describe('the queue of deliveries', () => {
  it('gives endpoints turns, with a bounded number in progress each', () => {
    const { add, startAll } = aQueue();
    add('a', 6);
    add('b', 2);
    expect(startAll().map(({ endpointId }) => endpointId)).toEqual(['a', 'b', 'a', 'b', 'a', 'a']);
  });

  it('gives accounts turns, and their endpoints within them', () => {
    const { add, startAll } = aQueue({ inFlight: 6 });
    for (const endpoint of ['a/1', 'a/2', 'a/3']) add(endpoint, 2);
    add('b/1', 4);
    expect(startAll().map(({ endpointId }) => endpointId)).toEqual(['a/1', 'b/1', 'a/2', 'b/1', 'a/3', 'b/1']);
  });

  it('starts no more than the bound of all, and the next when one has ended', () => {
    const { queue, add, startAll } = aQueue({ inFlight: 3 });
    for (const endpoint of ['a', 'b', 'c', 'd']) add(endpoint, 1);
    const started = startAll();
    expect(started).toHaveLength(3);
    expect(queue.inFlight).toBe(3);
    queue.end(started[0]!);
    expect(startAll().map(({ endpointId }) => endpointId)).toEqual(['d']);
  });

  it('starts new events before those that have waited, each in order', () => {
    const { add, startAll } = aQueue();
    add('a', 2, 'backlog', 'old');
    add('a', 2, 'fresh', 'new');
    expect(startAll().map(({ id }) => id)).toEqual(['new0', 'new1', 'old0', 'old1']);
  });

  it('accepts a number of each endpoint and lane, and of all until they are released', () => {
    const { queue, add, startAll } = aQueue({ jobs: 8 });
    expect(queue.capacity('a', 'fresh')).toBe(6);
    add('a', 6);
    expect(queue.capacity('a', 'fresh')).toBe(0);
    expect(queue.capacity('a', 'backlog')).toBe(2);
    const started = startAll();
    expect(queue.capacity('a', 'fresh')).toBe(2);
    for (const job of started) queue.end(job);
    queue.release(started.length);
    expect(queue.size).toBe(2);
    expect(queue.capacity('b', 'fresh')).toBe(6);
  });

  it('starts others in place of slow tries, however many endpoints hang', () => {
    const { queue, add, startAll } = aQueue();
    for (const endpoint of ['a', 'b', 'c']) add(endpoint, 4);
    const hanging = startAll();
    expect(hanging).toHaveLength(10);
    add('healthy', 4);
    expect(startAll()).toEqual([]);
    for (const job of hanging) queue.markSlow(job);
    expect(startAll().map(({ endpointId }) => endpointId)).toEqual(Array(4).fill('healthy'));
  });

  it('starts slow endpoints up to a bound of their own, until one answers quickly', () => {
    const { queue, add, startAll } = aQueue();
    add('a', 4);
    const [first, ...others] = startAll();
    for (const job of [first!, ...others]) queue.markSlow(job);
    for (const job of [first!, ...others]) queue.end(job);
    add('a', 6);
    add('b', 1);
    expect(startAll().map(({ endpointId }) => endpointId)).toEqual(['b', 'a', 'a', 'a', 'a']);
    queue.markQuick('a');
    expect(queue.capacity('a', 'fresh')).toBe(4);
  });

  it('gives back what waits behind a slow try beyond a bound, and has little capacity for more', () => {
    const { queue, add, startAll } = aQueue();
    add('a', 6);
    add('a', 3, 'backlog', 'old');
    const [hanging] = startAll();
    const surplus = queue.markSlow(hanging!);
    expect(surplus.map(({ id }) => id)).toEqual(['job5', 'old1', 'old2']);
    queue.release(surplus.length);
    expect(queue.size).toBe(6);
    expect(queue.capacity('a', 'fresh')).toBe(0);
    expect(queue.capacityForMany('b', 'backlog')).toBe(6);
    add('b', 4, 'backlog');
    expect(queue.capacityForMany('b', 'backlog')).toBe(0);
    expect(queue.capacity('b', 'backlog')).toBe(2);
  });

  it('leaves memory for others, however many endpoints are slow', () => {
    const { queue, add, startAll } = aQueue({ inFlight: 20, waitingOfSlow: 4, waitingOfAllSlow: 5 });
    add('a', 5);
    add('b', 5);
    for (const job of startAll()) queue.release(queue.markSlow(job).length);
    expect([queue.capacity('a', 'fresh'), queue.capacity('a', 'backlog')]).toEqual([3, 3]);
    add('a', 3);
    expect(['a', 'b'].map((id) => queue.capacity(id, 'fresh'))).toEqual([0, 0]);
    expect(queue.capacity('c', 'fresh')).toBe(6);
    queue.markQuick('a');
    expect(queue.capacity('b', 'fresh')).toBe(3);
    queue.drain();
    expect(queue.capacity('b', 'fresh')).toBe(4);
  });

  it('takes what there is for an endpoint that has nothing in memory', () => {
    const { queue, add } = aQueue({ jobs: 7 });
    add('a', 6);
    expect(queue.capacityForMany('b', 'backlog')).toBe(1);
    add('b', 1);
    expect(queue.capacityForMany('b', 'backlog')).toBe(0);
  });

  it('starts no more than the bound of open tries, slow or not', () => {
    const { queue, add, startAll } = aQueue({ open: 5 });
    add('a', 4);
    for (const job of startAll()) queue.markSlow(job);
    add('b', 4);
    expect(startAll()).toHaveLength(1);
  });

  it('starts no more tries to an endpoint than it is allowed, and reports how many it needs', () => {
    const allowed = new Map([['a', 1]]);
    const { queue, add, startAll, short } = aQueue({}, allowed);
    add('a', 6);
    add('b', 1);
    expect(startAll().map(({ endpointId }) => endpointId)).toEqual(['a', 'b']);
    expect(short.at(-1)).toEqual(['a', 4]);
    allowed.set('a', 3);
    expect(queue.applyAllowance('a')).toEqual([]);
    expect(startAll().map(({ endpointId }) => endpointId)).toEqual(['a', 'a']);
  });

  it('gives back what waits for an endpoint that is allowed nothing more, and starts none of it', () => {
    const allowed = new Map([['a', 1]]);
    const { queue, add, startAll } = aQueue({}, allowed);
    add('a', 3);
    const [first] = startAll();
    allowed.set('a', 0);
    expect(queue.applyAllowance('a').map(({ id }) => id)).toEqual(['job1', 'job2']);
    queue.end(first!);
    expect([startAll(), queue.neededOf('a', 2)]).toEqual([[], 2]);
    // What it was allowed ends while it waits for its turn.
    allowed.set('a', 1);
    add('a', 1);
    allowed.set('a', 0);
    expect(startAll()).toEqual([]);
  });

  it('gives back what has not started', () => {
    const { queue, add, startAll } = aQueue();
    add('a', 5);
    add('b', 1, 'backlog');
    startAll();
    expect(queue.drain().map(({ endpointId }) => endpointId)).toEqual(['a']);
    expect(queue.start()).toBeUndefined();
  });
});
