import type { Closure, ClosureObject } from '@swim/contracts';
import type { ClosureDocument } from '../calendar/closed/closure.schema.js';

/** Maps a closure to its events, which do not have its reason. */
export const toClosureObject = (document: ClosureDocument): ClosureObject => ({
  id: document._id,
  account_id: document.accountId,
  pool_ids: document.poolIds,
  instructor_ids: document.instructorIds,
  from: document.from.toISOString(),
  to: document.to.toISOString(),
  // Only one that is done can be removed.
  status: document.status === 'done' || document.status === 'removed' ? 'done' : 'running',
  lessons: document.lessons,
  sessions: document.sessions,
  cancelled: document.cancelled,
  created_at: document.createdAt.toISOString(),
  updated_at: document.updatedAt.toISOString(),
});

/** Maps a closure to the API's JSON. */
export const toClosure = (document: ClosureDocument): Closure => ({
  ...toClosureObject(document),
  reason: document.reason,
});
