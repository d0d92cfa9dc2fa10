import { Injectable } from '@nestjs/common';
import type { createHold, Hold, ParsedOf } from '@swim/contracts';
import type { Call } from '@swim/messaging';
import { AppError, derivedId } from '@swim/platform';
import { SuggestionsService } from '../calendar/suggestions.service.js';
import { type Place, PlanningService } from '../sessions/planning.service.js';
import { toHold } from './hold.mapper.js';
import type { HoldDocument } from './hold.schema.js';
import { HoldEndsService } from './hold-ends.service.js';
import { HoldKeepingService, type HoldTerms } from './hold-keeping.service.js';
import { HoldsRepository, type NewHold } from './holds.repository.js';

// The time stays taken a little longer than the hold lasts, so that who waits for it is asked before others get it.
const GRACE_MS = 5_000;

type WantedHold = ParsedOf<typeof createHold>;

/** Holds as clients use them. */
@Injectable()
export class HoldsService {
  constructor(
    private readonly holds: HoldsRepository,
    private readonly planning: PlanningService,
    private readonly keeping: HoldKeepingService,
    private readonly suggestions: SuggestionsService,
    private readonly ends: HoldEndsService,
  ) {}

  async create(wanted: WantedHold, call: Call): Promise<Hold> {
    const { env } = call.principal;
    const { accountId, rules } = await this.planning.party(call, wanted);
    const nowMs = this.planning.nowMs();
    wanted.sessions.forEach(({ date }, index) => {
      if (Date.parse(date) <= nowMs) throw new AppError('in_past', { field: `sessions.${index}.date` });
    });
    const place = await this.planning.placeOf(call, wanted.location ?? null, rules);
    const hold = newHold(call.newId('hold'), wanted, { accountId, schoolId: rules.schoolId, place });
    const terms: HoldTerms = { rules, pool: place.pool, nowMs, graceMs: GRACE_MS };
    if (call.dryRun) {
      const refused = await this.keeping.preview(env, hold, terms);
      if (refused.length > 0) throw await this.suggestions.conflict(env, refused, { ...terms, slots: hold.slots });
      const now = this.holds.now();
      return toHold({ ...this.holds.claiming(hold), createdAt: now } as HoldDocument, now);
    }
    const kept = await this.keeping.keep(call, hold, terms);
    if ('refused' in kept) throw await this.suggestions.conflict(env, kept.refused, { ...terms, slots: hold.slots });
    return toHold(kept.hold, this.holds.now());
  }

  async get(id: string, call: Call): Promise<Hold> {
    return toHold(await this.holds.getVisible(call, id), this.holds.now());
  }

  async remove(id: string, call: Call): Promise<Record<string, never>> {
    // An earlier run of this request may have come as far as that.
    if (call.retaken && !(await this.holds.findVisible(call, id))) return {};
    const hold = await this.holds.getVisible(call, id);
    const refusal = () => new AppError('invalid_state', { details: { status: 'converted' } });
    if (hold.status === 'converted') throw refusal();
    if (!call.dryRun && !(await this.ends.withdraw(call.principal.env, id))) throw refusal();
    return {};
  }
}

function newHold(
  id: string,
  wanted: WantedHold,
  { accountId, schoolId, place }: { accountId: string; schoolId: string; place: Place },
): NewHold {
  return {
    _id: id,
    accountId,
    schoolId,
    instructorId: wanted.instructor_id,
    memberIds: wanted.member_ids,
    location: place.location,
    slots: wanted.sessions.map(({ date, duration_minutes }, index) => ({
      startMs: Date.parse(date),
      endMs: Date.parse(date) + duration_minutes * 60_000,
      sessions: wanted.member_ids.map((memberId) => ({ id: derivedId('ses', id, `${index}/${memberId}`), memberId })),
    })),
    waitlistId: null,
    lastsMs: wanted.expires_in_minutes * 60_000,
  };
}
