import { afterAll, beforeAll, beforeEach, expect, it, jest } from '@jest/globals';
import {
  type BusEvent,
  type ErasedMember,
  getSession,
  makeSession,
  memberErased,
  updateSession,
} from '@swim/contracts';
import { newId, TooEarly } from '@swim/platform';
import { inDays, partOf, publishEvent, until } from '@swim/testing';
import { aSession, asFamily, family, type SchedulingHarness, school, startScheduling, withKey } from '../harness.js';

let scheduling: SchedulingHarness;
beforeAll(async () => {
  scheduling = await startScheduling();
});
beforeEach(() => {
  jest.restoreAllMocks();
});
afterAll(() => scheduling?.stop());

/** The event of a member's erasure, as it is delivered. */
const erasureOf = (id: string): BusEvent<ErasedMember> => ({
  ...{ id: newId('evt'), n: 1, type: 'member.erased', env: 'test', occurredAt: new Date().toISOString(), objectId: id },
  audience: [family.accountId, school.accountId],
  object: { id, account_id: family.accountId, erased_at: new Date().toISOString() },
  cause: { requestId: null, idempotencyKey: null, actor: 'system', accountId: family.accountId },
});

type Step = PromiseWithResolvers<void>;

it('the erasure of a member removes metadata that a request under a key stores while it runs', async () => {
  const { SessionsRepository } = await import('../../src/sessions/storage/sessions.repository.js');
  const { MemberErasureService } = await import('../../src/lifecycle/member-erasure.service.js');
  const sessions = partOf(scheduling.service, SessionsRepository);
  const erasure = partOf(scheduling.service, MemberErasureService);
  const member = scheduling.people.member();
  const input = aSession(scheduling.people.instructor(), member, { date: inDays(1) });
  const { id } = await scheduling.harness.call(makeSession, input, asFamily);
  // The mark would clear it too, for a member that is erased by then.
  const claims = scheduling.harness.database('scheduling_test').collection('claims');
  const isMade = () => claims.findOne({ key: `${id}#0`, plan: { $exists: false } });
  await until(isMade, 'its claim is marked as fulfilled');
  // It has begun: a lesson to come would be cancelled, and accept no change.
  scheduling.clock.set(new Date(Date.parse(inDays(1)) + 60_000));
  const [reached, ended, stored] = [1, 2, 3].map(() => Promise.withResolvers<void>()) as [Step, Step, Step];
  const change = sessions.change.bind(sessions);
  jest.spyOn(sessions, 'change').mockImplementationOnce(async (...given) => {
    reached.resolve();
    await ended.promise;
    return change(...given).finally(stored.resolve);
  });
  const request = { session_id: id, changes: { metadata: { by: 'canary' } } };
  const patching = scheduling.harness.call(updateSession, request, withKey(`late ${member}`));
  await Promise.race([reached.promise, patching]);
  const end = () => {
    ended.resolve();
    return stored.promise;
  };
  const find = sessions.findIdsWithTexts.bind(sessions);
  jest.spyOn(sessions, 'findIdsWithTexts').mockImplementation(async (...given) => {
    const found = await find(...given);
    await end();
    return found;
  });
  // As the delivery of the event does, which is repeated until then.
  const isThrough = async () => {
    const error = await erasure.erase(erasureOf(member)).catch((thrown: unknown) => thrown);
    if (error !== undefined && !(error instanceof TooEarly)) throw error;
    await end();
    return error === undefined;
  };
  await until(isThrough, 'the erasure is through');
  await patching;
  const { metadata } = await scheduling.harness.call(getSession, { session_id: id }, asFamily);
  expect(metadata).toEqual({});
});

it('a lesson in progress keeps no metadata of a change without a key that began before the erasure', async () => {
  const { SessionsRepository } = await import('../../src/sessions/storage/sessions.repository.js');
  const sessions = partOf(scheduling.service, SessionsRepository);
  scheduling.clock.set(new Date());
  const member = scheduling.people.member();
  const input = { ...aSession(scheduling.people.instructor(), member, { date: inDays(1) }), notes: 'brings fins' };
  const { id } = await scheduling.harness.call(makeSession, input, asFamily);
  const read = () => scheduling.harness.call(getSession, { session_id: id }, asFamily);
  scheduling.clock.set(new Date(Date.parse(inDays(1)) + 60_000));
  const change = sessions.change.bind(sessions);
  const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  jest.spyOn(sessions, 'change').mockImplementationOnce(async (...given) => {
    reached.resolve();
    await released.promise;
    return change(...given);
  });
  const request = { session_id: id, changes: { metadata: { by: 'canary' } } };
  const changing = scheduling.harness.call(updateSession, request, { principal: school });
  await reached.promise;
  await publishEvent(scheduling.harness, memberErased, erasureOf(member));
  await until(async () => (await read()).notes === null, 'its texts are gone');
  released.resolve();
  expect((await changing).metadata).toEqual({});
  expect((await read()).metadata).toEqual({});
});
