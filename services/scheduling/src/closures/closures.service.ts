import { Inject, Injectable } from '@nestjs/common';
import {
  type Closure,
  createClosure,
  getClosure,
  listClosures,
  MOST_RESOURCE_DAYS,
  type Page,
  type ParsedOf,
  removeClosure,
  timeReason,
} from '@swim/contracts';
import { Serve } from '@swim/messaging';
import { AppError, accountTime, Clock, causeOf, invalidState, type RequestContext } from '@swim/platform';
import type { ClosureDocument } from '../calendar/closed/closure.schema.js';
import { ParticipantResolverService } from '../participants/participant-resolver.service.js';
import { PoolsService } from '../pools/pools.service.js';
import { ClosedLessonsService } from './closed-lessons.service.js';
import { toClosure } from './closure.mapper.js';
import { ClosureSaga, FIRST_STEP } from './closure-saga.service.js';
import { ClosuresRepository, type NewClosure } from './closures.repository.js';

type Requested = ParsedOf<typeof createClosure>;

/** Closures as the school uses them. */
@Injectable()
export class ClosuresService {
  @Inject(Clock) private readonly clock!: Clock;

  constructor(
    private readonly closures: ClosuresRepository,
    private readonly saga: ClosureSaga,
    private readonly closed: ClosedLessonsService,
    private readonly participants: ParticipantResolverService,
    private readonly pools: PoolsService,
  ) {}

  @Serve(createClosure)
  async create(input: Requested, context: RequestContext): Promise<Closure> {
    if (context.principal.kind !== 'school') throw new AppError('school_only');
    const id = context.newId('clo');
    const earlier = context.resumed ? await this.closures.findAny(id) : null;
    if (earlier) return toClosure(await this.saga.begin(earlier));
    const closure = newClosure(id, input, context);
    await this.requireValid(closure, context);
    if (context.dryRun) return this.preview(closure);
    return toClosure(await this.saga.begin(await this.closures.insert(context, closure)));
  }

  @Serve(getClosure)
  async get({ closure_id: id }: ParsedOf<typeof getClosure>, context: RequestContext): Promise<Closure> {
    return toClosure(await this.closures.getVisible(context, id));
  }

  @Serve(listClosures)
  async list(query: ParsedOf<typeof listClosures>, context: RequestContext): Promise<Page<Closure>> {
    const { items, pagination } = await this.closures.listVisible(context, query);
    return { items: items.map(toClosure), pagination };
  }

  @Serve(removeClosure)
  async remove(
    { closure_id: id }: ParsedOf<typeof removeClosure>,
    context: RequestContext,
  ): Promise<Record<string, never>> {
    // An earlier run of this request may have removed it.
    if (context.resumed && !(await this.closures.findVisible(context, id))) return {};
    const { status } = await this.closures.getVisible(context, id);
    if (status !== 'done') throw invalidState('Only a closure that is done can be removed', status);
    if (context.dryRun) return {};
    const { document } = await this.closures.markRemoved(context, id, this.saga.removalStep);
    await this.saga.beginRemoval(document);
    return {};
  }

  private async preview(closure: NewClosure): Promise<Closure> {
    const found = await this.closed.find(closure);
    const sessions = found.reduce((sum, each) => sum + each.sessions.length, 0);
    const isDone = closure.keepsLessons || found.length === 0;
    const now = this.clock.now();
    const counted = { ...closure, lessons: found.length, sessions, status: isDone ? 'done' : 'running' };
    return toClosure({ ...counted, createdAt: now, updatedAt: now } as ClosureDocument);
  }

  private async requireValid(closure: NewClosure, context: RequestContext): Promise<void> {
    const nowMs = accountTime(
      this.clock,
      context.principal.env,
      await this.participants.clockOffset(context),
    ).getTime();
    const reason = timeReason(closure.to.getTime(), nowMs);
    if (reason) throw new AppError(reason, { field: 'to' });
    if (daysOf(closure) > MOST_RESOURCE_DAYS) throw tooMany();
    await Promise.all([
      ...closure.poolIds.map((poolId, index) => this.requireOwnPool(poolId, `pool_ids.${index}`, context)),
      ...closure.instructorIds.map((each, index) => this.requireOwn(each, `instructor_ids.${index}`, context)),
    ]);
  }

  private async requireOwnPool(poolId: string, field: string, context: RequestContext): Promise<void> {
    if (!(await this.pools.findOf(context, poolId, context.principal.accountId)))
      throw new AppError('not_found', { field });
  }

  private async requireOwn(instructorId: string, field: string, context: RequestContext): Promise<void> {
    const { instructor } = await this.participants.findInstructor(context, instructorId);
    if (instructor?.schoolId !== context.principal.accountId) throw new AppError('not_found', { field });
  }
}

const DAY_MS = 86_400_000;

/** How many days of resources it closes, before their ids are made: a range may have millions. */
const daysOf = ({ from, to, poolIds, instructorIds }: NewClosure): number => {
  const days = Math.floor((to.getTime() - 1) / DAY_MS) - Math.floor(from.getTime() / DAY_MS) + 1;
  return days * (poolIds.length + instructorIds.length);
};

const tooMany = (): AppError => {
  const expected = `so that the days of all pools or instructors together are at most ${MOST_RESOURCE_DAYS}`;
  return new AppError('range_too_long', { field: 'to', bounds: { expected } });
};

const newClosure = (_id: string, input: Requested, context: RequestContext): NewClosure => ({
  _id,
  accountId: context.principal.accountId,
  poolIds: input.pool_ids ?? [],
  instructorIds: input.instructor_ids ?? [],
  from: new Date(input.from),
  to: new Date(input.to),
  reason: input.reason,
  keepsLessons: input.lessons === 'keep',
  refundAs: input.refund_as === 'credit' ? 'credit' : 'payment_method',
  notify: input.notify_participants,
  status: 'closing',
  lessons: 0,
  sessions: 0,
  cancelled: 0,
  batch: [],
  cause: causeOf(context),
  step: FIRST_STEP,
});
