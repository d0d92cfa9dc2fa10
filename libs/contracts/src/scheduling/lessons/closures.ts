import { z } from 'zod';
import { distinct, hasOneOf, id, idText, instantText, text, timestamp } from '../../formats/formats.js';
import { listQuery, several } from '../../formats/list-query.js';
import { apiObject } from '../../formats/object-kinds.js';
import { event } from '../../operations/event.js';
import { rpc } from '../../operations/operation.js';

export const CLOSURE_STATUSES = ['running', 'done'] as const;
const MOST_RESOURCES = 100;
/** The most days of pools and instructors, counted together, that one closure may close. */
export const MOST_RESOURCE_DAYS = 3_000;

/** Time in which a school gives no lessons in pools, or with instructors. */
export const closure = apiObject('closure', {
  id: idText('clo'),
  account_id: idText('acct'),
  pool_ids: z.array(idText('pool')).meta({ description: 'The pools that are closed' }),
  instructor_ids: z.array(idText('ins')).meta({ description: 'The instructors who give no lessons' }),
  from: instantText.meta({ description: 'The first instant that is closed' }),
  to: instantText.meta({ description: 'The first instant that is not closed any more' }),
  reason: z.string(),
  status: z
    .enum(CLOSURE_STATUSES)
    .meta({ description: '`running`: lessons are still being cancelled. The time is closed from the start' }),
  lessons: z.int().meta({ description: 'How many lessons overlapped the time when it was closed' }),
  sessions: z.int().meta({ description: 'How many sessions these lessons had' }),
  cancelled: z.int().meta({ description: 'How many sessions are cancelled so far' }),
  created_at: instantText,
  updated_at: instantText,
});
export type Closure = z.output<typeof closure>;

const some = <T extends z.ZodType<string>>(ids: T) =>
  distinct(z.array(ids).min(1).max(MOST_RESOURCES, { abort: true }));

export const createClosure = rpc('scheduling.createClosure', {
  summary: 'Close pools or instructors',
  description:
    'From the answer on no lesson is booked, held or moved into the time, and holds in it end. With `lessons: cancel`, lessons that overlap it and have not begun are cancelled as by the school in the background, and each account gets one e-mail about all of its own; with `keep` they stay and take no new members. A dry run counts them. Only the school may.',
  kind: 'write',
  input: z
    .strictObject({
      pool_ids: some(id('pool')).optional().meta({ description: 'Own pools to close; or `instructor_ids`' }),
      instructor_ids: some(id('ins'))
        .optional()
        .meta({ description: 'Own instructors who give no lessons; or `pool_ids`' }),
      from: timestamp.meta({ description: 'The first instant to close' }),
      to: timestamp.meta({ description: 'The first instant that stays open again' }),
      reason: text(500).min(1).meta({ description: 'Why, as those read it who ask for this time' }),
      lessons: z.enum(['cancel', 'keep']).meta({ description: 'What happens to lessons that overlap the time' }),
      refund_as: z
        .enum(['original', 'credit'])
        .default('original')
        .meta({ description: '`credit`: a makeup credit instead of a refund, where the school gives them' }),
      notify_participants: z.boolean().default(true),
    })
    .refine(({ pool_ids, instructor_ids }) => pool_ids || instructor_ids, { error: 'required', path: ['pool_ids'] })
    .refine(({ pool_ids, instructor_ids }) => !pool_ids || !instructor_ids, {
      error: 'mutually_exclusive',
      path: ['instructor_ids'],
      params: { excludes: 'pool_ids' },
    })
    .refine(({ from, to }) => Date.parse(from) < Date.parse(to), {
      error: 'range_reversed',
      path: ['to'],
      params: { expected: 'later than from' },
    })
    .meta(hasOneOf('pool_ids', 'instructor_ids')),
  output: closure,
  errors: ['school_only', 'not_found', 'in_past', 'too_far_ahead', 'range_too_long', 'range_reversed', 'busy_retry'],
});

export const getClosure = rpc('scheduling.getClosure', {
  summary: 'Get a closure',
  description: 'A closure of the school, with how far the cancellation of its lessons has come.',
  kind: 'read',
  input: z.strictObject({ closure_id: id('clo') }),
  output: closure,
  errors: ['resource_not_found'],
});

export const listClosures = rpc('scheduling.listClosures', {
  summary: 'List closures',
  description: 'The closures of the school, newest first.',
  kind: 'list',
  input: listQuery({ status: several(CLOSURE_STATUSES).optional() }),
  output: closure,
});

export const removeClosure = rpc('scheduling.removeClosure', {
  summary: 'Remove a closure',
  description:
    'Gives the time back, as far as no other closure covers it, and offers it to the waitlist. It restores no lesson. Only a closure that is `done` can be removed.',
  kind: 'write',
  input: z.strictObject({ closure_id: id('clo') }),
  output: z.object({}),
  errors: ['resource_not_found', 'invalid_state', 'change_in_progress'],
});

/** The most sessions of one answer of `listClosedSessions`. */
export const MOST_CLOSED_SESSIONS = 500;

const closedSession = z.object({
  id: idText('ses'),
  accountId: idText('acct'),
  memberId: idText('mem'),
  instructorId: idText('ins'),
  date: instantText,
  endDate: instantText,
  version: z.int(),
});
export type ClosedSession = z.output<typeof closedSession>;

/**
 * The sessions that a closure has cancelled and whose participants are to be written to, in order of id, from the one after `after` on.
 * An answer with fewer than the most is the last one.
 */
export const listClosedSessions = rpc('scheduling.listClosedSessions', {
  kind: 'read',
  callers: ['notification'],
  isIsolated: true,
  input: z.strictObject({
    closureId: id('clo'),
    after: id('ses').nullable(),
  }),
  output: z.array(closedSession),
});

/** The object in a closure's events: everything but its reason. */
const closureObject = closure.omit({ reason: true });
export type ClosureObject = z.output<typeof closureObject>;

export const closureCreated = event('scheduling', 'closure.created', closureObject);
export const closureDone = event('scheduling', 'closure.done', closureObject);
export const closureRemoved = event('scheduling', 'closure.removed', closureObject);
