import { setImmediate } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import {
  type AvailableSlot,
  FREE_MINUTES,
  findTeachingHours,
  type InstructorHours,
  listAvailability,
  type Page,
  type ParsedOf,
  placeOf,
} from '@swim/contracts';
import { RpcClient, Serve } from '@swim/messaging';
import { AppError, accountTime, Clock, CursorCodec, type CursorScope, type RequestContext } from '@swim/platform';
import { occupiedSpan } from '../calendar/hours/availability.rules.js';
import type { Span } from '../calendar/hours/span.rules.js';
import { ParticipantResolverService } from '../participants/participant-resolver.service.js';
import { FreeInstructorsService } from './free-instructors.service.js';
import { freeSlotsInPool } from './pool-lanes.rules.js';
import { datesTouching, rangeOf, type TimeRange, utcDateOf, zonedWriter } from './range.rules.js';
import { type InstructorSlot, type SlotPosition, SoonestSlots } from './soonest-slots.rules.js';
import { type TakenTime, TakenTimeService } from './taken-time.service.js';

type ListInput = ParsedOf<typeof listAvailability>;

const LONGEST_TURN_MS = 10;

/** Lists free times of many instructors, soonest first: one request to people, and one query for the days of many of them. */
@Injectable()
export class ListedAvailabilityService {
  @Inject(Clock) private readonly clock!: Clock;

  constructor(
    private readonly rpc: RpcClient,
    private readonly takenTime: TakenTimeService,
    private readonly freeInstructors: FreeInstructorsService,
    private readonly cursors: CursorCodec,
    private readonly participants: ParticipantResolverService,
  ) {}

  @Serve(listAvailability)
  async list(requested: ListInput, context: RequestContext): Promise<Page<AvailableSlot>> {
    const { env } = context.principal;
    // Only the default range depends on the caller's clock alone.
    const offsetMs = requested.date_from === undefined ? await this.participants.clockOffset(context) : 0;
    const range = rangeOf(requested, accountTime(this.clock, env, offsetMs).getTime());
    if ('rejected' in range) throw new AppError(range.rejected, range.extras);
    const { limit, offset = 0, cursor, timezone, duration_minutes } = requested;
    const bound = boundOf(requested, context);
    const after = cursor === undefined ? null : positionIn(this.cursors.decode(cursor, bound));
    const soonest = new SoonestSlots({ after, offset, limit });
    for await (const batch of this.findInstructors(requested, range, context)) {
      await this.addSlots(soonest, batch, { ...requested, range }, context);
    }
    const { slots, hasMore, total } = soonest.page();
    const write = zonedWriter(timezone, range.fromMs, range.toMs);
    const next_cursor = hasMore ? this.cursors.encode(positionOf(slots.at(-1)!), bound) : null;
    const items = slots.map(({ instructorId, startMs, endMs }) => ({
      instructor_id: instructorId,
      date: write(startMs),
      end_date: write(endMs),
      duration_minutes,
    }));
    return { items, pagination: { has_more: hasMore, next_cursor, total } };
  }

  /** The instructors that match, with their hours; usually in one batch. */
  private async *findInstructors(
    requested: ListInput,
    range: TimeRange,
    context: RequestContext,
  ): AsyncGenerator<InstructorHours[]> {
    const { instructor_ids: instructorIds, account_id: accountIds } = requested;
    const { search, certification, available_date: at } = requested;
    const dates = datesTouching(range, at);
    const heldOn = at?.slice(0, 10) ?? utcDateOf(range.fromMs);
    const query = { instructorIds, accountIds, search, certification, place: placeOf(requested), heldOn, dates };
    for (let after: string | null | undefined; after !== null; ) {
      const { instructors, next } = await this.rpc.call(findTeachingHours, { ...query, after }, context);
      yield at === undefined ? instructors : await this.onlyFree(instructors, at, context);
      after = next;
    }
  }

  private async onlyFree(
    instructors: InstructorHours[],
    at: string,
    context: RequestContext,
  ): Promise<InstructorHours[]> {
    const requested = { at, durationMinutes: FREE_MINUTES, instructors };
    const free = new Set((await this.freeInstructors.find(requested, context)).free);
    return instructors.filter(({ id }) => free.has(id));
  }

  private async addSlots(
    soonest: SoonestSlots,
    instructors: InstructorHours[],
    query: SlotsQuery,
    { principal, deadline }: RequestContext,
  ): Promise<void> {
    const { range, first_only } = query;
    const around = instructors.map((instructor) => {
      return { ...instructor, looked: occupiedSpan(instructor.schedule, range.fromMs, range.toMs) };
    });
    let turnBegan = performance.now();
    for await (const some of this.takenTime.read(around)) {
      for (const [instructor, taken] of some) {
        const nowUtc = accountTime(this.clock, principal.env, instructor.clockOffsetMs).getTime();
        const slots = slotsOf(instructor, taken, { ...query, nowUtc });
        soonest.add(instructor.id, first_only ? slots.slice(0, 1) : slots);
        if (performance.now() - turnBegan < LONGEST_TURN_MS) continue;
        // Other requests of this process get their turn.
        await setImmediate();
        deadline.check();
        turnBegan = performance.now();
      }
    }
  }
}

type SlotsQuery = Pick<ListInput, 'duration_minutes' | 'first_only'> & { range: TimeRange };

const slotsOf = (
  { schedule, timezone }: InstructorHours,
  taken: TakenTime,
  query: SlotsQuery & { nowUtc: number },
): Span[] =>
  freeSlotsInPool({
    schedule,
    timezone,
    ...taken,
    fromUtc: query.range.fromMs,
    toUtc: query.range.toMs,
    nowUtc: query.nowUtc,
    durationMinutes: query.duration_minutes,
  });

const positionOf = ({ startMs, instructorId }: InstructorSlot): (string | number)[] => [startMs, instructorId];
const positionIn = ([startMs, instructorId]: (string | number)[]): SlotPosition => ({
  startMs: Number(startMs),
  instructorId: String(instructorId),
});

function boundOf(
  { limit: _, offset: __, cursor: ___, ...filters }: ListInput,
  { principal }: RequestContext,
): CursorScope {
  return { list: listAvailability.name, accountId: principal.accountId, env: principal.env, filters };
}
