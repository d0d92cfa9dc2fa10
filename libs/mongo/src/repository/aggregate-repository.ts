import { setTimeout as pause } from 'node:timers/promises';
import type { BusEvent, Environment } from '@swim/contracts';
import { AppError, causeOf, type RequestContext, sharedClock, timeOfId } from '@swim/platform';
import mongoose from 'mongoose';
import {
  type Aggregate,
  BULK_DELAY_MS,
  type Changed,
  type CreatedAll,
  type Decision,
  type DoneOp,
  doneOp,
  type Managed,
  type NewEvent,
  numberEvents,
  OPS_KEPT,
  ownOpIn,
  pushingOps,
  RELAY_GRACE_MS,
} from '../aggregate/aggregate.js';
import { pushing, setOrUnset } from '../aggregate/aggregate-updates.js';
import type { EnvironmentModels } from '../databases/databases.js';
import { asSystem, environmentOf, type Scope } from '../guard/tenant-guard.js';
import type { OutboxRelay } from '../outbox/outbox-relay.js';
import { LookUps } from './look-ups.js';
import { type Filter, Repository } from './repository.js';

const MAX_TRIES = 12;
// A second insert tells a unique value that is taken from a document that was removed meanwhile.
const INSERT_TRIES = 2;
const INTERNAL = ['ops', 'outbox'];
const OF_REMOVED = { asSystem: 'removed documents have no reader' } as object;

/** A repository of aggregates: each change is decided on the document as read, and written only if it is unchanged. */
export abstract class AggregateRepository<D extends Aggregate> extends Repository<D> {
  private readonly views: Record<Environment, LookUps<D>>;
  private readonly viewsByField = new Map<string, LookUps<D>>();

  protected constructor(
    models: EnvironmentModels<D>,
    private readonly relay: OutboxRelay,
    private readonly showsPublic = false,
  ) {
    super(models, showsPublic);
    const viewsOf = (env: Environment) => new LookUps(models[env], showsPublic, { without: INTERNAL });
    this.views = { live: viewsOf('live'), test: viewsOf('test') };
    relay.watch(models as unknown as EnvironmentModels<Aggregate>);
  }

  /**
   * Stores a new aggregate with its first events. When its id exists, an earlier run of the same work made it: returns that
   * document; `resource_not_found` when it was removed since. `createdAt` is `madeAt`.
   */
  protected async create(context: RequestContext, fields: Omit<D, Managed>, events: NewEvent<D>[] = []): Promise<D> {
    context.deadline.check();
    const document = this.fresh(context, fields, events);
    const scope = asSystem(context.principal.env, 'a new document names its readers itself');
    const stored = await this.sealed(document, document);
    for (let attempt = 1; ; attempt++) {
      if (await this.tryInsert(scope, stored, context.deadline)) {
        this.relay.send(this.model(scope) as never, document);
        return document;
      }
      const [existing] = await this.lookUpAll(scope, [document._id]);
      if (existing) return existing;
      const taken = await this.takenBy(scope, [document]);
      // A sweep may have removed an unfinished document between the insert and the read.
      if (taken.reason !== 'already_exists' || attempt === INSERT_TRIES) throw taken;
    }
  }

  /**
   * Stores several in one batch, without their first events, which are published apart; existing ones stay unchanged. The caller keeps
   * what they are made from until `published`, and then forgets it; until then it calls this again after a crash.
   * @param firstOf - what an existing one was made from, where that is not what this run would make.
   */
  protected async createAll(
    context: RequestContext,
    all: Omit<D, Managed>[],
    events: NewEvent<D>[],
    firstOf: (existing: D, made: Omit<D, Managed>) => Omit<D, Managed> = (_, made) => made,
  ): Promise<CreatedAll<D>> {
    context.deadline.check();
    const created = all.map((fields) => this.fresh(context, fields, events));
    const documents = created.map(({ relayAt, ...each }) => ({ ...each, outbox: [] as BusEvent[] }) as unknown as D);
    const scope = asSystem(context.principal.env, 'new documents name their readers themselves');
    const stored = await Promise.all(documents.map((each) => this.sealed(each, each)));
    if (await this.tryInsertAll(scope, stored, context.deadline))
      return { documents, published: this.publishApart(created) };
    const existing = await this.asTheyAre(scope, documents);
    const firsts = existing.map((each, index) => firstOf(each, all[index]!));
    return { documents: existing, published: this.publishCreated(context, firsts, events) };
  }

  /** Publishes the first events of documents once more, from what these were made from. */
  protected publishCreated(context: RequestContext, all: Omit<D, Managed>[], events: NewEvent<D>[]): Promise<void> {
    const created = all.map((fields) => this.fresh(context, fields, events));
    return this.publishApart(created);
  }

  // Not an async function: while one waits for the copies, it keeps its arguments.
  private publishApart(created: D[]): Promise<void> {
    const published = created.map(({ _id, outbox }) => this.relay.publishApart(_id, outbox));
    return Promise.all(published).then(() => undefined);
  }

  /**
   * Reads, decides, and writes if `rev` is unchanged; otherwise repeats. `decide` may throw an error, or return null when
   * there is nothing to do. Null when the scope has no such document. `of` is its id, or the document as the request has read
   * or written it a moment before within this scope: the first decision is then made without a read, unless it is a view. A document
   * that `isMeant` rejects counts as absent.
   */
  protected async mutate(
    scope: Scope,
    of: string | D,
    context: RequestContext,
    decide: (now: D) => Decision<D> | null,
    isMeant: (now: D) => boolean = () => true,
  ): Promise<Changed<D> | null> {
    const id = typeof of === 'string' ? of : of._id;
    const known = typeof of === 'string' || !of.outbox || !of.ops ? null : of;
    for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
      context.deadline.check();
      const now = attempt === 0 && known ? known : await this.lookUp(scope, id);
      if (!now || !isMeant(now)) return null;
      const earlierAnswer = await this.findAnswer(now, context);
      if (earlierAnswer !== undefined) return { document: now, earlierAnswer };
      const decision = decide(now);
      if (!decision) return { document: now, earlierAnswer: undefined };
      const after = await this.commit(now, decision, context);
      if (after) return { document: after, earlierAnswer: undefined };
      await pause(Math.random() * 5 * (attempt + 1));
    }
    throw new AppError('change_in_progress', { retryAfterSeconds: 1 });
  }

  /** A document for reading only: without the aggregate's internal fields, which are as large as the rest. */
  protected async view(scope: Scope, id: string): Promise<D | null> {
    return this.openedOne(await this.views[environmentOf(scope)].find(scope, id));
  }

  /**
   * The documents that have one of these values in a field with an index, in no order, for reading only. Requests of one turn of
   * the event loop share a query, also across accounts.
   */
  protected async viewsBy(scope: Scope, field: keyof D & string, values: readonly string[]): Promise<D[]> {
    const key = `${environmentOf(scope)} ${field}`;
    const known = this.viewsByField.get(key);
    const views = known ?? new LookUps(this.model(scope), this.showsPublic, { without: INTERNAL, field });
    if (!known) this.viewsByField.set(key, views);
    const found = await Promise.all([...new Set(values)].map((value) => views.findAll(scope, value)));
    return this.opened(found.flat());
  }

  /**
   * Removes an aggregate; false when none matches. Its id stays taken, and no read finds it: late work cannot store it again.
   * Its events are still published.
   */
  protected removeForGood(scope: Scope, filter: Filter, context?: RequestContext): Promise<boolean> {
    const ops = { $literal: context ? doneOp(context, null) : [] };
    const left = { _id: '$_id', readers: [], removedAt: '$$NOW', outbox: '$outbox', relayAt: '$relayAt', ops };
    return this.update(scope, { ...filter, removedAt: { $exists: false } }, [{ $replaceWith: left }]);
  }

  /** Whether an earlier run of the request has removed this aggregate for good. */
  async hasRemoved(context: RequestContext, _id: string): Promise<boolean> {
    const ops = doneOp(context, null);
    const scope = asSystem(context.principal.env, 'the work is that of the request');
    return ops.length > 0 && (await this.isRemoved(scope, { _id, ops: mongoose.trusted({ $elemMatch: ops[0] }) }));
  }

  /** The answer that an earlier run of the same work stored with this document; undefined without one. */
  async findAnswer(document: D, context: RequestContext): Promise<unknown> {
    const done = ownOpIn(document, context);
    return done && this.openedAnswer(done, document);
  }

  /** A stored answer as it is returned: overridden where `sealed` encrypts it. */
  protected async openedAnswer({ data }: DoneOp, _of: D): Promise<unknown> {
    return JSON.parse(data);
  }

  /**
   * Writes a decision made on `now`; null when the document has changed since. Throws `deadline_exceeded` after the request's
   * deadline.
   */
  protected async commit(now: D, decision: Decision<D>, context: RequestContext): Promise<D | null> {
    context.deadline.check();
    const changedAt = sharedClock.now();
    const bare = {
      ...now,
      ...decision.set,
      rev: now.rev + 1,
      updatedAt: decision.unseen ? now.updatedAt : changedAt,
    } as D;
    const after = this.withEvents(bare, decision.events ?? [], context, changedAt);
    const scope = asSystem(context.principal.env, 'the document was read within a scope');
    const done = decision.answer ? doneOp(context, decision.answer(after)) : [];
    const replaces = decision.forgetsAnswers ?? false;
    after.ops = [...(replaces ? [] : (now.ops ?? [])), ...done].slice(-OPS_KEPT);
    const fresh = (after.outbox ?? []).slice(now.outbox?.length ?? 0);
    const update = await this.updateOf(decision.set, after, { fresh, done, replaces });
    if (!(await this.update(scope, { _id: now._id, rev: now.rev }, update, context.deadline))) return null;
    if (context.isBulk) return after;
    this.relay.send(this.model(scope) as never, { _id: now._id, outbox: fresh });
    return after;
  }

  /** The update that stores a decision. Answers that are stored may be as large as the rest: they are not sent again. */
  private async updateOf(
    set: Decision<D>['set'],
    after: D,
    { fresh, done, replaces }: { fresh: NonNullable<D['outbox']>; done: DoneOp[]; replaces: boolean },
  ): Promise<object> {
    const { rev, updatedAt, eventCount, relayAt, ops } = after;
    const plain = { ...set, ...(replaces && { ops }) } as Partial<D>;
    const fields = { ...(await this.sealed(plain, after)), rev, updatedAt, eventCount };
    const isAdded = done.length > 0 && !replaces;
    const { ops: added = [] } = isAdded ? await this.sealed({ ops: done } as Partial<D>, after) : {};
    return {
      ...setOrUnset(fresh.length > 0 ? { ...fields, relayAt } : fields),
      ...pushing({ outbox: { $each: fresh }, ...pushingOps(added) }),
    };
  }

  private async asTheyAre(scope: Scope, documents: D[]): Promise<D[]> {
    const found = await this.lookUpAll(
      scope,
      documents.map(({ _id }) => _id),
    );
    if (found.length < documents.length) throw await this.takenBy(scope, documents);
    return found;
  }

  // A late insert of a removed aggregate finds its id taken too.
  private async takenBy(scope: Scope, documents: D[]): Promise<AppError> {
    const ids = documents.map(({ _id }) => _id);
    const isRemoved = await this.isRemoved(scope, { _id: mongoose.trusted({ $in: ids }) });
    return new AppError(isRemoved ? 'resource_not_found' : 'already_exists');
  }

  private async isRemoved(scope: Scope, filter: Filter): Promise<boolean> {
    const removed = { ...filter, removedAt: mongoose.trusted({ $exists: true }) } as never;
    return (await this.model(scope).exists(removed).setOptions(OF_REMOVED)) !== null;
  }

  /** When a new aggregate was made: the time in its id. Overridden where an id is older than its document. */
  protected madeAt({ _id }: D): Date {
    return timeOfId(_id);
  }

  private fresh(context: RequestContext, fields: Omit<D, Managed>, events: NewEvent<D>[]): D {
    const createdAt = this.madeAt(fields as D);
    const bare = { ...fields, rev: 1, eventCount: 0, outbox: [], ops: [], createdAt, updatedAt: createdAt };
    return this.withEvents(bare as unknown as D, events, context, createdAt);
  }

  private withEvents(document: D, events: NewEvent<D>[], context: RequestContext, occurredAt: Date): D {
    if (events.length === 0) return document;
    const numbered = numberEvents(document, events, context.principal.env, {
      cause: causeOf(context),
      occurredAt,
    });
    return {
      ...document,
      outbox: [...(document.outbox ?? []), ...numbered],
      eventCount: document.eventCount + events.filter((event) => !event.about).length,
      relayAt: sharedClock.inMs(context.isBulk ? BULK_DELAY_MS : RELAY_GRACE_MS),
    };
  }
}
