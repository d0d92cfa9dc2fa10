import { describe, expect, it } from '@jest/globals';
import { Deadline } from '@swim/platform';
import { type BatchedWrite, BatchQueue } from './batch-queue.js';

interface Write extends BatchedWrite {
  readonly name: string;
  readonly rejected: unknown[];
}

const aWrite = (name: string, { ids = [name], bytes = 1, deadline }: Given = {}): Write => {
  const rejected: unknown[] = [];
  return { name, ids, deadline, rejected, size: () => bytes, reject: (error) => void rejected.push(error) };
};

interface Given {
  ids?: string[];
  bytes?: number;
  deadline?: Deadline;
}

/** A queue whose batches the test ends. */
function aQueue() {
  const sent: { names: string[]; end: (error?: Error) => void }[] = [];
  const queue = new BatchQueue<Write>((batch) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const end = (error?: Error) => (error ? reject(error) : resolve());
    sent.push({ names: batch.map(({ name }) => name), end });
    return promise;
  });
  const add = (...writes: Write[]) => {
    for (const write of writes) queue.add(write);
  };
  return { add, sent, names: () => sent.map((each) => each.names) };
}

const turn = async () => {
  for (let step = 0; step < 3; step++) await new Promise(setImmediate);
};
const numbered = (count: number) => Array.from({ length: count }, (_, n) => aWrite(`${n}`));

describe('writes', () => {
  it('of one turn are one batch; those of later turns gather until it ends', async () => {
    const { add, sent, names } = aQueue();
    add(aWrite('a'), aWrite('b'));
    await turn();
    add(aWrite('c'));
    await turn();
    add(aWrite('d'));
    await turn();
    expect(names()).toEqual([['a', 'b']]);
    sent[0]!.end();
    await turn();
    expect(names()).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
  });

  it('are held up by a slow batch for a second only', async () => {
    const { add, names } = aQueue();
    add(aWrite('a'));
    await turn();
    add(aWrite('b'));
    const beganAtMs = performance.now();
    while (names().length < 2) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(performance.now() - beganAtMs).toBeGreaterThan(900);
    expect(names()).toEqual([['a'], ['b']]);
  });

  it('are at most 64 or a mebibyte in a batch, at least one', async () => {
    const { add, sent, names } = aQueue();
    add(...numbered(65));
    await turn();
    expect(names()[0]).toHaveLength(64);
    add(aWrite('half', { bytes: 600_000 }), aWrite('half too', { bytes: 600_000 }), aWrite('small'));
    sent[0]!.end();
    await turn();
    expect(names()[1]).toEqual(['64', 'half', 'small']);
    add(aWrite('large', { ids: numbered(100).map(({ name }) => name), bytes: 5_000_000 }));
    sent[1]!.end();
    await turn();
    sent[2]!.end();
    await turn();
    expect(names().slice(2)).toEqual([['half too'], ['large']]);
  });

  it('of one document are at most eight in a batch and keep their order, also one of several documents', async () => {
    const { add, sent, names } = aQueue();
    const ofA = Array.from({ length: 8 }, (_, n) => aWrite(`a${n}`, { ids: ['a'] }));
    add(...ofA, aWrite('ab', { ids: ['a', 'b'] }), aWrite('b'), aWrite('c'));
    await turn();
    sent[0]!.end();
    await turn();
    expect(names()).toEqual([
      [...ofA.map(({ name }) => name), 'c'],
      ['ab', 'b'],
    ]);
  });

  it('leave their batch when their deadline has passed before it is sent', async () => {
    const { add, sent, names } = aQueue();
    const late = aWrite('late', { deadline: new Deadline(0) });
    add(aWrite('a'), late, aWrite('b', { deadline: new Deadline(60_000) }));
    await turn();
    expect(names()).toEqual([['a', 'b']]);
    expect(late.rejected).toMatchObject([{ reason: 'deadline_exceeded' }]);
    sent[0]!.end();
    add(aWrite('later', { deadline: new Deadline(0) }));
    await turn();
    add(aWrite('c'));
    await turn();
    expect(names()).toEqual([['a', 'b'], ['c']]);
  });

  it('are all rejected with the error of their batch, and the next batch is sent', async () => {
    const { add, sent, names } = aQueue();
    const writes = [aWrite('a'), aWrite('b')];
    add(...writes);
    await turn();
    add(aWrite('c'));
    const error = new Error('the connection was lost');
    sent[0]!.end(error);
    await turn();
    expect(writes.map(({ rejected }) => rejected)).toEqual([[error], [error]]);
    expect(names()).toEqual([['a', 'b'], ['c']]);
  });
});
