import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type EventSourceOptions, followEvents } from './event-source.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

let server: Server;
afterEach(() => void server.close());

/** Starts a server that gives these answers in turn, and records the Last-Event-ID of each request. */
async function serving(...answers: Answer[]) {
  const positions: (string | undefined)[] = [];
  server = createServer((request, response) => {
    positions.push(request.headers['last-event-id'] as string | undefined);
    answers.shift()?.(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, positions };
}

const streaming =
  (...pieces: string[]): Answer =>
  (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const piece of pieces) response.write(piece);
    response.end();
  };
const failing =
  (status: number, message: string): Answer =>
  (_, response) =>
    void response.writeHead(status).end(JSON.stringify({ error: { message } }));
const eventOf = (id: number) => `id: ${id}\ndata: {"sequence":${id}}\n\n`;

async function follow(count: number, options: Partial<EventSourceOptions> & { baseUrl: string }) {
  const ids: (string | undefined)[] = [];
  for await (const { id } of followEvents({ key: 'k', ...options })) if (ids.push(id) === count) break;
  return ids;
}

describe('events that are followed', () => {
  it('go on after the last one when a connection ends, as soon as the server says', async () => {
    const { baseUrl, positions } = await serving(
      streaming('retry: 20\nid: 7\n\n', eventOf(8), eventOf(9)),
      streaming(eventOf(10).slice(0, 9)),
      streaming(eventOf(10)),
    );
    const waits: number[] = [];
    const opened: string[] = [];
    const options = {
      baseUrl,
      onRetry: (_: string, ms: number) => waits.push(ms),
      onOpen: (id: string) => opened.push(id),
    };
    expect(await follow(3, options)).toEqual(['8', '9', '10']);
    expect(positions).toEqual([undefined, '9', '9']);
    expect(waits).toEqual([20, 20]);
    expect(opened).toEqual(['7', '10']);
  });

  it('begin after the sequence that is given, and go on from there until one has come', async () => {
    const { baseUrl, positions } = await serving(streaming('retry: 20\n\n'), streaming(eventOf(5)));
    expect(await follow(1, { baseUrl, lastEventId: '4' })).toEqual(['5']);
    expect(positions).toEqual(['4', '4']);
  });

  it('are requested again after errors that pass, with growing waits', async () => {
    const { baseUrl } = await serving(
      streaming('retry: 10\nid: 1\n\n'),
      failing(503, 'A part of the service is unavailable.'),
      failing(429, 'The limit is reached.'),
      streaming(eventOf(2)),
    );
    const retries: [string, number][] = [];
    await follow(1, { baseUrl, onRetry: (reason, ms) => retries.push([reason, ms]) });
    expect(retries).toEqual([
      ['the stream has ended', 10],
      ['A part of the service is unavailable.', 10],
      ['The limit is reached.', 20],
    ]);
  });

  it('end with the message of an error that stays', async () => {
    const { baseUrl } = await serving(failing(401, 'This API key has been revoked.'));
    await expect(follow(1, { baseUrl })).rejects.toThrow('This API key has been revoked.');
  });
});
