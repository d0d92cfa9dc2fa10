import { describe, expect, it, jest } from '@jest/globals';
import { type IdPrefix, id } from '@swim/contracts';
import fc from 'fast-check';
import { TypeID } from 'typeid-js';
import { sharedClock } from './clock.js';
import { derivedId, lowestIdAt, newId, timeOfId, withPrefix } from './ids.js';

const PREFIXES = [
  'acct',
  'usr',
  'key',
  'ins',
  'mem',
  'ses',
  'bkg',
  'hold',
  'pm',
  'pay',
  'rfd',
  'evt',
  'whe',
  'dlv',
  'pool',
  'rev',
  'wl',
  'req',
] as const satisfies IdPrefix[];

// The published format is repeated here, independent of the code.
const isId = (prefix: string, value: string) =>
  new RegExp(`^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{9}[ef][0-9a-hjkmnp-tv-z]{2}[89abr-tv][0-9a-hjkmnp-tv-z]{12}$`).test(
    value,
  );

describe('a new id', () => {
  it('is a TypeID of a UUIDv7 with its prefix, and valid by the contract', () => {
    for (const prefix of PREFIXES) {
      const made = newId(prefix);
      expect([made, isId(prefix, made)]).toEqual([made, true]);
      expect(id(prefix).safeParse(made).success).toBe(true);
      expect(TypeID.fromString(made).toUUID()[14]).toBe('7');
    }
  });

  it('sorts after all earlier ones of this process, also within a millisecond', () => {
    const made = Array.from({ length: 20_000 }, () => newId('ses'));
    expect(made.toSorted()).toEqual(made);
    expect(new Set(made).size).toBe(made.length);
  });

  it('contains its creation time by the shared clock', () => {
    const before = sharedClock.nowMs();
    const time = timeOfId(newId('evt')).getTime();
    expect(time).toBeGreaterThanOrEqual(before);
    // When a millisecond's counter is exhausted, ids are dated ahead.
    expect(time).toBeLessThanOrEqual(sharedClock.nowMs() + 10);
  });

  it('uses the shared clock, whatever the machine’s clock shows', () => {
    jest.spyOn(Date, 'now').mockReturnValue(Date.parse('2001-01-01T00:00:00Z'));
    expect(timeOfId(newId('evt')).getTime()).toBeGreaterThan(Date.parse('2026-01-01T00:00:00Z'));
    jest.restoreAllMocks();
  });

  it('does not go back with a clock that is set back a little, and follows one that is set back far', () => {
    const startMs = sharedClock.nowMs() + 60_000;
    const at = (ms: number) => {
      jest.spyOn(sharedClock, 'nowMs').mockReturnValue(ms);
      return newId('evt');
    };
    const [first, second] = [at(startMs), at(startMs - 900)];
    expect(second > first).toBe(true);
    expect(timeOfId(second).getTime()).toBe(startMs);
    expect(timeOfId(at(startMs - 50_000)).getTime()).toBe(startMs - 50_000);
    jest.restoreAllMocks();
  });
});

describe('a derived id', () => {
  it('is well-formed, equal for the same source and salt, and has the source’s time', () => {
    fc.assert(
      fc.property(fc.constantFrom(...PREFIXES), fc.string(), (prefix, salt) => {
        const source = newId('bkg');
        const derived = derivedId(prefix, source, salt);
        expect([derived, isId(prefix, derived)]).toEqual([derived, true]);
        expect(derivedId(prefix, source, salt)).toBe(derived);
        expect(timeOfId(derived)).toEqual(timeOfId(source));
      }),
    );
  });

  it('differs for another source, salt or prefix', () => {
    const [source, other] = [newId('bkg'), newId('bkg')];
    const all = [
      derivedId('evt', source, '1'),
      derivedId('evt', source, '2'),
      derivedId('evt', other, '1'),
      derivedId('evt', withPrefix('ses', source), '1'),
      withPrefix('evt', derivedId('ses', source, '1')),
    ];
    expect(new Set(all).size).toBe(all.length);
  });

  it('never collides among many of one source', () => {
    const source = newId('ses');
    expect(new Set(Array.from({ length: 5_000 }, (_, n) => derivedId('evt', source, String(n)))).size).toBe(5_000);
  });

  it('never changes: a retry must get the id of the first run, also from another release', () => {
    expect(derivedId('evt', 'ses_01k5zr8q3ve9mbf6w2n0x4ht7c', '1')).toBe('evt_01k5zr8q3vfwcrr5qk7kbd9jed');
  });
});

describe('an id under another prefix', () => {
  it('keeps time and randomness', () => {
    const source = newId('req');
    const other = withPrefix('bkg', source);
    expect(isId('bkg', other)).toBe(true);
    expect(timeOfId(other)).toEqual(timeOfId(source));
    expect(withPrefix('req', other)).toBe(source);
  });
});

describe('the lowest id of an instant', () => {
  it('is below the ids that are made from then on, and above those before', () => {
    const made = newId('evt');
    const atMs = timeOfId(made).getTime();
    expect(lowestIdAt('evt', new Date(atMs)) <= made).toBe(true);
    expect(lowestIdAt('evt', new Date(atMs + 1)) > made).toBe(true);
  });

  it('is below or above all ids for instants that none can have', () => {
    expect(lowestIdAt('evt', new Date('0502-07-11'))).toBe(lowestIdAt('evt', new Date(0)));
    expect(lowestIdAt('evt', new Date(8.64e15)) > newId('evt')).toBe(true);
  });
});
