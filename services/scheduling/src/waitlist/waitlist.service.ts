import { Injectable } from '@nestjs/common';
import type { joinWaitlist, listWaitlist, Page, ParsedOf, WaitlistEntry } from '@swim/contracts';
import type { Call } from '@swim/messaging';
import { AppError, timeOfId } from '@swim/platform';
import { HoldEndsService } from '../holds/hold-ends.service.js';
import { PlanningService } from '../sessions/planning.service.js';
import { toWaitlistEntry } from './waitlist.mapper.js';
import { WaitlistRepository } from './waitlist.repository.js';
import type { WaitlistDocument } from './waitlist.schema.js';

const LONGEST_MS = 366 * 86_400_000;

type Wanted = ParsedOf<typeof joinWaitlist>;

/** The line for an instructor's time, as clients use it. */
@Injectable()
export class WaitlistService {
  constructor(
    private readonly waitlist: WaitlistRepository,
    private readonly planning: PlanningService,
    private readonly ends: HoldEndsService,
  ) {}

  async join(wanted: Wanted, call: Call): Promise<WaitlistEntry> {
    const fromMs = Date.parse(wanted.date_from);
    const toMs = Date.parse(wanted.date_to);
    if (toMs - fromMs > LONGEST_MS) throw new AppError('range_too_long', { field: 'date_to' });
    const lastStartMs = toMs - wanted.duration_minutes * 60_000;
    if (lastStartMs <= this.planning.nowMs()) throw new AppError('in_past', { field: 'date_to' });
    const { accountId, rules } = await this.planning.partyOfOne(call, wanted);
    const openKey = [wanted.instructor_id, wanted.member_id, fromMs, toMs, wanted.duration_minutes].join('/');
    const fresh = {
      _id: call.newId('wl'),
      readers: [...new Set([accountId, rules.schoolId])],
      accountId,
      schoolId: rules.schoolId,
      instructorId: wanted.instructor_id,
      memberId: wanted.member_id,
      from: new Date(fromMs),
      to: new Date(toMs),
      durationMinutes: wanted.duration_minutes,
      status: 'waiting' as const,
      offer: null,
      bookingId: null,
      openKey,
      dueAt: new Date(lastStartMs),
      leftAt: null,
    };
    if (!call.dryRun) return toWaitlistEntry(await this.waitlist.insert(call, fresh));
    if (await this.waitlist.isInLine(call.principal.env, openKey)) throw new AppError('already_exists');
    const createdAt = timeOfId(fresh._id);
    return toWaitlistEntry({ ...fresh, createdAt, updatedAt: createdAt } as WaitlistDocument);
  }

  async get(id: string, call: Call): Promise<WaitlistEntry> {
    return toWaitlistEntry(await this.waitlist.getVisible(call, id));
  }

  async list(query: ParsedOf<typeof listWaitlist>, call: Call): Promise<Page<WaitlistEntry>> {
    const { items, pagination } = await this.waitlist.listVisible(call, query);
    return { items: items.map(toWaitlistEntry), pagination };
  }

  /** The offer, if there is one, goes on first: a crash then leaves a place that has lapsed. */
  async leave(id: string, call: Call): Promise<Record<string, never>> {
    // An earlier run of this request may have come as far as that.
    if (call.retaken && !(await this.waitlist.findVisible(call, id))) return {};
    const entry = await this.waitlist.getVisible(call, id);
    if (call.dryRun) return {};
    const { env } = call.principal;
    const open = entry.status === 'offered' && entry.offer;
    const wasWithdrawn = !open || (await this.ends.withdraw(env, open.holdId));
    if (!wasWithdrawn || !(await this.waitlist.markLeft(call, id)))
      throw new AppError('change_in_progress', { retryAfterSeconds: 1 });
    return {};
  }
}
