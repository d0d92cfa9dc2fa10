import type { Pool } from '@swim/contracts';
import { metadataOf } from '@swim/mongo';
import type { PoolDocument } from './pool.schema.js';

/** Maps a stored pool to the API's JSON. */
export const toPool = (document: PoolDocument): Pool => ({
  id: document._id,
  account_id: document.accountId,
  name: document.name,
  address: document.address,
  latitude: document.latitude,
  longitude: document.longitude,
  timezone: document.timezone,
  lanes: document.lanes,
  metadata: metadataOf(document.metadata),
  created_at: document.createdAt.toISOString(),
  updated_at: document.updatedAt.toISOString(),
});
