import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { headers } from '@nats-io/transport-node';
import type { Principal } from '@swim/contracts';
import { Deadline, newId } from '@swim/platform';
import { makeCall } from './call.js';
import { HEADER, readCall, writeCall } from './wire.js';

const principal: Principal = {
  accountId: newId('acct'),
  kind: 'school',
  env: 'live',
  keyId: newId('key'),
  scopes: ['sessions:write', 'events:read'],
};
const seed = { requestId: newId('req'), principal, deadline: new Deadline(1_000) };

afterEach(() => void jest.useRealTimers());

describe('the headers of a call', () => {
  it('bring everything over that a story needs to know', () => {
    const call = makeCall({ ...seed, idempotencyKey: 'Schlüssel %1\r\n', fingerprint: 'f00', dryRun: true });
    const read = readCall(writeCall(call, 700));
    const { requestId, idempotencyKey, fingerprint, dryRun, opId, retaken } = read;
    expect({ requestId, idempotencyKey, fingerprint, dryRun, opId, retaken }).toEqual({
      requestId: seed.requestId,
      idempotencyKey: 'Schlüssel %1\r\n',
      fingerprint: 'f00',
      dryRun: true,
      opId: null,
      retaken: false,
    });
    expect(read.principal).toEqual(principal);
  });

  it('leave out what a plain call lacks', () => {
    const read = readCall(writeCall(makeCall(seed), 700));
    expect(read).toMatchObject({ idempotencyKey: null, fingerprint: null, dryRun: false });
  });

  it('start the deadline anew by the receiver’s own clock, for at most a minute', () => {
    jest.useFakeTimers();
    const left = (budgetMs: number) => {
      const sent = writeCall(makeCall(seed), budgetMs);
      jest.advanceTimersByTime(5_000);
      return readCall(sent).deadline.remainingMs();
    };
    expect(left(700)).toBe(700);
    expect(left(3_600_000)).toBe(60_000);
  });

  it('are refused when they are absent or name no principal', () => {
    expect(() => readCall(undefined)).toThrow('no call headers');
    const forged = headers();
    forged.set(HEADER.principal, '{"accountId":"acct_x"}');
    expect(() => readCall(forged)).toThrow();
  });
});
