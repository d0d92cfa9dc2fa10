import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import {
  type BusEvent,
  cancelSession,
  getSession,
  makeSession,
  memberErased,
  type Session,
  type SessionObject,
  updateSession,
} from '@swim/contracts';
import { EventPublisher } from '@swim/messaging';
import { newId } from '@swim/platform';
import { collectMessages, inDays, publishEvent, publishedCopies, until, updateAll } from '@swim/testing';
import type { Claim } from '../../src/calendar/claim.schema.js';
import { aSession, asFamily, family, type SchedulingHarness, school, startScheduling, withKey } from '../harness.js';

// Recovery looks at a claim again half a minute after a failure.
const RECOVERED_WITHIN_MS = 60_000;

let scheduling: SchedulingHarness;
let events: BusEvent<SessionObject>[];
beforeAll(async () => {
  scheduling = await startScheduling();
  events = await collectMessages(scheduling.harness.connection, 'event.test.scheduling.session.>');
});
afterEach(() => void jest.restoreAllMocks());
afterAll(() => scheduling?.stop());

const collection = (name: string) => scheduling.harness.database('scheduling_test').collection(name);
const claimOf = async ({ id }: Session) =>
  (await collection('claims').findOne({ key: `${id}#0` })) as unknown as Claim | null;
const hasPlan = async (session: Session) => (await claimOf(session))?.plan !== undefined;
const typesOf = ({ id }: Session) => events.filter(({ objectId }) => objectId === id).map(({ type }) => type);
const copiesOf = async ({ id }: Session) => {
  const copies = await publishedCopies(scheduling.harness.database('scheduling_test'));
  return copies.filter(({ objectId, n }) => objectId === id && n === 1).length;
};
const pair = () => [scheduling.people.instructor(), scheduling.people.member()] as const;
const make = (...[ins, mem]: readonly [string, string]) =>
  scheduling.harness.call(makeSession, aSession(ins, mem), asFamily);
const cancel = ({ id }: Session) => scheduling.harness.call(cancelSession, { session_id: id }, asFamily);

const move = ({ id }: Session) =>
  scheduling.harness.call(updateSession, { session_id: id, changes: { date: inDays(11) } }, asFamily);

const failure = new Error('JetStream does not answer');
/** A session whose first publication has failed. */
async function makeUnpublished(): Promise<Session> {
  const failing = jest.spyOn(EventPublisher.prototype, 'publishAll').mockRejectedValue(failure);
  const made = await make(...pair());
  await until(() => failing.mock.calls.length > 0, 'a publication has failed');
  failing.mockRestore();
  return made;
}

describe('a new session', () => {
  it('is published, and then its claim has no plan any more', async () => {
    const made = await make(...pair());
    await until(async () => !(await hasPlan(made)), 'the claim is fulfilled');
    await until(() => typesOf(made).length > 0, 'its event has come');
    expect(typesOf(made)).toEqual(['session.created']);
    expect(await copiesOf(made)).toBe(1);
  });

  it('that could not be published keeps its claim’s plan, and is published by recovery', async () => {
    const made = await makeUnpublished();
    await until(async () => !(await hasPlan(made)), 'the claim is fulfilled', RECOVERED_WITHIN_MS);
    await until(() => typesOf(made).length > 0, 'its event has come');
    expect(typesOf(made)).toEqual(['session.created']);
    expect(await copiesOf(made)).toBeGreaterThan(0);
  });

  it('that is cancelled before it could be published is published before its claim ends', async () => {
    const made = await makeUnpublished();
    await cancel(made);
    await until(async () => (await claimOf(made)) === null, 'the claim is removed', RECOVERED_WITHIN_MS);
    expect(await copiesOf(made)).toBeGreaterThan(0);
    await until(() => typesOf(made).length === 2, 'both events are published');
    expect(typesOf(made).sort()).toEqual(['session.cancelled', 'session.created']);
  });

  it('that is cancelled or moved while publications hang frees its time at once, and is published later', async () => {
    const { promise: hanging, reject } = Promise.withResolvers<never>();
    hanging.catch(() => undefined);
    // A test that fails must not keep the service from ending.
    setTimeout(() => reject(failure), 120_000).unref();
    jest.spyOn(EventPublisher.prototype, 'publishAll').mockReturnValue(hanging);
    const [ins, mem] = pair();
    const all: Session[] = [];
    const takeAgain = async () => all.push(await make(ins, mem));
    await takeAgain();
    expect(await cancel(all[0]!)).toMatchObject({ status: 'cancelled' });
    await takeAgain();
    await move(all[1]!);
    await takeAgain();
    expect(await cancel(all[1]!)).toMatchObject({ status: 'cancelled' });
    await move(all[2]!);
    // A request that waited for a publication would have ended with its deadline.
    for (const each of all) expect([await hasPlan(each), ...typesOf(each)]).toEqual([true]);
    jest.restoreAllMocks();
    reject(failure);
    await until(() => all.flatMap(typesOf).length === 7, 'all events are published', 2 * RECOVERED_WITHIN_MS);
    for (const each of all)
      await until(async () => (await claimOf(each)) === null, 'its first claim is removed', 2 * RECOVERED_WITHIN_MS);
  }, 300_000);

  it('of a member that is erased before it could be published leaves no texts in its claim’s plan', async () => {
    jest.spyOn(EventPublisher.prototype, 'publishAll').mockRejectedValue(failure);
    const [instructor, member] = pair();
    const input = { ...aSession(instructor, member), notes: 'Bring fins', metadata: { by: 'canary' } };
    const made = await scheduling.harness.call(makeSession, input, asFamily);
    expect((await claimOf(made))?.plan).toMatchObject({ sealedNotes: expect.any(String) });
    await publishEvent(scheduling.harness, memberErased, {
      object: { id: member, account_id: family.accountId, erased_at: new Date().toISOString() },
      audience: [family.accountId, school.accountId],
    });
    const read = () => scheduling.harness.call(getSession, { session_id: made.id }, asFamily);
    await until(async () => (await read()).status === 'cancelled' && (await read()).notes === null, 'it is erased');
    const { plan } = (await claimOf(made))!;
    expect(plan).toMatchObject({ metadata: [] });
    expect(plan).not.toHaveProperty('sealedNotes');
  });

  it('is tried again the more rarely, the longer it could not be published', async () => {
    jest.spyOn(EventPublisher.prototype, 'publishAll').mockRejectedValue(failure);
    const pauseOf = async (ageMs: number) => {
      const made = await make(...pair());
      const createdAt = new Date(Date.now() - ageMs);
      await collection('claims').updateOne({ key: `${made.id}#0` }, { $set: { createdAt, dueAt: new Date(0) } });
      const { dueAt } = await until(async () => {
        const claim = await claimOf(made);
        return claim?.dueAt && claim.dueAt.getTime() > Date.now() + 10_000 ? claim : null;
      }, 'it is postponed');
      return Math.round((dueAt!.getTime() - Date.now()) / 10_000);
    };
    expect([await pauseOf(0), await pauseOf(160_000), await pauseOf(3_600_000)]).toEqual([3, 8, 12]);
  });

  it('is the answer of its repeated request, also after it has left its claim', async () => {
    const [instructor, member] = pair();
    const options = withKey(newId('req'));
    const made = await scheduling.harness.call(makeSession, aSession(instructor, member), options);
    await until(async () => !(await hasPlan(made)), 'the claim is fulfilled');
    await cancel(made);
    await until(async () => (await claimOf(made)) === null, 'the claim is removed');
    const published = await copiesOf(made);
    // The first run was killed before it stored its answer, and the school has changed its price since.
    Object.assign(scheduling.people.instructors.get(instructor)!, { hourlyRateCents: 12_000 });
    await updateAll(collection('idempotency'), { state: 'done' }, { state: 'running', leaseUntil: new Date(0) });
    const again = await scheduling.harness.call(makeSession, aSession(instructor, member), options);
    expect(again).toMatchObject({ id: made.id, status: 'cancelled', price_cents: made.price_cents });
    // Copies are stored in order: one of its first event would be stored by then.
    const later = await make(...pair());
    await until(async () => (await copiesOf(later)) > 0, 'copies of later events are stored');
    expect(await copiesOf(made)).toBe(published);
  });
});
