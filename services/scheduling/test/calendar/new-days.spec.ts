import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type AppError, newId } from '@swim/platform';
import { inDays, partOf } from '@swim/testing';
import { CalendarService, type Taken } from '../../src/calendar/calendar.service.js';
import type { Claim, ClaimElement } from '../../src/calendar/claim.schema.js';
import { ClaimsRepository } from '../../src/calendar/claims.repository.js';
import type { Day } from '../../src/calendar/day.schema.js';
import { DaysRepository } from '../../src/calendar/days.repository.js';
import { type SchedulingHarness, startScheduling } from '../harness.js';

const DATE = inDays(10).slice(0, 10);
const RACERS = 24;

let scheduling: SchedulingHarness;
let calendar: CalendarService;
let days: DaysRepository;
let claims: ClaimsRepository;
beforeAll(async () => {
  scheduling = await startScheduling();
  calendar = partOf(scheduling.service, CalendarService);
  days = partOf(scheduling.service, DaysRepository);
  claims = partOf(scheduling.service, ClaimsRepository);
});
afterEach(() => void jest.restoreAllMocks());
afterAll(() => scheduling?.stop());

const collection = <D extends object>(name: string) =>
  scheduling.harness.database('scheduling_test').collection<D & { _id: string }>(name);
const claimsOf = (key: string) => collection<Claim>('claims').find({ key }).toArray();
const day = (resource: string) => collection<Day>('days').findOne({ _id: `${resource}:${DATE}` });
const takersOf = async (resource: string) => (await day(resource))?.busy.map(({ c }) => c);

/** A quarter of an hour of a resource, for a session of its own. */
const quarter = (resource: string, n: number, more: Partial<ClaimElement> = {}): ClaimElement => {
  const startMs = Date.parse(inDays(10, 0)) + n * 900_000;
  return { resource, startMs, endMs: startMs + 900_000, holder: newId('ses'), ...more };
};
/** As a client, which tries again after `busy_retry`. */
const take = (elements: ClaimElement[], key = newId('bkg')): Promise<Taken> =>
  calendar.take({ key, elements }).catch((error: AppError) => {
    if (error.reason !== 'busy_retry') throw error;
    return take(elements, key);
  });
const won = (outcomes: Taken[]) => outcomes.flatMap((outcome) => ('claim' in outcome ? outcome.claim._id : []));
const locksInOrder = () => jest.spyOn(days, 'push');

/** Waits in the middle of a claim for what happens meanwhile, and simulates a crash after it has inserted its days. */
function crashAfterInsert(meanwhile: () => Promise<unknown>): void {
  const insertLocked = days.insertLocked.bind(days);
  jest.spyOn(days, 'insertLocked').mockImplementationOnce(async (...locks) => {
    await meanwhile();
    await insertLocked(...locks);
    throw new Error('simulated crash');
  });
}

/** Releases the claims of a key, as recovery does when they have lapsed. */
async function lapse(key: string): Promise<void> {
  for (const { _id } of await claimsOf(key)) await calendar.release(_id);
}

describe('days that exist', () => {
  it('are locked without being read', async () => {
    const [instructor, member] = [newId('ins'), newId('mem')];
    await take([quarter(instructor, 0), quarter(member, 0)]);
    const reads = jest.spyOn(days, 'findByIds');
    expect(await take([quarter(instructor, 1), quarter(member, 1)])).toHaveProperty('claim');
    expect(reads).not.toHaveBeenCalled();
  });

  it('are not locked by a claim of more days than a lesson has, of which another claim blocks one', async () => {
    const resources = Array.from({ length: 5 }, () => newId('mem'));
    const quarters = (n: number) => resources.map((resource) => quarter(resource, n));
    await take(quarters(0));
    await take([quarter(resources[2]!, 1)]);
    const pushes = jest.spyOn(days, 'pushAll');
    expect(await take(quarters(1))).not.toHaveProperty('claim');
    expect(pushes).not.toHaveBeenCalled();
    expect(won([await take(quarters(2))])).toHaveLength(1);
  });
});

describe('days that this process has seen', () => {
  it('are inserted again after they were removed', async () => {
    const [instructor, member] = [newId('ins'), newId('mem')];
    await take([quarter(instructor, 0), quarter(member, 0)]);
    await collection('days').deleteMany({ _id: { $in: [instructor, member].map((each) => `${each}:${DATE}`) } });
    const inOrder = locksInOrder();
    const [claimId] = won([await take([quarter(instructor, 1), quarter(member, 1)])]);
    expect([await takersOf(instructor), await takersOf(member)]).toEqual([[claimId], [claimId]]);
    expect(inOrder).not.toHaveBeenCalled();
  });
});

describe('days that another process has made', () => {
  const insert = (...resources: string[]) => days.insertMissing(resources.map((each) => `${each}:${DATE}`));

  it('are locked without being read when none is missing', async () => {
    const [instructor, member] = [newId('ins'), newId('mem')];
    await insert(instructor, member);
    const reads = jest.spyOn(days, 'findByIds');
    const [claimId] = won([await take([quarter(instructor, 0), quarter(member, 0)])]);
    expect(reads).not.toHaveBeenCalled();
    expect([await takersOf(instructor), await takersOf(member)]).toEqual([[claimId], [claimId]]);
  });

  it('are locked beside a missing one', async () => {
    const [instructor, member] = [newId('ins'), newId('mem')];
    await insert(instructor);
    const [claimId] = won([await take([quarter(instructor, 0), quarter(member, 0)])]);
    expect([await takersOf(instructor), await takersOf(member)]).toEqual([[claimId], [claimId]]);
  });
});

describe('days that do not exist', () => {
  it('are inserted with their lock without being read', async () => {
    const [reads, pushes] = [jest.spyOn(days, 'findByIds'), jest.spyOn(days, 'pushAll')];
    expect(await take([quarter(newId('ins'), 0), quarter(newId('mem'), 0)])).toHaveProperty('claim');
    expect(reads).not.toHaveBeenCalled();
    expect(pushes.mock.calls.flatMap(([byDay]) => byDay)).toEqual([]);
  });

  it('are inserted with their lock, beside locks of days that exist', async () => {
    const [instructor, member] = [newId('ins'), newId('mem')];
    await take([quarter(instructor, 0)]);
    const [inOrder, release] = [locksInOrder(), jest.spyOn(claims, 'markReleased')];
    const [claimId] = won([await take([quarter(instructor, 1), quarter(member, 1)])]);
    expect(await takersOf(member)).toEqual([claimId]);
    expect(await takersOf(instructor)).toContain(claimId);
    expect(inOrder).not.toHaveBeenCalled();
    expect(release).not.toHaveBeenCalled();
  });

  it('give each of many concurrent claims its own time, and none withdraws', async () => {
    const instructor = newId('ins');
    const [inOrder, release] = [locksInOrder(), jest.spyOn(claims, 'markReleased')];
    const racers = Array.from({ length: RACERS }, (_, n) => take([quarter(instructor, n), quarter(newId('mem'), n)]));
    const winners = won(await Promise.all(racers));
    expect(winners).toHaveLength(RACERS);
    expect((await takersOf(instructor))!.sort()).toEqual(winners.sort());
    expect(inOrder).not.toHaveBeenCalled();
    expect(release).not.toHaveBeenCalled();
  });

  it('give one time of an instructor and a member to one of many concurrent claims', async () => {
    const [instructor, member] = [newId('ins'), newId('mem')];
    const racers = Array.from({ length: RACERS }, () => take([quarter(instructor, 0), quarter(member, 0)]));
    const winners = won(await Promise.all(racers));
    expect(winners).toHaveLength(1);
    expect([await takersOf(instructor), await takersOf(member)]).toEqual([winners, winners]);
  });

  it('give as many concurrent claims a lane as the pool has', async () => {
    const pool = newId('pool');
    const racers = Array.from({ length: RACERS }, () =>
      take([quarter(newId('ins'), 0), quarter(pool, 0, { lanes: 3 })]),
    );
    const winners = won(await Promise.all(racers));
    expect(winners).toHaveLength(3);
    expect((await takersOf(pool))!.sort()).toEqual(winners.sort());
  });

  it('are locked by two runs of one request, of which one is confirmed', async () => {
    const [key, elements] = [newId('bkg'), [quarter(newId('ins'), 0), quarter(newId('mem'), 0)]];
    const outcomes = await Promise.all([take(elements, key), take(elements, key)]);
    const [one, other] = won(outcomes);
    expect(one).toBe(other);
    for (const { resource } of elements) expect(await takersOf(resource)).toEqual([one]);
  });

  it('are not inserted while another claim blocks a day that exists, and no lock stays', async () => {
    const [instructor, member, free] = [newId('ins'), newId('mem'), newId('pool')];
    const [taker] = won([await take([quarter(instructor, 0)])]);
    await take([quarter(free, 5, { lanes: 1 })]);
    const requested = quarter(instructor, 0);
    const outcome = await take([requested, quarter(member, 0), quarter(free, 0, { lanes: 1 })]);
    expect(outcome).toEqual({ taken: [requested] });
    expect(await day(member)).toBeNull();
    expect(await takersOf(instructor)).toEqual([taker]);
    expect(await takersOf(free)).toHaveLength(1);
  });

  it('are locked although a claim that blocked another day has left it meanwhile', async () => {
    const [instructor, member] = [newId('ins'), newId('mem')];
    const [blocker] = won([await take([quarter(instructor, 0)])]);
    const findByIds = days.findByIds.bind(days);
    jest.spyOn(days, 'findByIds').mockImplementationOnce(async (ids) => {
      await calendar.release(blocker!);
      return findByIds(ids);
    });
    const inOrder = locksInOrder();
    const [claimId] = won([await take([quarter(instructor, 0), quarter(member, 0)])]);
    expect([await takersOf(instructor), await takersOf(member)]).toEqual([[claimId], [claimId]]);
    expect(inOrder).not.toHaveBeenCalled();
  });
});

describe('a claim that lapsed before its day existed', () => {
  it('does not lock the day that it inserts late', async () => {
    const [key, resource] = [newId('bkg'), newId('ins')];
    crashAfterInsert(() => lapse(key));
    await expect(take([quarter(resource, 0)], key)).rejects.toThrow('simulated crash');
    expect(await claimsOf(key)).toEqual([]);
    expect(await takersOf(resource)).toEqual([]);
  });

  it('does not lock the day that another claim has inserted meanwhile', async () => {
    const [key, resource] = [newId('bkg'), newId('ins')];
    let other: string[] = [];
    crashAfterInsert(async () => {
      await lapse(key);
      other = won([await take([quarter(resource, 1)])]);
    });
    await expect(take([quarter(resource, 0)], key)).rejects.toThrow('simulated crash');
    expect(other).toHaveLength(1);
    expect(await takersOf(resource)).toEqual(other);
  });

  it('is released from the day that it has inserted in the middle of its release', async () => {
    const [key, resource] = [newId('bkg'), newId('ins')];
    crashAfterInsert(async () => {
      const [{ _id }] = (await claimsOf(key)) as [Claim];
      const insert = days.insertMissing.bind(days);
      jest.spyOn(days, 'insertMissing').mockImplementationOnce(async (ids) => {
        await days.insertLocked([[ids[0]!, [quarter(resource, 0)]]], _id);
        return insert(ids);
      });
      await calendar.release(_id);
      expect(await takersOf(resource)).toEqual([]);
    });
    await expect(take([quarter(resource, 0)], key)).rejects.toThrow('simulated crash');
    expect(await takersOf(resource)).toEqual([]);
  });

  it('is not confirmed by the run that continues, which claims anew', async () => {
    const [key, resource] = [newId('bkg'), newId('ins')];
    const insertLocked = days.insertLocked.bind(days);
    jest.spyOn(days, 'insertLocked').mockImplementationOnce(async (...locks) => {
      await lapse(key);
      return insertLocked(...locks);
    });
    const [claimId] = won([await take([quarter(resource, 0)], key)]);
    expect((await claimsOf(key)).map(({ _id }) => _id)).toEqual([claimId]);
    expect(await takersOf(resource)).toEqual([claimId]);
  });
});
