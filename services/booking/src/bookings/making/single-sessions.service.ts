import { Injectable } from '@nestjs/common';
import {
  claimBooking,
  createBooking,
  createSession,
  describeParticipants,
  getSession,
  makeSession,
  type ParsedOf,
  type Participants,
  type Session,
  teachingRulesOf,
  teachingWarnings,
} from '@swim/contracts';
import { RpcClient, Serve } from '@swim/messaging';
import { AppError, accountTime, Clock, type RequestContext } from '@swim/platform';
import { newDraft } from '../drafts/new-draft.js';
import { type BookingInput, findRejection } from '../request/booking.rules.js';
import { throwRejection } from '../request/rejection.js';
import { claimOf } from './booking-saga.service.js';
import { BookingsService } from './bookings.service.js';

type Requested = ParsedOf<typeof createSession>;

/** Sessions that are requested by themselves: each is a booking of that one, unless the instructor's school makes it. */
@Injectable()
export class SingleSessionsService {
  constructor(
    private readonly bookings: BookingsService,
    private readonly rpc: RpcClient,
    private readonly clock: Clock,
  ) {}

  @Serve(createSession)
  async create(input: Requested, request: RequestContext): Promise<Session> {
    const context = { ...request, isQuiet: !input.notify_participants };
    const id = context.newId('bkg');
    try {
      const made = context.resumed ? await this.bookings.resume(id, context) : null;
      if (made) return await this.rpc.call(getSession, { session_id: made.sessions[0]!.id }, context);
      const who = { instructorId: input.instructor_id, memberIds: [input.member_id] };
      const participants = await this.rpc.call(describeParticipants, who, context);
      if (participants.instructor?.schoolId === context.principal.accountId)
        return await this.rpc.forward(makeSession, input, context);
      return await this.book(id, input, participants, context);
    } catch (error) {
      throw asOfSession(error);
    }
  }

  private async book(
    id: string,
    requested: Requested,
    participants: Participants,
    context: RequestContext,
  ): Promise<Session> {
    context.warnings.push(...teachingWarnings(participants, [requested.date]));
    const input = bookingOf(requested);
    const rejection = findRejection({
      input,
      participants,
      makerId: context.principal.accountId,
      now: accountTime(this.clock, context.principal.env, participants.clockOffsetMs),
    });
    if (rejection) throwRejection(rejection);
    if (participants.policies!.requirePrepayment) throw new AppError('prepayment_required', { field: 'instructor_id' });
    const fresh = newDraft(id, input, participants, context);
    const rules = teachingRulesOf(participants.instructor!, participants);
    const terms = { rules, single: { metadata: requested.metadata } };
    const { sessions } = context.dryRun
      ? await this.rpc.call(claimBooking, { ...claimOf(fresh, terms), dryRun: true }, context)
      : await this.bookings.make(fresh, terms, context);
    return sessions![0]!;
  }
}

/** The booking of one session. Its metadata is the session's own. */
function bookingOf({ instructor_id, member_id, date, duration_minutes, location, notes }: Requested): BookingInput {
  const sessions = [{ date, duration_minutes }];
  const input = createBooking.input.parse({ instructor_id, member_ids: [member_id], sessions, location, notes });
  return { ...input, instructor_id, sessions };
}

const FIELDS: Readonly<Record<string, string>> = { 'member_ids.0': 'member_id', 'sessions.0.date': 'date' };

/** The error of a booking of one session as one of the session. */
function asOfSession(error: unknown): unknown {
  const field = error instanceof AppError ? FIELDS[error.details.field ?? ''] : undefined;
  return field ? new AppError((error as AppError).reason, { field }) : error;
}
