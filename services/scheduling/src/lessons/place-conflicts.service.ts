import { Injectable } from '@nestjs/common';
import type { LessonConflict } from '@swim/contracts';
import { AppError, type RequestContext } from '@swim/platform';
import { lessonIdOf } from '../slots/slot.rules.js';
import type { RejectedSlot, SlotsRequest } from '../slots/slots.service.js';
import { SuggestionsService } from '../slots/suggestions.service.js';
import { OpenLessonsService } from './open-lessons.service.js';
import type { RequestedPlaces } from './place-requests.service.js';

/** Builds the error of a request for places. */
@Injectable()
export class PlaceConflictsService {
  constructor(
    private readonly open: OpenLessonsService,
    private readonly suggestions: SuggestionsService,
  ) {}

  /** The reason is that of the first lesson, in the order of the request; `conflicts` names each. */
  async error(
    rejected: RejectedSlot[],
    { slots }: Pick<SlotsRequest, 'slots'>,
    requested: Pick<RequestedPlaces, 'members' | 'rules' | 'nowMs'>,
    context: RequestContext,
    of: 'lesson_ids' | 'lesson_id' | 'class_id' = 'lesson_ids',
  ): Promise<AppError> {
    const positionOf = ({ slot }: RejectedSlot) => slots.findIndex((each) => each.lessonId === slot.lessonId);
    const inOrder = [...rejected].sort((a, b) => positionOf(a) - positionOf(b));
    const conflicts = inOrder.map(
      (each): LessonConflict => ({
        index: positionOf(each),
        lesson_id: lessonIdOf(each.slot),
        ...(each.memberId ? { member_id: each.memberId } : {}),
        reason: each.reason,
      }),
    );
    const first = inOrder[0]!;
    const closure = await this.suggestions.closureOf(first, { rules: requested.rules, pool: null });
    const details = { ...this.factsOf(first), ...closure, conflicts };
    const field = of === 'lesson_ids' ? `${of}.${conflicts[0]!.index}` : of;
    if (first.reason !== 'lesson_full') return new AppError(first.reason, { field, details });
    const suggestions = await this.suggest(slots, requested, context);
    return new AppError('lesson_full', { field, details: { ...details, suggestions } });
  }

  private factsOf({ reason, memberId, rule, offer }: RejectedSlot): Record<string, unknown> {
    switch (reason) {
      case 'not_eligible':
        return { rule, member_id: memberId };
      case 'member_busy':
        return { member_id: memberId, suggestions: [] };
      case 'closed':
        return { suggestions: [] };
      case 'outside_availability':
        return {
          rule: offer?.rule,
          ...(offer && 'opensAtMs' in offer ? { opens_at: new Date(offer.opensAtMs).toISOString() } : {}),
          suggestions: [],
        };
      default:
        return {};
    }
  }

  private async suggest(
    slots: SlotsRequest['slots'],
    { members, rules, nowMs }: Pick<RequestedPlaces, 'members' | 'rules' | 'nowMs'>,
    { principal }: RequestContext,
  ): Promise<{ lesson_id: string; date: string }[]> {
    const isSchool = principal.accountId === rules.schoolId;
    const noticeMs = isSchool ? 0 : rules.schedule.minimum_notice_minutes * 60_000;
    const found = await this.open.suggest({
      schoolId: rules.schoolId,
      members,
      mustFit: !isSchool,
      except: slots.map(lessonIdOf),
      fromMs: nowMs + noticeMs,
      timezone: rules.timezone,
    });
    return found.map(({ _id: lesson_id, start }) => ({ lesson_id, date: start.toISOString() }));
  }
}
