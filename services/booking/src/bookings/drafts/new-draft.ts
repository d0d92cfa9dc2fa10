import { heldSessionSalts, type Participants } from '@swim/contracts';
import { metadataChange } from '@swim/mongo';
import { causeOf, clockOffsetIn, derivedId, type RequestContext } from '@swim/platform';
import { type BookingInput, bookingTermsOf, requestedSlots } from '../request/booking.rules.js';
import type { NewDraft, StoredEnrollment } from './draft.schema.js';

/** The draft of a request under this id, before its first write. */
export function newDraft(
  id: string,
  input: BookingInput & { enrollment?: StoredEnrollment | undefined },
  { instructor, members, policies, clockOffsetMs }: Participants,
  context: RequestContext,
): NewDraft {
  const startsMs = input.sessions.map(({ date }) => Date.parse(date));
  const saltOf = input.hold_id
    ? heldSessionSalts(startsMs)
    : (index: number, memberId: string) => `${index}/${memberId}`;
  const sessionId = (index: number, memberId: string) => derivedId('ses', input.hold_id ?? id, saltOf(index, memberId));
  return {
    _id: id,
    accountId: members[0]!.accountId,
    cause: causeOf(context),
    times: {
      slots: requestedSlots(input, instructor!, sessionId),
      onConflict: input.on_conflict,
      location: input.location ?? null,
      holdId: input.hold_id ?? null,
    },
    booking: {
      schoolId: instructor!.schoolId,
      instructorId: input.instructor_id,
      memberIds: input.member_ids,
      paymentMethodId: input.payment_method_id ?? null,
      creditId: input.makeup_credit_id ?? null,
      notes: input.notes ?? null,
      ...metadataChange(undefined, input.metadata),
      ...(input.enrollment ? { enrollment: input.enrollment } : {}),
      prepay: policies!.requirePrepayment,
      terms: bookingTermsOf(instructor!, policies!),
      currency: instructor!.currency,
      ...clockOffsetIn(context.principal.env, clockOffsetMs),
    },
  };
}
