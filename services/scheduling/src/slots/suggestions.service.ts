import { Injectable } from '@nestjs/common';
import type { DateConflict } from '@swim/contracts';
import { AppError } from '@swim/platform';
import { CalendarService } from '../calendar/calendar.service.js';
import { fullSpans } from '../calendar/claim.rules.js';
import { ClosureReasonsRepository } from '../calendar/closed/closure-reasons.repository.js';
import { occupiedSpan, type Span, suggestionRange, suggestStarts } from '../calendar/hours/availability.rules.js';
import { MINUTE_MS } from '../calendar/hours/local-time.rules.js';
import { lessonIdOf, type RejectedSlot, type Slot, type SlotsRequest } from './slot.rules.js';

type SuggestionsRequest = Pick<SlotsRequest, 'rules' | 'pool' | 'slots' | 'nowMs'>;

/** Builds the errors of rejected slots, with bookable times near them. */
@Injectable()
export class SuggestionsService {
  constructor(
    private readonly calendar: CalendarService,
    private readonly reasons: ClosureReasonsRepository,
  ) {}

  /** The error of a single lesson. */
  async rejection([first]: RejectedSlot[], requested: SuggestionsRequest): Promise<AppError> {
    const suggestions = await this.suggest(first!.slot, requested);
    const details = { ...causeOf(first!), ...(await this.closureOf(first!, requested)), suggestions };
    return new AppError(first!.reason, { field: 'date', details, ...messageOf(first!, requested) });
  }

  /** The error of a booking: one conflict for each rejected date, in the order of the request. Where all are closed, it says so itself. */
  async conflict(rejected: RejectedSlot[], requested: SuggestionsRequest): Promise<AppError> {
    const describe = async (each: RejectedSlot): Promise<DateConflict> => ({
      index: requested.slots.findIndex(({ startMs }) => startMs === each.slot.startMs),
      date: new Date(each.slot.startMs).toISOString(),
      ...causeOf(each),
      ...(await this.closureOf(each, requested)),
      reason: each.reason,
      suggestions: await this.suggest(each.slot, requested),
    });
    const conflicts = await Promise.all(rejected.map(describe));
    conflicts.sort((one, other) => one.index - other.index);
    if (conflicts.every(({ reason }) => reason === 'closed')) {
      const { closure_reason, closed_until, suggestions } = conflicts[0]!;
      return new AppError('closed', {
        field: 'sessions',
        details: { closure_reason, closed_until, suggestions, conflicts },
      });
    }
    return new AppError('conflicting_dates', { field: 'sessions', details: { conflicts } });
  }

  /** Which closure is in the way of a slot, and until when; empty where none is. */
  async closureOf(
    { slot, closedBy }: RejectedSlot,
    { rules, pool }: Pick<SuggestionsRequest, 'rules' | 'pool'>,
  ): Promise<Pick<DateConflict, 'closure_reason' | 'closed_until'>> {
    if (!closedBy) return {};
    const fromMs = Math.max(slot.startMs, closedBy.from.getTime());
    const untilMs = await this.calendar.closedUntil([lessonIdOf(slot), ...closableOf(slot, { rules, pool })], fromMs);
    const closure_reason = await this.reasons.find(closedBy.id);
    return { closure_reason, closed_until: new Date(untilMs).toISOString() };
  }

  private async suggest(
    slot: Slot,
    { rules, pool, slots, nowMs }: SuggestionsRequest,
  ): Promise<DateConflict['suggestions']> {
    const { startMs, endMs } = suggestionRange(slot.startMs);
    // The sessions' own time is free for them.
    const busyOf = async (resource: string, own: string) =>
      (await this.calendar.busy(resource, startMs, endMs)).filter(({ holder }) => holder !== own);
    const lessonId = lessonIdOf(slot);
    const [closed, busy, lanes, ...members] = await Promise.all([
      this.calendar.closed(closable({ rules, pool }), startMs, endMs),
      busyOf(rules.instructorId, lessonId),
      pool ? busyOf(pool.id, lessonId).then((spans) => fullSpans(spans, pool.lanes)) : [],
      ...slot.sessions.map(({ id, memberId }) => busyOf(memberId, id)),
    ]);
    // The other dates of the same booking will be taken too.
    const others: Span[] = slots
      .filter((other) => other !== slot)
      .map((other) => occupiedSpan(rules.schedule, other.startMs, other.endMs));
    const duration_minutes = (slot.endMs - slot.startMs) / MINUTE_MS;
    const found = suggestStarts({
      schedule: rules.schedule,
      timezone: rules.timezone,
      busy: [...busy, ...others],
      memberBusy: [...closed, ...lanes, ...members.flat()],
      requestedStartUtc: slot.startMs,
      nowUtc: nowMs,
      durationMinutes: duration_minutes,
    });
    return found.map((span) => ({
      start: new Date(span.startMs).toISOString(),
      end: new Date(span.endMs).toISOString(),
      date: new Date(span.startMs).toISOString(),
      duration_minutes,
    }));
  }
}

/** The resources of the lesson of a slot that a school can close. */
const closableOf = ({ place }: Slot, request: Parameters<typeof closable>[0]): string[] =>
  place?.of ? [place.of.instructorId, place.of.location?.pool_id ?? []].flat() : closable(request);

/** The resources of a new lesson that a school can close. */
const closable = ({ rules, pool }: Pick<SuggestionsRequest, 'rules' | 'pool'>): string[] =>
  [rules.instructorId, pool?.id ?? []].flat();

/** The member who is busy, or the rule that a time breaks. */
function causeOf({ memberId, offer }: RejectedSlot): Pick<DateConflict, 'member_id' | 'rule' | 'opens_at'> {
  return {
    ...(memberId === undefined ? {} : { member_id: memberId }),
    ...(offer ? { rule: offer.rule } : {}),
    ...(offer && 'opensAtMs' in offer ? { opens_at: new Date(offer.opensAtMs).toISOString() } : {}),
  };
}

/** The message of a lesson outside the published hours, by the rule that it breaks. */
function messageOf(rejected: RejectedSlot, { rules: { schedule } }: SuggestionsRequest): { message?: string } {
  const { rule, opens_at: opensAt } = causeOf(rejected);
  switch (rule) {
    case 'notice':
      return {
        message: `The instructor needs ${schedule.minimum_notice_minutes} minutes of notice. Choose a date from ${opensAt} on.`,
      };
    case 'days_ahead':
      return {
        message: `The instructor takes bookings at most ${schedule.maximum_days_ahead} days ahead. This time can be booked from ${opensAt} on.`,
      };
    default:
      return {};
  }
}
