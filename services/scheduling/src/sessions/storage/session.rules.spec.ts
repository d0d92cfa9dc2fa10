import { describe, expect, it } from '@jest/globals';
import { decidedAt } from '@swim/contracts';
import { type Due, dueOf, nextDueAt, nextDueOf, type SessionPlan, sessionsOf } from './session.rules.js';
import type { SessionDocument } from './session.schema.js';
import { isMove, movedTo } from './session-changes.rules.js';
import { nextStatus, TRANSITIONS } from './session-states.rules.js';

const START = new Date('2028-03-01T10:00:00.000Z');
const HOUR_MS = 3_600_000;

const plan = (overrides: Partial<SessionPlan> = {}): SessionPlan => ({
  kind: 'sessions',
  accountId: 'acct_family',
  schoolId: 'acct_school',
  bookingId: 'bkg_1',
  instructorId: 'ins_1',
  currency: 'USD',
  location: null,
  notes: null,
  cause: { requestId: 'req_1', idempotencyKey: null, actor: 'key_1', accountId: 'acct_family' },
  sessions: [
    {
      id: 'ses_1',
      lessonId: 'lsn_1',
      memberId: 'mem_1',
      startMs: START.getTime(),
      endMs: START.getTime() + HOUR_MS / 2,
      priceCents: 3_000,
    },
  ],
  ...overrides,
});
const session = (overrides: Partial<SessionPlan> = {}) =>
  sessionsOf(plan(overrides), 'claim', START.getTime())[0] as SessionDocument;

describe('the sessions of a plan', () => {
  it('have the account and the school as readers, each once', () => {
    expect(session().readers).toEqual(['acct_family', 'acct_school']);
    expect(session({ accountId: 'acct_school' }).readers).toEqual(['acct_school']);
    expect(session()).toMatchObject({ durationMinutes: 30, status: 'scheduled', version: 1, gen: 0, claimId: 'claim' });
  });

  it('are due for reminders, unless a service made them by itself: then for their completion alone', () => {
    const [startMs, endMs] = [START.getTime() + 48 * HOUR_MS, START.getTime() + 49 * HOUR_MS];
    const sessions = [{ id: 'ses_1', lessonId: 'lsn_1', memberId: 'mem_1', startMs, endMs, priceCents: 0 }];
    expect(session({ sessions }).nextDueAt).toEqual(new Date(startMs - 24 * HOUR_MS));
    const cause = { requestId: null, idempotencyKey: null, actor: 'system', accountId: 'acct_school' };
    expect(session({ sessions, cause }).nextDueAt).toEqual(new Date(endMs + HOUR_MS / 4));
  });
});

describe('a move', () => {
  it('is a change of start, length or instructor, and of nothing else', () => {
    const now = session();
    const moves = (changes: Parameters<typeof movedTo>[1]) => isMove(now, movedTo(now, changes));
    expect(moves({ date: '2028-03-01T10:00:00.000Z', duration_minutes: 30, instructor_id: 'ins_1', notes: 'x' })).toBe(
      false,
    );
    expect(moves({ date: '2028-03-01T10:00:00.001Z' })).toBe(true);
    expect(moves({ duration_minutes: 31 })).toBe(true);
    expect(moves({ instructor_id: 'ins_2' })).toBe(true);
  });

  it('keeps the length when only the start changes', () => {
    const { slot } = movedTo(session(), { date: '2028-03-02T08:00:00.000Z' });
    expect(slot.endMs - slot.startMs).toBe(HOUR_MS / 2);
  });
});

describe('the state machine of sessions', () => {
  const cells: [string, string, string | null][] = [
    ['scheduled', 'change', 'scheduled'],
    ['scheduled', 'complete', 'completed'],
    ['scheduled', 'cancel', 'cancelled'],
    ['scheduled', 'attend', 'scheduled'],
    ['completed', 'change', null],
    ['completed', 'complete', null],
    ['completed', 'cancel', null],
    ['completed', 'attend', 'completed'],
    ['cancelled', 'change', null],
    ['cancelled', 'complete', null],
    ['cancelled', 'cancel', 'cancelled'],
    ['cancelled', 'attend', null],
  ];

  it.each(cells)('from %s by %s leads to %s', (from, action, to) => {
    expect(nextStatus(from as keyof typeof TRANSITIONS, action as 'change')).toBe(to);
  });

  it('has no other cells', () => {
    const all = Object.entries(TRANSITIONS).flatMap(([from, actions]) =>
      Object.keys(actions).map((action) => `${from} ${action}`),
    );
    expect(all.sort()).toEqual(cells.map(([from, action]) => `${from} ${action}`).sort());
  });
});

describe('what is due of a session', () => {
  const [startMs, endMs] = [START.getTime(), START.getTime() + HOUR_MS / 2];
  const next = (hoursBefore: number) => nextDueAt({ startMs, endMs }, startMs - hoursBefore * HOUR_MS).getTime();
  const due = (nextHoursBefore: number, nowHoursBefore: number) =>
    dueOf(
      { ...session(), nextDueAt: new Date(startMs - nextHoursBefore * HOUR_MS) },
      new Date(startMs - nowHoursBefore * HOUR_MS),
    );

  it('is next a reminder 24 hours before, then one 2 hours before, then its completion 15 minutes after its end', () => {
    expect(next(25)).toBe(startMs - 24 * HOUR_MS);
    expect(next(24)).toBe(startMs - 2 * HOUR_MS);
    expect(next(2.001)).toBe(startMs - 2 * HOUR_MS);
    expect(next(2)).toBe(endMs + HOUR_MS / 4);
    expect(next(-5)).toBe(endMs + HOUR_MS / 4);
  });

  it('is a reminder until the session begins, and its completion once that is due', () => {
    expect(due(24, 24.001)).toBeNull();
    expect(due(24, 24)).toBe('reminder');
    expect(due(24, 0.001)).toBe('reminder');
    expect(due(24, 0)).toBeNull();
    expect(due(-0.75, -0.7)).toBeNull();
    expect(due(-0.75, -0.75)).toBe('completion');
    expect(due(24, -100)).toBe('completion');
  });

  describe('whose clock is ten days ahead', () => {
    const clockOffsetMs = 240 * HOUR_MS;
    const inReal = (hoursBefore: number) => new Date(startMs - hoursBefore * HOUR_MS - clockOffsetMs);
    const ahead = (nextHoursBefore: number) => ({
      ...session(),
      end: new Date(endMs),
      clockOffsetMs,
      nextDueAt: inReal(nextHoursBefore),
    });

    it('is due ten days earlier', () => {
      expect(nextDueOf(ahead(24), inReal(25))).toEqual(inReal(24));
      expect(dueOf(ahead(24), inReal(24.001))).toBeNull();
      expect(dueOf(ahead(24), inReal(24))).toBe('reminder');
    });

    it('is decided at each due time that the clock has passed, in order', () => {
      const now = inReal(-100);
      const handled: unknown[] = [];
      let current: ReturnType<typeof ahead> | null = ahead(24);
      while (current) {
        const due: Due = dueOf(current, now);
        handled.push(due);
        const nextDueAt: Date = nextDueOf(current, decidedAt(current.nextDueAt, current.clockOffsetMs, now));
        current = due === 'completion' ? null : { ...current, nextDueAt };
      }
      expect(handled).toEqual(['reminder', 'reminder', 'completion']);
    });
  });
});
