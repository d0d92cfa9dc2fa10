import { setImmediate } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import {
  describeParticipants,
  type Lesson,
  listBookableLessons,
  type Page,
  type ParsedOf,
  type PlacedMember,
  participantsRejection,
} from '@swim/contracts';
import { RpcClient, Serve } from '@swim/messaging';
import { AppError, accountTime, Clock, CursorCodec, type RequestContext } from '@swim/platform';
import { CalendarService } from '../calendar/calendar.service.js';
import { type BookableLesson, BookableLessonsRepository } from '../lessons/bookable-lessons.repository.js';
import { type PlaceRules, placeRejection } from '../lessons/eligibility.rules.js';
import { LessonsRepository } from '../lessons/lessons.repository.js';
import { PoolsService } from '../pools/pools.service.js';
import { LessonReadingService } from '../sessions/reading/lesson-reading.service.js';

// Beyond them no `offset` leads.
const MOST_LOOKED_AT = 10_000;
const LONGEST_TURN_MS = 10;

type Filters = Omit<ParsedOf<typeof listBookableLessons>, 'limit' | 'offset' | 'cursor'>;

/** Finds lessons in which a family may book a place for a member. */
@Injectable()
export class BookableLessonsService {
  @Inject(Clock) private readonly clock!: Clock;
  @Inject(CursorCodec) private readonly cursors!: CursorCodec;
  @Inject(LessonReadingService) private readonly reading!: LessonReadingService;

  constructor(
    private readonly rpc: RpcClient,
    private readonly bookable: BookableLessonsRepository,
    private readonly lessons: LessonsRepository,
    private readonly pools: PoolsService,
    private readonly calendar: CalendarService,
  ) {}

  @Serve(listBookableLessons)
  async list(requested: ParsedOf<typeof listBookableLessons>, context: RequestContext): Promise<Page<Lesson>> {
    const { limit, offset = 0, cursor, ...filters } = requested;
    const { accountId, env } = context.principal;
    const bound = { list: listBookableLessons.name, accountId, env, filters };
    const [startMs, id] = cursor === undefined ? [] : this.cursors.decode(cursor, bound);
    const found = await this.find(filters, context);
    const isAfter = ({ start, _id }: BookableLesson) =>
      start.getTime() > Number(startMs) || (start.getTime() === startMs && _id > String(id));
    const rest = cursor === undefined ? found.slice(offset) : found.filter(isAfter);
    const page = rest.slice(0, limit);
    const has_more = rest.length > limit;
    const last = page.at(-1);
    const next_cursor = has_more && last ? this.cursors.encode([last.start.getTime(), last._id], bound) : null;
    return { items: await this.read(page, context), pagination: { has_more, next_cursor, total: found.length } };
  }

  /** The rules for a family also apply when the school requests it. */
  private async find(requested: Filters, context: RequestContext): Promise<BookableLesson[]> {
    const { school_id, currency, date_from, date_to } = requested;
    const member = await this.getMember(requested, context);
    const query = { account_id: school_id, level: member.level, currency, date_from, date_to };
    const open = await this.bookable.find(query, MOST_LOOKED_AT);
    if (open.length === 0) return [];
    const [rules, zones, busy] = await Promise.all([
      this.rulesOf(open, member, context),
      this.pools.findZones(new Set(open.flatMap(({ location }) => location?.pool_id ?? []))),
      this.calendar.busy(member.id, open[0]!.start.getTime(), Math.max(...open.map(({ end }) => end.getTime()))),
    ]);
    const fits = (lesson: BookableLesson) => {
      const bound = rules.get(lesson.instructorId);
      const timezone = zones.get(lesson.location?.pool_id ?? '') ?? bound?.timezone;
      if (!bound || !timezone || placeRejection(lesson, [member], { ...bound, timezone })) return false;
      return !busy.some(({ startMs, endMs }) => startMs < lesson.end.getTime() && endMs > lesson.start.getTime());
    };
    return filterInTurns(open, fits, context);
  }

  private async getMember(
    { account_id: accountId, member_id: memberId }: Filters,
    context: RequestContext,
  ): Promise<PlacedMember> {
    const who = { instructorId: null, memberIds: [memberId], withAges: true };
    const [member] = (await this.rpc.call(describeParticipants, who, context)).members;
    if (member?.accountId !== accountId) throw new AppError('not_found', { field: 'member_id' });
    return { id: member.id, level: member.level, dateOfBirth: member.dateOfBirth! };
  }

  /** What binds a family with each instructor of these lessons; with none where it may not book. */
  private async rulesOf(
    lessons: readonly BookableLesson[],
    { id }: PlacedMember,
    context: RequestContext,
  ): Promise<Map<string, PlaceRules>> {
    const { accountId: makerId, env } = context.principal;
    const ids = [...new Set(lessons.map(({ instructorId }) => instructorId))];
    const described = ids.map(async (instructorId): Promise<[string, PlaceRules][]> => {
      const asked = { instructorId, memberIds: [id] };
      const participants = await this.rpc.call(describeParticipants, asked, context);
      const { instructor, clockOffsetMs } = participants;
      const mayNot = participantsRejection(participants, { memberIds: [id], makerId, inLessons: true });
      if (mayNot || !instructor) return [];
      const { schedule, timezone } = instructor;
      return [[instructorId, { schedule, timezone, nowMs: accountTime(this.clock, env, clockOffsetMs).getTime() }]];
    });
    return new Map((await Promise.all(described)).flat());
  }

  /** As they are now, in this order. */
  private async read(page: readonly BookableLesson[], context: RequestContext): Promise<Lesson[]> {
    const ids = page.map(({ _id }) => _id);
    const found = new Map((await this.lessons.findVisible(context, ids)).map((each) => [each._id, each]));
    return this.reading.answerAll(
      ids.flatMap((id) => found.get(id) ?? []),
      context,
    );
  }
}

/** Filters a long array; other requests of this process get their turn. */
async function filterInTurns<T>(
  all: readonly T[],
  isKept: (one: T) => boolean,
  { deadline }: RequestContext,
): Promise<T[]> {
  const kept: T[] = [];
  let turnBegan = performance.now();
  for (const one of all) {
    if (isKept(one)) kept.push(one);
    if (performance.now() - turnBegan < LONGEST_TURN_MS) continue;
    await setImmediate();
    deadline.check();
    turnBegan = performance.now();
  }
  return kept;
}
