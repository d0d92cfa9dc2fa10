import { z } from 'zod';
import { id, idText, instantText, nameText, patch, text } from '../formats/formats.js';
import { changingFilters, listQuery, metadataFilter, severalIds } from '../formats/list-query.js';
import { metadata, metadataAnswer, metadataPatch } from '../formats/metadata.js';
import { apiObject } from '../formats/object-kinds.js';
import { timezone } from '../formats/time-zones.js';
import { rpc } from '../operations/operation.js';

/** A place with lanes; `lanes` bounds how many groups may swim in it at once. */
export const pool = apiObject('pool', {
  id: idText('pool'),
  account_id: idText('acct'),
  name: z.string(),
  address: z.string(),
  latitude: z.number(),
  longitude: z.number(),
  timezone: z.string(),
  lanes: z.int().nullable(),
  metadata: metadataAnswer,
  created_at: instantText,
  updated_at: instantText,
});
export type Pool = z.output<typeof pool>;

const poolFields = {
  name: nameText(200),
  address: text(500, 1),
  latitude: z.number().min(-90).max(90),
  longitude: z.number().min(-180).max(180),
  timezone,
  lanes: z.int().min(1).max(100).nullable(),
};

export const createPool = rpc('scheduling.createPool', {
  summary: 'Create a pool',
  description: 'Adds a pool to the school. With `lanes`, no more groups than lanes use it at once.',
  kind: 'write',
  input: z.strictObject({ ...poolFields, lanes: poolFields.lanes.optional(), metadata: metadata.optional() }),
  output: pool,
  errors: ['school_only'],
});

export const getPool = rpc('scheduling.getPool', {
  summary: 'Get a pool',
  description: 'A pool with address, place, time zone and lanes.',
  kind: 'read',
  callers: ['gateway', 'people'],
  input: z.strictObject({ pool_id: id('pool') }),
  output: pool,
  errors: ['resource_not_found'],
});

export const listPools = rpc('scheduling.listPools', {
  summary: 'List pools',
  description: 'Pools of all schools, newest first.',
  kind: 'list',
  input: listQuery({
    account_id: severalIds('acct')
      .meta({ description: 'At most 100 identifiers of schools, comma-separated: only their pools' })
      .optional(),
    ...changingFilters('pool'),
    ...metadataFilter,
  }),
  output: pool,
});

/**
 * Changes a pool of the requesting school. Other lanes count from the next claim on: where more groups are in the pool than
 * it has lanes now, they stay, and no more come in.
 */
export const updatePool = rpc('scheduling.updatePool', {
  summary: 'Update a pool',
  description: 'Changes the fields that are sent.',
  kind: 'write',
  reads: getPool,
  input: z.strictObject({ pool_id: id('pool'), changes: patch({ ...poolFields, metadata: metadataPatch }) }),
  output: pool,
  errors: ['school_only', 'resource_not_found', 'change_in_progress', 'too_long'],
});
export type PoolChanges = z.output<typeof updatePool.input>['changes'];

export const removePool = rpc('scheduling.removePool', {
  summary: 'Remove a pool',
  description: 'A pool in which sessions are still to take place cannot be removed.',
  kind: 'write',
  input: z.strictObject({ pool_id: id('pool') }),
  output: z.object({}),
  errors: ['school_only', 'resource_not_found', 'invalid_state', 'change_in_progress'],
});
