import { z } from 'zod';
import { distinct, id, idText, instantText, nameText, patch } from '../formats/formats.js';
import { changingFilters, listQuery, several } from '../formats/list-query.js';
import { apiObject } from '../formats/object-kinds.js';
import { event } from '../operations/event.js';
import { rpc } from '../operations/operation.js';

export const CONNECTION_STATUSES = ['active', 'ended'] as const;
export const CONNECTION_ORIGINS = ['booking', 'family', 'school'] as const;
/** Who ends connections; `time`: 365 days without anything of the account. */
export const CONNECTION_SIDES = ['family', 'school', 'time'] as const;
export type ConnectionSide = (typeof CONNECTION_SIDES)[number];
/** The most members that one connection names, and one request. */
const MOST_MEMBERS = 100;

/** That a school knows members of an account: while it is active, the school may read and book those that it names. */
export const connection = apiObject('connection', {
  id: idText('con'),
  school_id: idText('acct').meta({ description: 'The school' }),
  account_id: idText('acct').meta({ description: 'The account of the members' }),
  member_ids: z
    .array(idText('mem'))
    .meta({ description: 'The members whom the school may read and book while it is active' }),
  status: z.enum(CONNECTION_STATUSES),
  origin: z.enum(CONNECTION_ORIGINS).meta({ description: 'By what it was made' }),
  external_id: z.string().nullable().meta({ description: 'Id of the school for the account' }),
  created_at: instantText,
  updated_at: instantText,
  ended_at: instantText.nullable().meta({ description: 'When it ended; null while it is active' }),
  ended_by: z
    .enum(CONNECTION_SIDES)
    .nullable()
    .meta({ description: 'Who ended it; `time`: nothing of the account for 365 days. Null while it is active' }),
});
export type Connection = z.output<typeof connection>;

const members = distinct(z.array(id('mem')).min(1).max(MOST_MEMBERS, { abort: true }));
const externalId = nameText(200);

export const createConnection = rpc('people.createConnection', {
  summary: 'Connect with a school',
  description:
    'Lets a school read and book members of the account, as a booking does. Members are added to a connection that is active; one that the account or time has ended begins anew with these members alone.',
  kind: 'write',
  input: z.strictObject({
    school_id: id('acct').meta({ description: 'The school' }),
    member_ids: members.meta({ description: 'Own members whom the school may read and book' }),
  }),
  output: connection,
  errors: ['not_found', 'connection_ended', 'change_in_progress'],
});

const ofConnection = z.strictObject({ connection_id: id('con') });

export const getConnection = rpc('people.getConnection', {
  summary: 'Get a connection',
  description: 'A connection of the account, active or ended.',
  kind: 'read',
  input: ofConnection,
  output: connection,
  errors: ['resource_not_found'],
});

export const listConnections = rpc('people.listConnections', {
  summary: 'List connections',
  description:
    'The connections of the account, newest first: those of a family with schools, or of a school with families.',
  kind: 'list',
  input: listQuery({
    status: several(CONNECTION_STATUSES).optional(),
    school_id: id('acct').optional().meta({ description: 'Only those with this school' }),
    account_id: id('acct').optional().meta({ description: 'Only those with this account' }),
    member_id: id('mem').optional(),
    external_id: externalId.optional(),
    ...changingFilters('con'),
  }),
  output: connection,
});

export const updateConnection = rpc('people.updateConnection', {
  summary: 'Update a connection',
  description:
    'The account changes `member_ids`: lessons to come of a member that is left out are cancelled as by the account. The school changes `external_id`, and sends `status: active` to reopen a connection that it has ended.',
  kind: 'write',
  reads: getConnection,
  input: z.strictObject({
    connection_id: id('con'),
    changes: patch({
      member_ids: members,
      status: z.enum(['active'], { error: 'invalid_value' }),
      external_id: externalId.nullable(),
      notify_participants: z.boolean(),
    }),
  }),
  output: connection,
  errors: [
    'resource_not_found',
    'school_only',
    'foreign_account',
    'not_found',
    'invalid_state',
    'already_exists',
    'change_in_progress',
  ],
});
export type ConnectionChanges = z.output<typeof updateConnection.input>['changes'];

export const endConnection = rpc('people.endConnection', {
  summary: 'End a connection',
  description:
    'By the school or the account. Lessons to come are cancelled as by the side that ends it, and the school may not read the members any more; records of lessons given, and what is due, stay. Ending it twice answers the same.',
  kind: 'write',
  input: z.strictObject({ connection_id: id('con'), notify_participants: z.boolean().default(true) }),
  output: connection,
  errors: ['resource_not_found', 'change_in_progress'],
});

/**
 * The active connection of an account with a school, its generation, which each end increases, and when it last ended, in real time; null
 * without one.
 */
export const findConnection = rpc('people.findConnection', {
  kind: 'read',
  // Booking asks for it while people waits for booking: requests that wait must not keep it from being answered.
  isIsolated: true,
  callers: ['booking'],
  input: z.strictObject({ schoolId: id('acct'), accountId: id('acct') }),
  output: z.object({
    connection: z
      .object({
        id: z.string(),
        memberIds: z.array(z.string()),
        generation: z.int(),
        lastEndedAt: z.string().optional(),
      })
      .nullable(),
  }),
});

/**
 * Makes the connection of an account that has booked, or is in line, or adds its members, before its events are published. What was planned
 * in a generation before an end, or before a member was left out, gives no right. Idempotent.
 */
export const connectBooked = rpc('people.connectBooked', {
  kind: 'write',
  callers: ['scheduling'],
  input: z.strictObject({
    schoolId: id('acct'),
    accountId: id('acct'),
    memberIds: z.array(id('mem')).min(1).max(20),
    generation: z.int(),
  }),
  output: z.object({}),
});

/**
 * Cancels the lessons to come, and the places in line, that an account has with a school by an earlier generation of their connection
 * than that of its end, as by that side; and as by the account those of members that it has left out. Idempotent.
 */
export const cancelUnconnected = rpc('scheduling.cancelUnconnected', {
  kind: 'write',
  callers: ['people'],
  isIsolated: true,
  input: z.strictObject({
    schoolId: id('acct'),
    accountId: id('acct'),
    generation: z.int(),
    end: z.strictObject({ generation: z.int(), by: z.enum(['family', 'school']), notify: z.boolean() }).nullable(),
    left: z.array(z.strictObject({ memberId: id('mem'), generation: z.int(), isQuiet: z.boolean().optional() })),
  }),
  output: z.object({ done: z.boolean() }),
});

export const connectionCreated = event('people', 'connection.created', connection);
export const connectionEnded = event('people', 'connection.ended', connection);
