import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { KEEP_ALIVE } from './event-frames.rules.js';
import { EventStream } from './event-stream.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** A connection that keeps what is written to it; `writableNeedDrain` is set while its client reads nothing. */
class Connection extends EventEmitter {
  written: string[] = [];
  writableNeedDrain = false;

  write(text: string): boolean {
    this.written.push(text);
    return true;
  }

  end(): void {
    this.emit('close');
  }

  get comments(): number {
    return this.written.filter((text) => text === KEEP_ALIVE).length;
  }
}

const nothing = async () => ({ events: [], hasMore: false });

function begin(connection: Connection, after: () => Promise<object> = nothing, noteFault = (_: unknown) => {}) {
  const stream = new EventStream({
    response: connection as unknown as ServerResponse,
    reads: { after } as never,
    reader: {} as never,
    watch: () => ({ close: () => undefined }) as never,
    checkKey: async () => undefined,
    noteFault,
    position: 0,
  });
  return { stream, ended: stream.run() };
}

it('an event stream without events has a comment every 15 seconds', async () => {
  const connection = new Connection();
  const { stream, ended } = begin(connection);
  const counts: number[] = [];
  for (const seconds of [14.9, 0.1, 14.9, 0.1, 30]) {
    await jest.advanceTimersByTimeAsync(seconds * 1_000);
    counts.push(connection.comments);
  }
  stream.close();
  await jest.advanceTimersByTimeAsync(0);
  await ended;
  expect(counts).toEqual([0, 1, 1, 2, 4]);
});

it('an event stream writes no comment while its client reads nothing', async () => {
  const connection = new Connection();
  const { stream, ended } = begin(connection);
  connection.writableNeedDrain = true;
  await jest.advanceTimersByTimeAsync(60_000);
  expect(connection.comments).toBe(0);
  connection.writableNeedDrain = false;
  stream.close();
  await jest.advanceTimersByTimeAsync(0);
  await ended;
});

it('an event stream notes the fault of a read, and reads once more', async () => {
  const connection = new Connection();
  const noted: unknown[] = [];
  const faults = [new Error('a fault')];
  const after = () => (faults.length > noted.length ? Promise.reject(faults[noted.length]) : nothing());
  const { stream, ended } = begin(connection, after, (error) => noted.push(error));
  await jest.advanceTimersByTimeAsync(15_000);
  expect([noted, connection.comments]).toEqual([faults, 1]);
  stream.close();
  await jest.advanceTimersByTimeAsync(0);
  await ended;
});
