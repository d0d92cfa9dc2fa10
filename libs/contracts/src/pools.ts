import { z } from 'zod';
import { id, listQuery, text, timezone } from './formats.js';
import { rpc } from './operation.js';

/** A place with lanes; `lanes` bounds how many groups may swim in it at once. */
export const pool = z.object({
  id: z.string(),
  account_id: z.string(),
  name: z.string(),
  address: z.string(),
  latitude: z.number(),
  longitude: z.number(),
  timezone: z.string(),
  lanes: z.int().nullable(),
  created_at: z.string(),
});
export type Pool = z.output<typeof pool>;

export const createPool = rpc('scheduling.createPool', {
  kind: 'write',
  input: z.strictObject({
    name: text(200, 1),
    address: text(500, 1),
    latitude: z.number().min(-90).max(90),
    longitude: z.number().min(-180).max(180),
    timezone,
    lanes: z.int().min(1).max(100).nullish(),
  }),
  output: pool,
  errors: ['school_only'],
});

export const getPool = rpc('scheduling.getPool', {
  kind: 'read',
  input: z.strictObject({ pool_id: id('pool') }),
  output: pool,
  errors: ['resource_not_found'],
});

export const listPools = rpc('scheduling.listPools', { kind: 'list', input: listQuery({}), output: pool });
