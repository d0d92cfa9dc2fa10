import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { headers } from '@nats-io/transport-node';
import type { Principal } from '@swim/contracts';
import { Deadline, makeRequestContext, newId } from '@swim/platform';
import { HEADER, readRequestContext, writeRequestContext } from './wire.js';

const principal: Principal = {
  accountId: newId('acct'),
  kind: 'school',
  env: 'live',
  keyId: newId('key'),
  scopes: ['sessions:write', 'events:read'],
};
const seed = { requestId: newId('req'), principal, deadline: new Deadline(1_000) };

afterEach(() => void jest.useRealTimers());

describe('the headers of a request', () => {
  it('contain the whole request context', () => {
    const context = makeRequestContext({
      ...seed,
      idempotencyKey: 'Schlüssel %1\r\n',
      writeKey: 'clé',
      fingerprint: 'f00',
      network: '192.0.2.0/24',
      dryRun: true,
    });
    const read = readRequestContext(writeRequestContext(context, 700));
    const { requestId, idempotencyKey, writeKey, fingerprint, network, dryRun, opId, resumed } = read;
    expect({ requestId, idempotencyKey, writeKey, fingerprint, network, dryRun, opId, resumed }).toEqual({
      requestId: seed.requestId,
      idempotencyKey: 'Schlüssel %1\r\n',
      writeKey: 'clé',
      fingerprint: 'f00',
      network: '192.0.2.0/24',
      dryRun: true,
      opId: null,
      resumed: false,
    });
    expect(read.principal).toEqual(principal);
  });

  it('omit absent fields', () => {
    const read = readRequestContext(writeRequestContext(makeRequestContext(seed), 700));
    expect(read).toMatchObject({
      idempotencyKey: null,
      writeKey: null,
      fingerprint: null,
      network: null,
      dryRun: false,
    });
  });

  it('contain the deadline as an instant: time in the queue of a paused process counts', () => {
    jest.useFakeTimers();
    const left = (budgetMs: number) => {
      const sent = writeRequestContext(makeRequestContext(seed), budgetMs);
      jest.advanceTimersByTime(5_000);
      return readRequestContext(sent).deadline;
    };
    expect(left(5_700).remainingMs()).toBe(700);
    expect(left(4_900)).toMatchObject({ expired: true });
    expect(left(3_600_000).remainingMs()).toBe(60_000);
  });

  it('with an unreadable deadline get the default of a read', () => {
    jest.useFakeTimers();
    const left = (text: string) => {
      const sent = writeRequestContext(makeRequestContext(seed), 700);
      sent.set(HEADER.deadline, text);
      return readRequestContext(sent).deadline.remainingMs();
    };
    expect(['', 'soon', 'NaN', '-5'].map(left)).toEqual([3_000, 3_000, 3_000, 3_000]);
  });

  it('are rejected when they are absent or without a principal', () => {
    expect(() => readRequestContext(undefined)).toThrow('no context headers');
    const forged = headers();
    forged.set(HEADER.principal, '{"accountId":"acct_x"}');
    expect(() => readRequestContext(forged)).toThrow();
  });
});
