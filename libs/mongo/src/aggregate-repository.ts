import { type Call, causeOf } from '@swim/messaging';
import { AppError, timeOfId } from '@swim/platform';
import { type Aggregate, type Managed, type NewEvent, numberEvents, OPS_KEPT, RELAY_GRACE_MS } from './aggregate.js';
import type { EnvironmentModels } from './databases.js';
import type { OutboxRelay } from './outbox-relay.js';
import { type Filter, isDuplicate, Repository } from './repository.js';
import { asSystem, type Scope } from './tenant-guard.js';

const MAX_TRIES = 12;

/** What is to become of a document: fields set as a whole, and the events that tell of it. */
export interface Decision<D extends Aggregate> {
  set: Partial<Omit<D, Managed | '_id'>>;
  events?: NewEvent<D>[];
  /** Nothing that a reader sees changes: `updatedAt` stays. */
  unseen?: boolean;
  /** The answer of this work, kept with it so that a take-over answers the same. */
  answer?: (after: D) => unknown;
  /** The answers kept of earlier work go: they may tell what this change takes away. */
  forgetsAnswers?: boolean;
}

/** Result of a change: the document as it is now, and the kept answer when an earlier run had done the work. */
export interface Changed<D> {
  document: D;
  earlierAnswer: unknown;
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

// A field set to undefined goes: mongoose would pass it over, and the document not be what was answered.
function setOrUnset(fields: object): object {
  const isGone = ([, value]: [string, unknown]) => value === undefined;
  const gone = Object.entries(fields).filter(isGone);
  if (gone.length === 0) return { $set: fields };
  const rest = Object.entries(fields).filter((field) => !isGone(field));
  return { $set: Object.fromEntries(rest), $unset: Object.fromEntries(gone.map(([key]) => [key, 1])) };
}

/** A repository of aggregates: each change is decided on what was read and written only if nothing came between. */
export abstract class AggregateRepository<D extends Aggregate> extends Repository<D> {
  protected constructor(
    models: EnvironmentModels<D>,
    private readonly relay: OutboxRelay,
    sharesPublic = false,
  ) {
    super(models, sharesPublic);
    relay.watch(models as unknown as EnvironmentModels<Aggregate>);
  }

  /**
   * Stores a new aggregate with its first events. When its id exists already, an earlier run of the same work made it:
   * that document is answered. `createdAt` is the time in the id.
   */
  protected async create(call: Call, fields: Omit<D, Managed>, events: NewEvent<D>[] = []): Promise<D> {
    const document = this.fresh(call, fields, events);
    const scope = asSystem(call.principal.env, 'a new document names its readers itself');
    if (await this.tryInsert(scope, document)) {
      this.relay.send(this.model(scope) as never, document);
      return document;
    }
    const existing = await this.lookUp(scope, document._id);
    if (!existing) throw new AppError('already_exists');
    return existing;
  }

  /** Stores several in one batch; those that exist already stay as they are. Answers all as they now are, in the order given. */
  protected async createAll(call: Call, all: Omit<D, Managed>[], events: NewEvent<D>[]): Promise<D[]> {
    const documents = all.map((fields) => this.fresh(call, fields, events));
    const scope = asSystem(call.principal.env, 'new documents name their readers themselves');
    try {
      await this.model(scope).insertMany(documents, { lean: true, ordered: false });
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      // Some are from an earlier run, and the sweep sends whatever that has not.
      return this.asTheyAre(scope, documents);
    }
    for (const document of documents) this.relay.send(this.model(scope) as never, document);
    return documents;
  }

  /**
   * Reads, decides, and writes if `rev` is still what was read; otherwise again. `decide` may throw a refusal, or answer
   * null when there is nothing to do. Null when the scope cannot see such a document.
   */
  protected async mutate(
    scope: Scope,
    id: string,
    call: Call,
    decide: (now: D) => Decision<D> | null,
    also?: Filter,
  ): Promise<Changed<D> | null> {
    for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
      const now = await (also ? this.findOne(scope, { _id: id, ...also }) : this.lookUp(scope, id));
      if (!now) return null;
      const earlierAnswer = this.findAnswer(now, call);
      if (earlierAnswer !== undefined) return { document: now, earlierAnswer };
      const decision = decide(now);
      if (!decision) return { document: now, earlierAnswer: undefined };
      const after = await this.commit(now, decision, call);
      if (after) return { document: after, earlierAnswer: undefined };
      await pause(Math.random() * 5 * (attempt + 1));
    }
    throw new AppError('change_in_progress', { retryAfterSeconds: 1 });
  }

  /** The answer kept by an earlier run of the same work on this document; undefined when there was none. */
  findAnswer(document: D, call: Call): unknown {
    const done = call.opId === null ? undefined : document.ops?.find((op) => op.id === call.opId);
    return done && JSON.parse(done.data);
  }

  /** Writes a decision made on `now`; null when the document has changed since. */
  protected async commit(now: D, decision: Decision<D>, call: Call): Promise<D | null> {
    const bare = {
      ...now,
      ...decision.set,
      rev: now.rev + 1,
      updatedAt: decision.unseen ? now.updatedAt : new Date(),
    } as D;
    const after = this.withEvents(bare, decision.events ?? [], call);
    if (decision.forgetsAnswers) after.ops = [];
    if (call.opId !== null && decision.answer) {
      after.ops = [...(after.ops ?? []), { id: call.opId, data: JSON.stringify(decision.answer(after)) }].slice(
        -OPS_KEPT,
      );
    }
    const { rev, updatedAt, eventCount, outbox, relayAt, ops } = after;
    const set = { ...decision.set, rev, updatedAt, eventCount, ...(ops === now.ops ? {} : { ops }) };
    const fresh = (outbox ?? []).slice(now.outbox?.length ?? 0);
    const update = fresh.length
      ? { ...setOrUnset({ ...set, relayAt }), $push: { outbox: { $each: fresh } } }
      : setOrUnset(set);
    const scope = asSystem(call.principal.env, 'the document was read within a scope');
    if (!(await this.update(scope, { _id: now._id, rev: now.rev }, update))) return null;
    if (fresh.length) this.relay.send(this.model(scope) as never, { ...after, outbox: fresh });
    return after;
  }

  private async asTheyAre(scope: Scope, documents: D[]): Promise<D[]> {
    const found = await this.lookUpAll(
      scope,
      documents.map(({ _id }) => _id),
    );
    if (found.length < documents.length) throw new AppError('already_exists');
    return found;
  }

  private fresh(call: Call, fields: Omit<D, Managed>, events: NewEvent<D>[]): D {
    const createdAt = timeOfId((fields as { _id: string })._id);
    const bare = { ...fields, rev: 1, eventCount: 0, outbox: [], ops: [], createdAt, updatedAt: createdAt };
    return this.withEvents(bare as unknown as D, events, call);
  }

  private withEvents(document: D, events: NewEvent<D>[], call: Call): D {
    if (events.length === 0) return document;
    const numbered = numberEvents(document, events, call.principal.env, causeOf(call));
    return {
      ...document,
      outbox: [...(document.outbox ?? []), ...numbered],
      eventCount: document.eventCount + events.filter((event) => !event.about).length,
      relayAt: new Date(Date.now() + RELAY_GRACE_MS),
    };
  }
}
