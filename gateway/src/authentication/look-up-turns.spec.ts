import { describe, expect, it } from '@jest/globals';
import { FailedAttempts } from './failed-attempts.js';
import { LookUpTurns } from './look-up-turns.js';

const START_MS = Date.UTC(2027, 0, 1);

function start(limit: number) {
  const time = { nowMs: START_MS };
  const turns = new LookUpTurns(new FailedAttempts(limit, () => time.nowMs));
  const pending: { network: string; end: (isGood: boolean) => void }[] = [];
  const seen = { begun: 0, running: 0, most: 0 };
  const lookUp = (network = '192.0.2.1') =>
    turns.run(
      network,
      () => {
        seen.begun++;
        seen.most = Math.max(seen.most, ++seen.running);
        return new Promise<boolean>((resolve) =>
          pending.push({
            network,
            end: (isGood) => {
              seen.running--;
              resolve(isGood);
            },
          }),
        );
      },
      (isGood) => !isGood,
    );
  /** Ends look-ups until none is under way. */
  const endAll = async (isGood: (network: string) => boolean = () => false) => {
    for (let next = pending.shift(); next; next = pending.shift()) {
      next.end(isGood(next.network));
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { time, seen, lookUp, endAll, pending };
}

describe('look-ups of one network', () => {
  it('run at once as far as it may still fail, and then one at a time', async () => {
    const { seen, lookUp, endAll } = start(20);
    const all = Array.from({ length: 60 }, () => lookUp());
    await new Promise((resolve) => setImmediate(resolve));
    expect(seen.begun).toBe(21);
    await endAll();
    expect(await Promise.all(all)).toHaveLength(60);
    expect(seen).toMatchObject({ begun: 60, most: 21 });
    const later = [lookUp(), lookUp()];
    await new Promise((resolve) => setImmediate(resolve));
    expect(seen.running).toBe(1);
    await endAll();
    await Promise.all(later);
  });

  it('that find valid keys take nothing from it', async () => {
    const { seen, lookUp, endAll } = start(20);
    for (let round = 0; round < 5; round++) {
      const all = Array.from({ length: 20 }, () => lookUp());
      expect(seen.running).toBe(20);
      await endAll(() => true);
      await Promise.all(all);
    }
  });

  it('do not wait for those of another, and are unlimited from the next minute on', async () => {
    const { time, seen, lookUp, endAll } = start(3);
    const guesses = Array.from({ length: 10 }, () => lookUp());
    await endAll();
    await Promise.all(guesses);
    const waiting = [lookUp(), lookUp()];
    const [others, before] = [Array.from({ length: 3 }, () => lookUp('192.0.2.2')), seen.running];
    await new Promise((resolve) => setImmediate(resolve));
    expect([before, seen.running]).toEqual([3, 4]);
    await endAll();
    await Promise.all([...waiting, ...others]);
    time.nowMs += 60_000;
    const fresh = Array.from({ length: 3 }, () => lookUp());
    expect(seen.running).toBe(3);
    await endAll();
    await Promise.all(fresh);
  });

  it('are rejected as overloaded where 64 wait already', async () => {
    const { lookUp, endAll } = start(0);
    const outcomes = Promise.allSettled(Array.from({ length: 80 }, () => lookUp()));
    await new Promise((resolve) => setImmediate(resolve));
    await endAll();
    const rejected = (await outcomes).flatMap((each) => (each.status === 'rejected' ? [each.reason.reason] : []));
    expect(rejected).toEqual(Array.from({ length: 15 }, () => 'overloaded'));
  });
});
