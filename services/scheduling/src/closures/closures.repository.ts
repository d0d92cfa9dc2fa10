import { Injectable } from '@nestjs/common';
import {
  type closureCreated,
  closureDone,
  closureRemoved,
  type listClosures,
  type Page,
  type ParsedOf,
} from '@swim/contracts';
import { AggregateRepository, asSystem, type Changed, Databases, type Managed, OutboxRelay, oneOf } from '@swim/mongo';
import { AppError, CursorCodec, invalidState, type RequestContext, systemContext } from '@swim/platform';
import { type ClosureDocument, closureSchema } from '../calendar/closed/closure.schema.js';
import { toClosureObject } from './closure.mapper.js';

const LEASE_MS = 60_000;
const REASON = 'the work on a closure is that of its school, which has asked for it';
const system = asSystem(REASON);

export type NewClosure = Omit<ClosureDocument, Managed | 'readers' | 'dueAt'>;
type ClosureEvent = typeof closureCreated;

/** Storage of closures. */
@Injectable()
export class ClosuresRepository extends AggregateRepository<ClosureDocument> {
  /** Closures on which there is work left. */
  readonly unfinished = this.work({ name: 'closures', due: 'dueAt', reason: REASON, leaseMs: LEASE_MS });

  constructor(
    private readonly databases: Databases,
    relay: OutboxRelay,
    private readonly cursors: CursorCodec,
  ) {
    super(databases.collection('closures', closureSchema), relay);
  }

  /** Stores a closure that nobody sees until its time is closed. The run of the request has the work on it first. */
  insert(context: RequestContext, closure: NewClosure): Promise<ClosureDocument> {
    return this.create(context, { ...closure, readers: [], dueAt: this.databases.clock.inMs(LEASE_MS) });
  }

  /** A closure in any state; null when there is none. */
  findAny(id: string): Promise<ClosureDocument | null> {
    return this.lookUp(system, id);
  }

  findVisible({ principal }: RequestContext, id: string): Promise<ClosureDocument | null> {
    return this.lookUp(principal, id);
  }

  /** Throws `resource_not_found`. */
  async getVisible(context: RequestContext, id: string): Promise<ClosureDocument> {
    const closure = await this.findVisible(context, id);
    if (!closure) throw new AppError('resource_not_found');
    return closure;
  }

  listVisible({ principal }: RequestContext, query: ParsedOf<typeof listClosures>): Promise<Page<ClosureDocument>> {
    const { status } = query;
    return this.listPage(principal, query, {
      name: 'closures',
      filter: oneOf('status', status),
      cursors: this.cursors,
    });
  }

  /** The time is closed: shows the closure to its school. */
  async markClosed(
    { _id, accountId }: ClosureDocument,
    counts: Pick<ClosureDocument, 'lessons' | 'sessions'>,
    created: ClosureEvent,
  ): Promise<void> {
    await this.mutate(system, _id, systemContext(accountId), ({ status, keepsLessons }) => {
      if (status !== 'closing') return null;
      const isDone = keepsLessons || counts.lessons === 0;
      const set = { ...counts, status: isDone ? 'done' : 'running', readers: [accountId] } as const;
      const events = [created, ...(isDone ? [closureDone] : [])].map(this.published(accountId));
      return { set: set as Partial<NewClosure>, events };
    });
  }

  /** running → done. */
  async markDone({ _id, accountId }: ClosureDocument): Promise<void> {
    await this.mutate(system, _id, systemContext(accountId), ({ status }) =>
      status === 'running' ? { set: { status: 'done' }, events: [closureDone].map(this.published(accountId)) } : null,
    );
  }

  /** done → removed: its school sees it no longer, and `step` is the next one of the work. Throws `invalid_state`. */
  async markRemoved(context: RequestContext, id: string, step: string): Promise<Changed<ClosureDocument>> {
    const { accountId } = context.principal;
    const removed = await this.mutate(context.principal, id, context, ({ status }) => {
      if (status !== 'done') throw invalidState('Only a closure that is done can be removed', status);
      const set = { status: 'removed', readers: [], step, dueAt: this.databases.clock.inMs(LEASE_MS) } as const;
      const events = [closureRemoved].map(this.published(accountId));
      return { set: set as unknown as Partial<NewClosure>, events, answer: () => ({}) };
    });
    if (!removed) throw new AppError('resource_not_found');
    return removed;
  }

  /** Removes a closure whose time was given back. */
  async removeReopened(id: string): Promise<void> {
    await this.removeForGood(system, { _id: id, status: 'removed' });
  }

  private readonly published = (accountId: string) => (type: ClosureEvent) => ({
    type,
    object: toClosureObject,
    audience: [accountId],
  });
}
