/** What an event says of an object: as it is, and the former values of what was changed. */
export interface EventData {
  object: Record<string, unknown>;
  previous_attributes: Record<string, unknown> | null;
}

// What people write, of any object that is told of: a session's and a booking's notes, a review's comment.
const TEXTS = ['notes', 'comment', 'medical_notes', 'emergency_contact'];

function withoutTexts(payload: Record<string, unknown>): Record<string, unknown> {
  const { cancellation, ...kept } = Object.fromEntries(Object.entries(payload).filter(([key]) => !TEXTS.includes(key)));
  if (!('cancellation' in payload)) return kept;
  if (cancellation === null || typeof cancellation !== 'object') return { ...kept, cancellation };
  const { reason: _, ...facts } = cancellation as Record<string, unknown>;
  return { ...kept, cancellation: facts };
}

/**
 * The data of an event without what people wrote (contract, Events): words about a child would outlive its erasure here.
 * Services leave it out; a replica of a former release did not yet.
 */
export const withoutFreeText = ({ object, previous_attributes }: EventData): EventData => ({
  object: withoutTexts(object),
  previous_attributes: previous_attributes && withoutTexts(previous_attributes),
});
