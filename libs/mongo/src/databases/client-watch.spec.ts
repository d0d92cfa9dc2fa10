import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createLogger } from '@swim/platform';
import { exitWhenSilent } from './client-watch.js';

const server = { connectionId: 'db:27017', address: 'db:27017' };
const other = { connectionId: 'other:27017', address: 'other:27017' };

let client: EventEmitter;
let exit: jest.SpiedFunction<typeof process.exit>;
let end: () => void;

beforeEach(() => {
  jest.useFakeTimers();
  exit = jest.spyOn(process, 'exit').mockImplementation(() => undefined as never);
  client = new EventEmitter();
  end = exitWhenSilent(client as never, createLogger('tests', 'silent'));
  client.emit('serverHeartbeatStarted', server);
});
afterEach(() => {
  end();
  jest.restoreAllMocks();
  jest.useRealTimers();
});

const pass = (seconds: number) => jest.advanceTimersByTime(seconds * 1_000);

describe('a process whose driver has looked at a server of its database', () => {
  it('ends after 15 s without another heartbeat, even if other servers send heartbeats', () => {
    for (let second = 0; second < 15; second++) {
      client.emit('serverHeartbeatStarted', other);
      pass(1);
    }
    expect(exit).not.toHaveBeenCalled();
    pass(1);
    expect(exit).toHaveBeenCalledWith(1);
  });

  it.each(['serverHeartbeatStarted', 'serverHeartbeatSucceeded', 'serverHeartbeatFailed'])(
    'goes on with %s',
    (event) => {
      for (let beat = 0; beat < 10; beat++) {
        pass(10);
        client.emit(event, server);
      }
      expect(exit).not.toHaveBeenCalled();
    },
  );

  it('goes on when the server is removed, also when its last result arrives afterwards', () => {
    client.emit('serverClosed', server);
    client.emit('serverHeartbeatFailed', server);
    pass(60);
    expect(exit).not.toHaveBeenCalled();
  });

  it('goes on after the watch has ended', () => {
    end();
    pass(60);
    expect(exit).not.toHaveBeenCalled();
  });
});
