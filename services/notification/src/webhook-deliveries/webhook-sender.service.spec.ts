import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import type { Config } from '../config.js';
import { TargetGuard } from '../webhook-endpoints/target-guard.service.js';
import { WebhookSenderService } from './webhook-sender.service.js';

let server: http.Server;
let received: Promise<void>;
let sender: WebhookSenderService;

// It never answers.
beforeEach(async () => {
  const request = Promise.withResolvers<void>();
  received = request.promise;
  server = http.createServer(() => request.resolve());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'performance', 'Date'] });
  sender = new WebhookSenderService(new TargetGuard({ WEBHOOK_ALLOW_PRIVATE: true } as Config));
});

afterEach(() => {
  jest.useRealTimers();
  sender.onApplicationShutdown();
  server.closeAllConnections();
  server.close();
});

const send = (signal?: AbortSignal) =>
  sender.send(
    {
      env: 'test',
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
      id: 'evt_1',
      secrets: [`whsec_${Buffer.alloc(24, 1).toString('base64')}`],
      body: '{}',
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

it('a try of a webhook that its caller ends has another error than one without an answer, and leaves no timer', async () => {
  const caller = new AbortController();
  const sent = send(caller.signal);
  await received;
  caller.abort();
  expect(await sent).toMatchObject({ statusCode: null, body: null, error: 'The request failed (ABORT_ERR).' });
  expect(jest.getTimerCount()).toBe(0);
});
