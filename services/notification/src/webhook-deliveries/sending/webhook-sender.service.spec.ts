import { createSecretKey } from 'node:crypto';
import diagnostics from 'node:diagnostics_channel';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import type { Config } from '../../config.js';
import { TargetGuard } from '../../webhook-endpoints/target-guard.service.js';
import { WebhookSenderService } from './webhook-sender.service.js';

let server: http.Server;
let answer: (response: http.ServerResponse) => void;
let received: Promise<void>;
let sender: WebhookSenderService;

beforeEach(async () => {
  const request = Promise.withResolvers<void>();
  received = request.promise;
  // By default it never answers.
  answer = () => undefined;
  server = http.createServer((_, response) => {
    answer(response);
    request.resolve();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'performance', 'Date'] });
  sender = new WebhookSenderService(new TargetGuard({ WEBHOOK_ALLOW_PRIVATE: true } as Config), null);
});

afterEach(() => {
  jest.useRealTimers();
  sender.onApplicationShutdown();
  server.closeAllConnections();
  server.close();
});

/** Resolves once the status and the first bytes of an answer have been read. */
async function begunAnswer(): Promise<void> {
  const begun = Promise.withResolvers<void>();
  const listener = () => begun.resolve();
  diagnostics.subscribe('http.client.response.finish', listener);
  await begun.promise;
  diagnostics.unsubscribe('http.client.response.finish', listener);
  // The body comes in the same segment as the status.
  await new Promise((resolve) => setImmediate(resolve));
}

const send = (signal?: AbortSignal) =>
  sender.send(
    {
      env: 'test',
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
      id: 'evt_1',
      signingKeys: [createSecretKey(Buffer.alloc(24, 1))],
      body: '{}',
      traceparent: null,
      now: new Date(),
    },
    signal,
  );

it('a try of a webhook without an answer ends after 15 seconds', async () => {
  const sent = send();
  await received;
  jest.advanceTimersByTime(14_999);
  expect(jest.getTimerCount()).toBe(1);
  jest.advanceTimersByTime(1);
  expect(await sent).toMatchObject({ statusCode: null, body: null, error: 'No answer came within 15 seconds.' });
});

it('a try of a webhook whose headers come bit by bit ends after 15 seconds', async () => {
  answer = ({ socket }) => void socket!.write('HTTP/1.1 200 OK\r\nx-first: 1\r\nx-sec');
  const sent = send();
  await received;
  jest.advanceTimersByTime(15_000);
  expect(await sent).toMatchObject({ statusCode: null, body: null, error: 'No answer came within 15 seconds.' });
});

it('a try of a webhook whose answer comes bit by bit ends after 15 seconds with its status and what has come', async () => {
  answer = (response) => void response.writeHead(200).write('first bit');
  const sent = send();
  await begunAnswer();
  jest.advanceTimersByTime(15_000);
  expect(await sent).toMatchObject({ statusCode: 200, body: 'first bit', error: null });
});

it('a try of a webhook whose connection is reset amid the answer has its status and what has come', async () => {
  const reset = Promise.withResolvers<http.ServerResponse>();
  answer = (response) => {
    response.writeHead(202).write('first bit');
    reset.resolve(response);
  };
  const sent = send();
  await begunAnswer();
  (await reset.promise).socket!.resetAndDestroy();
  expect(await sent).toMatchObject({ statusCode: 202, body: 'first bit', error: null });
});

it('a try of a webhook that its caller ends has another error than one without an answer, and leaves no timer', async () => {
  const caller = new AbortController();
  const sent = send(caller.signal);
  await received;
  caller.abort();
  expect(await sent).toMatchObject({ statusCode: null, body: null, error: 'The request failed (ABORT_ERR).' });
  expect(jest.getTimerCount()).toBe(0);
});
