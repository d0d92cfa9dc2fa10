/** The data of an event: the object, and the former values of its changed fields. */
export interface EventData {
  object: Record<string, unknown>;
  previous_attributes: Record<string, unknown> | null;
}

// Free-text fields of any object: notes of sessions and bookings, comments of reviews.
const TEXTS = ['notes', 'comment', 'medical_notes', 'emergency_contact'];

function withoutTexts(payload: Record<string, unknown>): Record<string, unknown> {
  const { cancellation, ...kept } = Object.fromEntries(Object.entries(payload).filter(([key]) => !TEXTS.includes(key)));
  if (!('cancellation' in payload)) return kept;
  if (cancellation === null || typeof cancellation !== 'object') return { ...kept, cancellation };
  const { reason: _, ...facts } = cancellation as Record<string, unknown>;
  return { ...kept, cancellation: facts };
}

/**
 * The data of an event without free text (contract, Events): a text about a child must not outlive its erasure here. Services
 * omit it; replicas of a former release did not.
 */
export const withoutFreeText = ({ object, previous_attributes }: EventData): EventData => ({
  object: withoutTexts(object),
  previous_attributes: previous_attributes && withoutTexts(previous_attributes),
});
