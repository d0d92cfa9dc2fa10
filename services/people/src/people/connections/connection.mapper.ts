import type { Connection } from '@swim/contracts';
import type { ConnectionDocument } from './connection.schema.js';

/** Maps a connection to the API's JSON, and to its events. */
export const toConnection = (document: ConnectionDocument): Connection => ({
  id: document._id,
  school_id: document.schoolId,
  account_id: document.accountId,
  member_ids: document.memberIds,
  status: document.status,
  origin: document.origin,
  external_id: document.externalId ?? null,
  created_at: document.createdAt.toISOString(),
  updated_at: document.updatedAt.toISOString(),
  ended_at: document.endedAt?.toISOString() ?? null,
  ended_by: document.endedBy,
});
