import { Injectable } from '@nestjs/common';
import type { DateConflict, Environment } from '@swim/contracts';
import { AppError } from '@swim/platform';
import { occupiedSpan, type Span, suggestionRange, suggestStarts } from './availability.rules.js';
import { CalendarService } from './calendar.service.js';
import { fullSpans } from './claim.rules.js';
import type { RefusedSlot, Slot, SlotsRequest } from './slots.service.js';

type Wanted = Pick<SlotsRequest, 'rules' | 'pool' | 'slots' | 'nowMs'>;

/** Tells of refused slots, and which times near them could be had as they stand. */
@Injectable()
export class SuggestionsService {
  constructor(private readonly calendar: CalendarService) {}

  /** The refusal of a single lesson. */
  async refusal(env: Environment, [first]: RefusedSlot[], wanted: Wanted): Promise<AppError> {
    const suggestions = await this.suggest(env, first!.slot, wanted);
    return new AppError(first!.reason, { field: 'date', details: { suggestions } });
  }

  /** The refusal of a booking: each date that stands in the way. */
  async conflict(env: Environment, refused: RefusedSlot[], wanted: Wanted): Promise<AppError> {
    const describe = async ({ slot, reason }: RefusedSlot): Promise<DateConflict> => ({
      date: new Date(slot.startMs).toISOString(),
      reason,
      suggestions: await this.suggest(env, slot, wanted),
    });
    const conflicts = await Promise.all(refused.map(describe));
    return new AppError('conflicting_dates', { field: 'sessions', details: { conflicts } });
  }

  private async suggest(
    env: Environment,
    slot: Slot,
    { rules, pool, slots, nowMs }: Wanted,
  ): Promise<DateConflict['suggestions']> {
    const { startMs, endMs } = suggestionRange(slot.startMs);
    const busyOf = (resource: string) => this.calendar.busy(env, resource, startMs, endMs);
    const [busy, lanes, ...members] = await Promise.all([
      busyOf(rules.instructorId),
      pool ? busyOf(pool.id).then((spans) => fullSpans(spans, pool.lanes)) : [],
      ...slot.sessions.map(({ memberId }) => busyOf(memberId)),
    ]);
    // The other dates of the same booking will be taken too.
    const others: Span[] = slots
      .filter((other) => other !== slot)
      .map((other) => occupiedSpan(rules.schedule, other.startMs, other.endMs));
    const found = suggestStarts({
      schedule: rules.schedule,
      timezone: rules.timezone,
      busy: [...busy, ...others],
      memberBusy: [...lanes, ...members.flat()],
      wantedStartUtc: slot.startMs,
      nowUtc: nowMs,
      durationMinutes: (slot.endMs - slot.startMs) / 60_000,
    });
    return found.map((span) => ({
      start: new Date(span.startMs).toISOString(),
      end: new Date(span.endMs).toISOString(),
    }));
  }
}
