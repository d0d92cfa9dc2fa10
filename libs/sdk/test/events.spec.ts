import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AuthorizationError, EventsTruncatedError } from '../src/index.js';
import { data, FakeApi, failure, hangUp, type Step } from './fake-api.js';

const api = new FakeApi();
beforeAll(() => api.start());
afterAll(() => api.stop());

const event = (sequence: number, type = 'booking.created') => ({ id: `evt_${sequence}`, type, sequence });
const frame = (sequence: number, type?: string) =>
  `id: ${sequence}\ndata: ${JSON.stringify(event(sequence, type))}\n\n`;
const stream = (...parts: string[]): Step => {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const part of parts) response.write(part);
    response.end();
  };
};
const page = (sequences: number[], hasMore = false) =>
  data(
    sequences.map((sequence) => event(sequence)),
    { pagination: { has_more: hasMore, next_cursor: hasMore ? 'x' : null, total: sequences.length } },
  );
const paths = () => api.received.map(({ url, headers }) => `${url} ${headers['last-event-id'] ?? ''}`.trim());

type Options = Parameters<ReturnType<FakeApi['client']>['events']['listen']>[0];

async function first(count: number, options: Options): Promise<number[]> {
  const sequences: number[] = [];
  for await (const { sequence } of api.client({ maxRetries: 0 }).events.listen(options)) {
    sequences.push(sequence);
    if (sequences.length === count) break;
  }
  return sequences;
}

describe('events.listen by stream', () => {
  it('receives each event once and in order, and resumes after the last when the connection ends', async () => {
    api.script(
      stream('retry: 5\nid: 3\n\n', frame(4), frame(5).slice(0, 20)),
      hangUp,
      stream(': keep-alive\n\nretry: 5\n\n', frame(4), frame(5)),
      failure(503, 'SERVER_ERROR', { reason: 'unavailable' }, { 'retry-after': '0' }),
      stream(frame(6)),
    );
    expect(await first(3, { after: 3 })).toEqual([4, 5, 6]);
    expect(paths()).toEqual([
      '/v1/events/stream 3',
      '/v1/events/stream 4',
      '/v1/events/stream 4',
      '/v1/events/stream 5',
      '/v1/events/stream 5',
    ]);
  });

  it('begins after the newest event where no position is given, so that a lost connection loses none', async () => {
    api.script(page([41]), hangUp, stream(frame(42)));
    expect(await first(1, {})).toEqual([42]);
    expect(paths()).toEqual(['/v1/events?limit=1', '/v1/events/stream 41', '/v1/events/stream 41']);
  });

  it('leaves out other types', async () => {
    api.script(stream(frame(1, 'booking.created'), frame(2, 'booking.cancelled')));
    expect(await first(1, { after: 0, types: ['booking.cancelled'] })).toEqual([2]);
  });

  it('throws when events after its position are no longer kept', async () => {
    api.script(stream('id: 8\nevent: truncated\ndata: {"first_sequence":9}\n\n', frame(9)));
    const listening = first(1, { after: 3 });
    await expect(listening).rejects.toBeInstanceOf(EventsTruncatedError);
    await expect(listening).rejects.toMatchObject({ after: 3 });
  });

  it('throws an error that stays, and the reason of its signal', async () => {
    api.script(failure(403, 'AUTHORIZATION_ERROR', { reason: 'missing_scope' }));
    await expect(first(1, { after: 0 })).rejects.toBeInstanceOf(AuthorizationError);
    const abort = new AbortController();
    api.script((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      setTimeout(() => abort.abort(new Error('enough')), 20);
    });
    await expect(first(1, { after: 0, signal: abort.signal })).rejects.toThrow('enough');
  });

  it('closes its connection when the loop is left', async () => {
    let closed: Promise<unknown> = Promise.resolve();
    api.script((response) => {
      closed = new Promise((resolve) => response.on('close', resolve));
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(frame(1));
    });
    expect(await first(1, { after: 0 })).toEqual([1]);
    await closed;
  });
});

describe('events.listen by polling', () => {
  it('is used where the API has no stream, from the same position', async () => {
    api.script(failure(404, 'NOT_FOUND', { reason: 'resource_not_found' }), page([8, 9], true), page([10]));
    expect(await first(3, { after: 7, pollIntervalMs: 5 })).toEqual([8, 9, 10]);
    expect(paths().slice(1)).toEqual([
      '/v1/events?after_sequence=7&limit=100',
      '/v1/events?after_sequence=9&limit=100',
    ]);
  });

  it('requests again after an interval, and throws when events are no longer kept', async () => {
    api.script(page([]), page([1]), page([5]));
    const sequences: number[] = [];
    const listening = async () => {
      for await (const { sequence } of api.client().events.listen({ mode: 'poll', after: 0, pollIntervalMs: 5 }))
        sequences.push(sequence);
    };
    await expect(listening()).rejects.toBeInstanceOf(EventsTruncatedError);
    expect(sequences).toEqual([1]);
  });
});
