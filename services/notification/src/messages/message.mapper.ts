import type { Message, MessageKind } from '@swim/contracts';
import type { MessageDocument } from './message.schema.js';

/** Maps a message to the API's JSON. */
export const toMessage = (document: MessageDocument): Message => ({
  id: document._id,
  // Messages to users of the dashboard are in no list.
  kind: document.kind as MessageKind,
  instructor_id: document.instructorId ?? null,
  status: document.status,
  reason: document.reason,
  recipient: document.recipient,
  event_ids: document.eventIds,
  attempts: document.attempts,
  last_response: document.lastResponse,
  next_attempt_at: document.status === 'pending' ? (document.dueAt?.toISOString() ?? null) : null,
  sent_at: document.sentAt?.toISOString() ?? null,
  created_at: document.createdAt.toISOString(),
  updated_at: document.updatedAt.toISOString(),
});
