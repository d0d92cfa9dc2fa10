import { Inject, Injectable } from '@nestjs/common';
import {
  getWaitlistEntry,
  joinWaitlist,
  leaveWaitlist,
  listWaitlist,
  type Page,
  type ParsedOf,
  type TeachingRules,
  timeReason,
  type WaitlistEntry,
} from '@swim/contracts';
import { Serve } from '@swim/messaging';
import type { Managed } from '@swim/mongo';
import {
  AppError,
  accountTime,
  Clock,
  clockOffsetIn,
  type RequestContext,
  sharedClock,
  timeOfId,
} from '@swim/platform';
import { ReleasedTimeService } from '../calendar/released-time.service.js';
import { HoldReleaseService } from '../holds/hold-release.service.js';
import { ParticipantResolverService } from '../participants/participant-resolver.service.js';
import { LineJoiningService } from './line-joining.service.js';
import { toWaitlistEntry } from './storage/waitlist.mapper.js';
import { WaitlistRepository } from './storage/waitlist.repository.js';
import type { WaitlistDocument } from './storage/waitlist.schema.js';
import { UnconnectedEntries } from './unconnected-entries.service.js';

// Well after the end of the request: the connection of an entry may have ended while it was stored.
const CHECK_MS = 3_000;
const LONGEST_DAYS = 366;
const LONGEST_MS = LONGEST_DAYS * 86_400_000;

type JoinInput = ParsedOf<typeof joinWaitlist>;
/** What the contract requires without a lesson and a class. */
type TimeInput = { [F in keyof Omit<JoinInput, 'lesson_id' | 'class_id'>]-?: NonNullable<JoinInput[F]> };

/** Operations of clients on the waitlist. */
@Injectable()
export class WaitlistService {
  @Inject(LineJoiningService) private readonly lines!: LineJoiningService;
  @Inject(UnconnectedEntries) private readonly unconnected!: UnconnectedEntries;

  constructor(
    private readonly waitlist: WaitlistRepository,
    private readonly participants: ParticipantResolverService,
    private readonly ends: HoldReleaseService,
    private readonly freeTime: ReleasedTimeService,
    private readonly clock: Clock,
  ) {}

  @Serve(joinWaitlist)
  async join(input: JoinInput, context: RequestContext): Promise<WaitlistEntry> {
    if (!input.lesson_id && !input.class_id) return this.joinForTime(input as TimeInput, context);
    const id = context.newId('wl');
    const earlier = context.resumed ? await this.waitlist.findVisible(context, id) : null;
    const fresh = earlier ?? (await this.lines.prepare(id, input, context));
    if (context.dryRun) return this.imagined(fresh);
    await this.unconnected.connect(fresh);
    return toWaitlistEntry(await this.lines.join(fresh, context));
  }

  private async joinForTime(input: TimeInput, context: RequestContext): Promise<WaitlistEntry> {
    const fromMs = Date.parse(input.date_from);
    const toMs = Date.parse(input.date_to);
    if (toMs - fromMs > LONGEST_MS) throw rangeTooLong();
    const lastStartMs = toMs - input.duration_minutes * 60_000;
    const { accountId, rules } = await this.participants.resolveOne(context, input);
    const { env } = context.principal;
    const clocked = clockOffsetIn(env, rules.clockOffsetMs);
    const nowMs = accountTime(this.clock, env, clocked.clockOffsetMs).getTime();
    const reason = timeReason(lastStartMs, nowMs);
    if (reason === 'too_far_ahead') throw new AppError(reason, { field: 'date_to' });
    if (reason === 'in_past')
      throw new AppError(reason, {
        field: 'date_to',
        bounds: {
          expected: `more than ${input.duration_minutes} minutes after now, so that a lesson fits before it`,
        },
      });
    const openKey = [input.instructor_id, input.member_id, fromMs, toMs, input.duration_minutes].join('/');
    const fresh = {
      _id: context.newId('wl'),
      readers: [...new Set([accountId, rules.schoolId])],
      accountId,
      schoolId: rules.schoolId,
      instructorId: input.instructor_id,
      memberId: input.member_id,
      ...(rules.connection ? { connectionGen: rules.connection.generation } : {}),
      from: new Date(fromMs),
      to: new Date(toMs),
      durationMinutes: input.duration_minutes,
      status: 'waiting' as const,
      offer: null,
      bookingId: null,
      openKey,
      dueAt: sharedClock.inMs(CHECK_MS),
      leftAt: null,
      ...clocked,
    };
    await this.warnOfFreeTime(fresh, { rules, nowMs }, context);
    if (context.dryRun) return this.imagined(fresh);
    await this.unconnected.connect(fresh);
    const entry = await this.waitlist.insert(context, fresh);
    if (await this.unconnected.leaveIfVoid(entry)) throw new AppError('connection_ended', { field: 'instructor_id' });
    return toWaitlistEntry(entry);
  }

  private async imagined(fresh: Omit<WaitlistDocument, Managed>): Promise<WaitlistEntry> {
    if (await this.waitlist.isInLine(fresh.openKey!)) throw new AppError('already_exists');
    const createdAt = timeOfId(fresh._id);
    return toWaitlistEntry({ ...fresh, createdAt, updatedAt: createdAt } as WaitlistDocument);
  }

  /** Names up to three times of the requested ones that are free: they can be booked instead. */
  private async warnOfFreeTime(
    { from, to, durationMinutes, memberId }: Pick<WaitlistDocument, 'from' | 'to' | 'durationMinutes' | 'memberId'>,
    { rules, nowMs }: { rules: TeachingRules; nowMs: number },
    context: RequestContext,
  ): Promise<void> {
    const { pool } = await this.participants.placeOf(context, null, rules);
    const requested = { memberId, fromMs: from.getTime(), toMs: to.getTime(), durationMinutes };
    const { times } = await this.freeTime.times({ rules, pool, nowMs }, null, requested);
    if (times.length === 0) return;
    const suggestions = times.map(({ startMs, endMs }) => {
      const date = new Date(startMs).toISOString();
      return { start: date, end: new Date(endMs).toISOString(), date, duration_minutes: durationMinutes };
    });
    context.warnings.push({ code: 'time_is_free', suggestions });
  }

  @Serve(getWaitlistEntry)
  async get({ waitlist_id: id }: ParsedOf<typeof getWaitlistEntry>, context: RequestContext): Promise<WaitlistEntry> {
    return toWaitlistEntry(await this.waitlist.getVisible(context, id));
  }

  @Serve(listWaitlist)
  async list(query: ParsedOf<typeof listWaitlist>, context: RequestContext): Promise<Page<WaitlistEntry>> {
    const { items, pagination } = await this.waitlist.listVisible(context, query);
    return { items: items.map(toWaitlistEntry), pagination };
  }

  /** The offer's time is released first: a crash then leaves an entry whose offer has lapsed. */
  @Serve(leaveWaitlist)
  async leave(
    { waitlist_id: id }: ParsedOf<typeof leaveWaitlist>,
    context: RequestContext,
  ): Promise<Record<string, never>> {
    // An earlier run of this request may have removed it.
    if (context.resumed && !(await this.waitlist.findVisible(context, id))) return {};
    const entry = await this.waitlist.getVisible(context, id);
    if (context.dryRun) return {};
    const open = entry.status === 'offered' && entry.offer;
    const wasWithdrawn = !open || (await this.ends.withdraw(open.holdId));
    if (!wasWithdrawn || !(await this.waitlist.markLeft(context, id)))
      throw new AppError('change_in_progress', { retryAfterSeconds: 1 });
    return {};
  }
}

const rangeTooLong = (): AppError => {
  const expected = `at most ${LONGEST_DAYS} days after date_from`;
  return new AppError('range_too_long', { field: 'date_to', bounds: { expected } });
};
