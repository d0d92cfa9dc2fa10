import { Injectable, Module } from '@nestjs/common';
import { memberCreated, memberUpdated, type Principal } from '@swim/contracts';
import { EventPublisher, startService } from '@swim/messaging';
import {
  Deadline,
  MasterKeys,
  makeRequestContext,
  newId,
  type RequestContext,
  type RequestContextSeed,
} from '@swim/platform';
import { Schema } from 'mongoose';
import {
  type Aggregate,
  AggregateRepository,
  aggregateSchema,
  asSystem,
  type Changed,
  type CreatedAll,
  Databases,
  DataKeys,
  DataMigrations,
  type Decision,
  FreeTexts,
  Idempotency,
  KEY_WRAPPING,
  type Managed,
  type MongoConfig,
  MongoModule,
  type NewEvent,
  OutboxRelay,
  PUBLIC,
  Repository,
  type Scope,
  underMasterKeys,
} from '../src/index.js';
import type { MongoHarness } from './harness.js';

/** A sample aggregate. */
export interface Lesson extends Aggregate {
  title: string;
  count: number;
  /** Unique where it is set. */
  code?: string | undefined;
  leaseUntil?: Date | undefined;
}
export type NewLesson = Omit<Lesson, Managed>;

const lessonSchema = aggregateSchema<Lesson>({
  title: { type: String, required: true },
  count: { type: Number, required: true },
  code: String,
  leaseUntil: Date,
});
lessonSchema.index({ code: 1 }, { unique: true, sparse: true });

/** The object in a lesson's events. */
export const toLessonObject = ({ _id, title, count }: Lesson) => ({ id: _id, title, count });

export const created: NewEvent<Lesson> = { type: memberCreated, object: toLessonObject };
export const updated: NewEvent<Lesson> = { type: memberUpdated, object: toLessonObject };
export const counted = (now: Lesson): Decision<Lesson> => ({ set: { count: now.count + 1 }, events: [updated] });

@Injectable()
export class Lessons extends AggregateRepository<Lesson> {
  constructor(databases: Databases, relay: OutboxRelay) {
    super(databases.collection('lessons', lessonSchema), relay);
  }

  override model = super.model;

  insert(context: RequestContext, lesson: NewLesson, events: NewEvent<Lesson>[] = [created]): Promise<Lesson> {
    return this.create(context, lesson, events);
  }

  insertAll(context: RequestContext, lessons: NewLesson[]): Promise<CreatedAll<Lesson>> {
    return this.createAll(context, lessons, [created]);
  }

  change(
    context: RequestContext,
    of: string | Lesson,
    decide: (now: Lesson) => Decision<Lesson> | null,
    isMeant?: (now: Lesson) => boolean,
  ): Promise<Changed<Lesson> | null> {
    return this.mutate(context.principal, of, context, decide, isMeant);
  }

  write(context: RequestContext, now: Lesson, decision: Decision<Lesson>): Promise<Lesson | null> {
    return this.commit(now, decision, context);
  }

  removeById(id: string): Promise<boolean> {
    return this.removeForGood(asSystem('test', 'a test removes'), { _id: id });
  }

  override findMany = super.findMany;
  override findPicked = super.findPicked;
  override findOne = super.findOne;
  override view = super.view;
  override viewsBy = super.viewsBy;

  async get(id: string): Promise<Lesson> {
    return (await this.lookUp(asSystem('test', 'a test looks'), id))!;
  }
}

/** A sample document without events. */
export interface Note {
  _id: string;
  readers: string[];
  text: string;
  at: Date;
  holder?: string | null;
  until?: Date | null;
  nr?: number;
}

const noteSchema = new Schema<Note>(
  { _id: String, readers: [String], text: String, at: Date, holder: String, until: Date, nr: Number },
  { versionKey: false },
);
// Some engines reject the database's clock in a filter only where an index exists.
noteSchema.index({ at: 1 });

/** A repository with public methods for tests. */
export class Notes extends Repository<Note> {
  constructor(databases: Databases, name: string, sharesPublic = false) {
    super(databases.collection<Note>(name, noteSchema), sharesPublic);
  }

  override model = super.model;
  override lookUp = super.lookUp;
  override lookUpAll = super.lookUpAll;
  override findOne = super.findOne;
  override exists = super.exists;
  override findFirst = super.findFirst;
  override findPicked = super.findPicked;
  override findMany = super.findMany;
  override findDueBy = super.findDueBy;
  override update = super.update;
  override updateIf = super.updateIf;
  override remove = super.remove;
  override tryInsert = super.tryInsert;
  override page = super.page;
}

@Injectable()
class NotesOfAccounts extends Notes {
  constructor(databases: Databases) {
    super(databases, 'notes');
  }
}

@Injectable()
class SharedNotes extends Notes {
  constructor(databases: Databases) {
    super(databases, 'shared_notes', true);
  }
}

/** The parts of one process of a service. */
export interface Replica {
  databases: Databases;
  idempotency: Idempotency;
  relay: OutboxRelay;
  publisher: EventPublisher;
  lessons: Lessons;
  notes: Notes;
  sharedNotes: Notes;
  keys: DataKeys;
  texts: FreeTexts;
  migrations: DataMigrations;
  /** Whose secrets may change, as those in files do. */
  settings: MongoConfig;
  stop(): Promise<void>;
}

/** Starts a replica of the service `people` on these engines. */
export async function startReplica({ nats, config }: MongoHarness, more: Partial<MongoConfig> = {}): Promise<Replica> {
  const settings: MongoConfig = { ...config, ...more };
  const module = {
    module: class SampleModule {},
    imports: [MongoModule.forService(settings, {})],
    providers: [
      Lessons,
      NotesOfAccounts,
      SharedNotes,
      DataKeys,
      FreeTexts,
      { provide: KEY_WRAPPING, useValue: underMasterKeys(new MasterKeys('people', settings)) },
    ],
  };
  Module({})(module.module);
  const { app, stop } = await startService('people', module, {
    NATS_URL: nats.url,
    HEALTH_PORT: 0,
    HEALTH_HOST: '127.0.0.1',
    LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'silent',
  });
  return {
    databases: app.get(Databases, { strict: false }),
    idempotency: app.get(Idempotency, { strict: false }),
    relay: app.get(OutboxRelay, { strict: false }),
    publisher: app.get(EventPublisher, { strict: false }),
    lessons: app.get(Lessons, { strict: false }),
    notes: app.get(NotesOfAccounts, { strict: false }),
    sharedNotes: app.get(SharedNotes, { strict: false }),
    keys: app.get(DataKeys, { strict: false }),
    texts: app.get(FreeTexts, { strict: false }),
    migrations: app.get(DataMigrations, { strict: false }),
    settings,
    stop,
  };
}

export const family: Principal = {
  accountId: newId('acct'),
  kind: 'family',
  env: 'test',
  keyId: newId('key'),
  scopes: [],
};
export const stranger: Principal = { ...family, accountId: newId('acct') };
export const nobody: Scope = asSystem('test', 'a test looks');
export { PUBLIC };

/** A context as a controller passes it to a use case. */
export const aContext = (seed: Partial<RequestContextSeed> = {}): RequestContext =>
  makeRequestContext({ requestId: newId('req'), principal: family, deadline: new Deadline(10_000), ...seed });

/** A new lesson, readable by the family. */
export const aLesson = (more: Partial<NewLesson> = {}): NewLesson => ({
  _id: newId('mem'),
  readers: [family.accountId],
  title: 'Crawl',
  count: 0,
  ...more,
});

/** A note, readable by the family. */
export const aNote = (more: Partial<Note> = {}): Note => ({
  _id: newId('mem'),
  readers: [family.accountId],
  text: 'breathe',
  at: new Date('2027-03-01T10:00:00Z'),
  ...more,
});
