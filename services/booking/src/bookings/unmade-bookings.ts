import type { EventCause } from '@swim/contracts';
import type { BookingDocument } from './booking.schema.js';
import type { NewDraft, RequestedTimes } from './draft.schema.js';

/** A booking in progress as a former release stored it among the made ones, without readers. */
interface UnmadeBooking extends Omit<BookingDocument, 'status'> {
  status: 'claiming' | 'failed';
  cause: EventCause;
  requested: RequestedTimes;
}

/** Thrown where a booking that is not made has the id of one that is to be stored. */
export class Unmade extends Error {
  constructor(readonly booking: BookingDocument) {
    super('A former release has begun this booking.');
  }
}

/** Whether a stored booking is one in progress, or one that was not made, of a former release. */
export const isUnmade = ({ status }: { status: string }): boolean => status === 'claiming' || status === 'failed';

/** The draft of a booking in progress of a former release. */
export function draftOf(booking: BookingDocument): NewDraft {
  const { _id, accountId, cause, requested, ...rest } = booking as unknown as UnmadeBooking;
  const { schoolId, instructorId, memberIds, notes, metadata, prepay, terms, currency, clockOffsetMs } = rest;
  return {
    _id,
    accountId,
    cause,
    times: { ...requested, holdId: requested.holdId ?? null },
    booking: {
      ...{ schoolId, instructorId, memberIds, notes, prepay, currency },
      paymentMethodId: rest.paymentMethodId,
      creditId: rest.creditId ?? null,
      ...(metadata ? { metadata } : {}),
      ...(terms ? { terms } : {}),
      ...(clockOffsetMs === undefined ? {} : { clockOffsetMs }),
    },
  };
}
