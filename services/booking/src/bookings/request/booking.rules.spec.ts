import { describe, expect, it } from '@jest/globals';
import type { Participants } from '@swim/contracts';
import { aSchedule } from '@swim/testing';
import {
  batchesOf,
  findRejection,
  inOrder,
  notesOfSessions,
  type Proposal,
  requestedSlots,
  termsOf,
} from './booking.rules.js';

const NOW = new Date('2027-03-01T10:00:00.000Z');

const instructor: NonNullable<Participants['instructor']> = {
  id: 'ins_1',
  schoolId: 'acct_school',
  name: 'Coach',
  status: 'active',
  timezone: 'UTC',
  schedule: aSchedule(),
  hourlyRateCents: 5_000,
  currency: 'USD',
  maxGroupSize: 2,
  certifiedUntil: null,
  levelsTaught: [],
  defaultPoolId: null,
  poolIds: [],
  version: 1,
};

const input: Proposal['input'] = {
  instructor_id: 'ins_1',
  member_ids: ['mem_1', 'mem_2'],
  sessions: [
    { date: '2027-03-02T10:00:00.000Z', duration_minutes: 20 },
    { date: '2027-03-01T10:00:00.001Z', duration_minutes: 60 },
  ],
  on_conflict: 'fail',
  notify_participants: true,
};

const proposal = (changes: Partial<Proposal> = {}, participants: Partial<Participants> = {}): Proposal => ({
  input,
  participants: {
    instructor,
    policies: null,
    members: [
      { id: 'mem_1', accountId: 'acct_family', level: 'beginner' },
      { id: 'mem_2', accountId: 'acct_family', level: 'beginner' },
    ],
    ...participants,
  },
  makerId: 'acct_family',
  now: NOW,
  ...changes,
});

describe('a booking', () => {
  it('may be made by the account of its members, or by the school of its instructor', () => {
    expect(findRejection(proposal())).toBeNull();
    expect(findRejection(proposal({ makerId: 'acct_school' }))).toBeNull();
    expect(findRejection(proposal({ makerId: 'acct_other_school' }))).toEqual({ reason: 'school_only' });
  });

  it('requires an existing, active instructor', () => {
    expect(findRejection(proposal({}, { instructor: null }))).toEqual({ reason: 'not_found', field: 'instructor_id' });
    const inactive = { instructor: { ...instructor, status: 'inactive' as const } };
    expect(findRejection(proposal({}, inactive))).toEqual({ reason: 'inactive_instructor', field: 'instructor_id' });
  });

  it('is rejected at the first member that the account cannot see', () => {
    const members = [{ id: 'mem_1', accountId: 'acct_family', level: 'beginner' as const }, null];
    expect(findRejection(proposal({}, { members }))).toEqual({ reason: 'not_found', field: 'member_ids.1' });
  });

  it('is for members of one account', () => {
    const members = [
      { id: 'mem_1', accountId: 'acct_family', level: 'beginner' as const },
      { id: 'mem_2', accountId: 'acct_neighbour', level: 'beginner' as const },
    ];
    expect(findRejection(proposal({}, { members }))).toEqual({
      reason: 'members_of_several_accounts',
      field: 'member_ids',
    });
  });

  it('is for at most as many members as the instructor teaches at once', () => {
    const alone = { ...instructor, maxGroupSize: 1 };
    expect(findRejection(proposal({}, { instructor: alone }))).toEqual({
      reason: 'group_too_large',
      field: 'member_ids',
      message: 'member_ids must have at most 1 item with this instructor; you sent 2.',
      details: { maximum: 1 },
    });
  });

  it('requires every date to be in the future', () => {
    const now = new Date('2027-03-01T10:00:00.001Z');
    expect(findRejection(proposal({ now }))).toEqual({ reason: 'in_past', field: 'sessions.1.date' });
    const long = new Date('2017-03-01T09:30:00Z');
    expect(findRejection(proposal({ now: long }))).toMatchObject({ reason: 'too_far_ahead' });
  });

  it('has a session and a price for each date and member, with ids by position and member', () => {
    const slots = requestedSlots(input, instructor, (index, memberId) => `${index}/${memberId}`);
    expect(slots.map(({ date, priceCents }) => [date, priceCents])).toEqual([
      ['2027-03-02T10:00:00.000Z', 1_667],
      ['2027-03-01T10:00:00.001Z', 5_000],
    ]);
    expect(slots.map(({ sessions }) => sessions.map(({ id }) => id))).toEqual([
      ['0/mem_1', '0/mem_2'],
      ['1/mem_1', '1/mem_2'],
    ]);
  });
});

describe('the terms of a booking', () => {
  const payUntil = new Date('2027-03-01T10:15:00.000Z');

  it('are the sum of its sessions, confirmed at once', () => {
    expect(termsOf([1_667, 1_667], { prepay: false, payUntil, creditedCents: 0 })).toEqual({
      status: 'confirmed',
      amountCents: 3_334,
      expiresAt: null,
    });
  });

  it('are pending where the school requires prepayment', () => {
    expect(termsOf([1_000], { prepay: true, payUntil, creditedCents: 0 })).toEqual({
      status: 'pending',
      amountCents: 1_000,
      expiresAt: payUntil,
    });
  });

  it('are confirmed at once for a free booking', () => {
    expect(termsOf([0, 0], { prepay: true, payUntil, creditedCents: 0 })).toEqual({
      status: 'confirmed',
      amountCents: 0,
      expiresAt: null,
    });
  });
});

describe('responding', () => {
  it('orders sessions by date, then by the order of the members in the request', () => {
    const session = (date: string, member_id: string) => ({ date, member_id });
    const mixed = [session('b', 'm1'), session('a', 'm2'), session('a', 'm1'), session('b', 'm2')];
    expect(inOrder(mixed, ['m2', 'm1'])).toEqual([
      session('a', 'm2'),
      session('a', 'm1'),
      session('b', 'm2'),
      session('b', 'm1'),
    ]);
  });

  it('requests as many bookings at once as fit into a reply, and at least one', () => {
    const booking = (sessionCount: number) => ({ sessions: Array(sessionCount).fill({}), notes: 'ü'.repeat(48) });
    const [small, large] = [booking(100), booking(1_000)];
    expect(batchesOf([small, small, large, small])).toEqual([[small, small], [large], [small]]);
    expect(batchesOf([])).toEqual([]);
  });

  it('repeats the notes in each session, unless they would exceed the size of a reply', () => {
    expect(notesOfSessions('a'.repeat(2_000), 520)).toBe('a'.repeat(2_000));
    expect(notesOfSessions('\u0001'.repeat(2_000), 520)).toBeNull();
    expect(notesOfSessions('\u0001'.repeat(2_000), 52)).toBe('\u0001'.repeat(2_000));
    expect(notesOfSessions(null, 520)).toBeNull();
  });
});
