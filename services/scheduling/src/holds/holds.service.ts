import { Inject, Injectable } from '@nestjs/common';
import {
  createHold,
  getHold,
  type Hold,
  listHolds,
  type Page,
  type ParsedOf,
  removeHold,
  timeReason,
} from '@swim/contracts';
import { Serve } from '@swim/messaging';
import {
  AppError,
  accountTime,
  Clock,
  clockOffsetIn,
  heldSessionIds,
  invalidState,
  type RequestContext,
} from '@swim/platform';
import { ParticipantResolverService, type Place } from '../participants/participant-resolver.service.js';
import { SuggestionsService } from '../slots/suggestions.service.js';
import { toHold } from './hold.mapper.js';
import type { HoldDocument } from './hold.schema.js';
import { HoldPlacementService, type HoldTerms } from './hold-placement.service.js';
import { HoldReleaseService } from './hold-release.service.js';
import { HoldsRepository, type NewHold } from './holds.repository.js';

// The time stays taken a little longer than the hold lasts, so that the waitlist gets the first offer.
const GRACE_MS = 5_000;

type HoldInput = ParsedOf<typeof createHold>;

/** Holds as clients use them. */
@Injectable()
export class HoldsService {
  @Inject(Clock) private readonly clock!: Clock;

  constructor(
    private readonly holds: HoldsRepository,
    private readonly participants: ParticipantResolverService,
    private readonly placement: HoldPlacementService,
    private readonly suggestions: SuggestionsService,
    private readonly ends: HoldReleaseService,
  ) {}

  /** A hold in any state, for messages about it. */
  find(id: string): Promise<HoldDocument | null> {
    return this.holds.findAny(id);
  }

  @Serve(createHold)
  async create(input: HoldInput, context: RequestContext): Promise<Hold> {
    const { env } = context.principal;
    const { accountId, rules } = await this.participants.resolve(context, input);
    const nowMs = accountTime(this.clock, env, rules.clockOffsetMs).getTime();
    input.sessions.forEach(({ date }, index) => {
      const reason = timeReason(Date.parse(date), nowMs);
      if (reason) throw new AppError(reason, { field: `sessions.${index}.date` });
    });
    const place = await this.participants.placeOf(context, input.location ?? null, rules);
    const made = newHold(context.newId('hold'), input, { accountId, schoolId: rules.schoolId, place });
    const hold = { ...made, ...clockOffsetIn(env, rules.clockOffsetMs) };
    const terms: HoldTerms = { rules, pool: place.pool, nowMs, fence: context, graceMs: GRACE_MS };
    if (context.dryRun) {
      const rejected = await this.placement.preview(context, hold, terms);
      if (rejected.length > 0) throw await this.suggestions.conflict(rejected, { ...terms, slots: hold.slots });
      const now = this.holds.now();
      return toHold({ ...this.holds.claiming(hold), createdAt: now, updatedAt: now } as HoldDocument, now);
    }
    const kept = await this.placement.place(context, hold, terms);
    if ('rejected' in kept) throw await this.suggestions.conflict(kept.rejected, { ...terms, slots: hold.slots });
    return toHold(kept.hold, this.holds.now());
  }

  @Serve(getHold)
  async get({ hold_id: id }: ParsedOf<typeof getHold>, context: RequestContext): Promise<Hold> {
    return toHold(await this.holds.getVisible(context, id), this.holds.now());
  }

  /** The holds that the account sees. */
  @Serve(listHolds)
  async list(query: ParsedOf<typeof listHolds>, context: RequestContext): Promise<Page<Hold>> {
    const { items, pagination } = await this.holds.listVisible(context, query);
    const now = this.holds.now();
    return { items: items.map((hold) => toHold(hold, now)), pagination };
  }

  @Serve(removeHold)
  async remove({ hold_id: id }: ParsedOf<typeof removeHold>, context: RequestContext): Promise<Record<string, never>> {
    // An earlier run of this request may have removed it.
    if (context.resumed && !(await this.holds.findVisible(context, id))) return {};
    const hold = await this.holds.getVisible(context, id);
    const rejection = () => invalidState('Only an active hold can be removed', 'converted');
    if (hold.status === 'converted') throw rejection();
    if (!context.dryRun && !(await this.ends.withdraw(id))) throw rejection();
    return {};
  }
}

function newHold(
  id: string,
  input: HoldInput,
  { accountId, schoolId, place }: { accountId: string; schoolId: string; place: Place },
): NewHold {
  const startsMs = input.sessions.map(({ date }) => Date.parse(date));
  const sessionId = heldSessionIds(id, startsMs);
  return {
    _id: id,
    accountId,
    schoolId,
    instructorId: input.instructor_id,
    memberIds: input.member_ids,
    location: place.location,
    slots: input.sessions.map(({ duration_minutes }, index) => ({
      startMs: startsMs[index]!,
      endMs: startsMs[index]! + duration_minutes * 60_000,
      sessions: input.member_ids.map((memberId) => ({ id: sessionId(index, memberId), memberId })),
    })),
    waitlistId: null,
    lastsMs: input.expires_in_minutes * 60_000,
  };
}
