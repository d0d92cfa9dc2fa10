import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { cancelSession, makeSession, updateSession } from '@swim/contracts';
import { newId } from '@swim/platform';
import { inDays, metricValue, partOf, rejectionOf, until, updateAll } from '@swim/testing';
import { CalendarService } from '../../src/calendar/calendar.service.js';
import type { Claim } from '../../src/calendar/claim.schema.js';
import { ClaimAuditService } from '../../src/sessions/ending/claim-audit.service.js';
import type { SessionDocument } from '../../src/sessions/storage/session.schema.js';
import { SessionsRepository } from '../../src/sessions/storage/sessions.repository.js';
import { aSession, asFamily, type SchedulingHarness, startScheduling } from '../harness.js';
import { isQuiet, wholeness } from './calendar-checks.js';

let scheduling: SchedulingHarness;
beforeAll(async () => {
  scheduling = await startScheduling();
  // The periodic audit would release and count the same claims.
  part(ClaimAuditService).auditBatch = async () => undefined;
});
afterAll(() => scheduling?.stop());

const part = <T extends object>(type: new (...args: never[]) => T): T => partOf(scheduling.service, type);
const database = () => scheduling.harness.database('scheduling_test');
const claims = () => database().collection<Claim>('claims');
const sessions = () => database().collection<SessionDocument>('sessions');
const lesson = (instructor: string, date = inDays(10)) =>
  scheduling.harness.call(makeSession, aSession(instructor, scheduling.people.member(), { date }), asFamily);

/** Audits all claims, with their creation dated far back. */
async function auditAll(): Promise<void> {
  await updateAll(claims(), {}, { createdAt: new Date(0) });
  let afterId = '';
  do afterId = await part(ClaimAuditService).audit(afterId);
  while (afterId !== '');
}
const released = async (work: () => Promise<void>): Promise<number> => {
  const count = () => metricValue('swim_orphan_claims_total');
  const before = await count();
  await work();
  return (await count()) - before;
};
/** A confirmed claim without a session. */
async function anOrphan(instructor: string, date = inDays(10)): Promise<string> {
  const span = { startMs: Date.parse(date), endMs: Date.parse(date) + 1_800_000 };
  const elements = [{ resource: instructor, ...span, holder: newId('ses') }];
  const taken = await part(CalendarService).take({ key: newId('bkg'), elements });
  if (!('claim' in taken)) throw new Error('It is taken.');
  return taken.claim._id;
}

describe('the audit of claims', () => {
  it('releases claims without an owner, and counts them', async () => {
    const instructor = scheduling.people.instructor();
    await anOrphan(instructor);
    expect((await rejectionOf(lesson(instructor))).reason).toBe('instructor_busy');
    expect(await released(auditAll)).toBe(1);
    await lesson(instructor);
  });

  it('keeps the claims of sessions that are new, moved, cancelled or completed', async () => {
    const instructor = scheduling.people.instructor();
    const made = await Promise.all([10, 11, 13].map((day) => lesson(instructor, inDays(day))));
    const [, moved, completed] = made.map(({ id }) => id);
    await scheduling.harness.call(updateSession, { session_id: moved!, changes: { date: inDays(20) } }, asFamily);
    await sessions().updateOne({ _id: completed! }, { $set: { status: 'completed' } });
    await wholeness(database()).catch(() => undefined);
    expect(await released(auditAll)).toBe(0);
    for (const day of [10, 20, 13])
      expect((await rejectionOf(lesson(instructor, inDays(day)))).reason).toBe('instructor_busy');
    await scheduling.harness.call(cancelSession, { session_id: made[0]!.id }, asFamily);
    expect(await released(auditAll)).toBe(0);
  });

  it('keeps the claim of a session that was stored between the reads of claims and of sessions', async () => {
    const { id } = await lesson(scheduling.people.instructor());
    await until(() => isQuiet(database()), 'the claim is fulfilled');
    const findOwnership = jest.spyOn(part(SessionsRepository), 'findOwnership').mockResolvedValueOnce([]);
    expect(await released(auditAll)).toBe(0);
    expect(findOwnership.mock.calls.length).toBeGreaterThan(1);
    findOwnership.mockRestore();
    expect(await claims().findOne({ holders: id })).toMatchObject({ state: 'confirmed' });
  });

  it('skips claims that are young, or that recovery has yet to process', async () => {
    const instructor = scheduling.people.instructor();
    const [young, open] = [await anOrphan(instructor, inDays(10)), await anOrphan(instructor, inDays(11))];
    await part(ClaimAuditService).audit('');
    expect(await claims().countDocuments({ _id: young })).toBe(1);
    const later = new Date(Date.now() + 3_600_000);
    await claims().updateOne({ _id: open }, { $set: { dueAt: later } });
    expect(await released(auditAll)).toBe(1);
    expect(await claims().countDocuments({ _id: open })).toBe(1);
    await claims().updateOne({ _id: open }, { $unset: { dueAt: 1 } });
    expect(await released(auditAll)).toBe(1);
  });

  it('resumes where the last batch ended', async () => {
    const stored = database().collection<{ _id: string; afterId: string }>('claim_audits');
    const service = part(ClaimAuditService);
    service.audit = async (afterId) => `${afterId}y`;
    service.auditBatch = ClaimAuditService.prototype.auditBatch;
    await stored.updateOne({ _id: 'claims' }, { $set: { afterId: 'x', nextAt: new Date(0) } });
    await until(async () => (await stored.findOne({ _id: 'claims' }))?.afterId === 'xy', 'a batch has ended');
  });
});
