import { Injectable } from '@nestjs/common';
import {
  type ChangedClass,
  classClosed,
  classUpdated,
  closeClass,
  type LessonChangesOfClass,
  type ParsedOf,
  updateClass,
} from '@swim/contracts';
import { Serve } from '@swim/messaging';
import { PUBLIC } from '@swim/mongo';
import {
  AppError,
  accountTime,
  Clock,
  causeOf,
  currentEnvironment,
  invalidState,
  type RequestContext,
  staleVersion,
} from '@swim/platform';
import { dateAt, dateBounds } from '../calendar/hours/local-time.rules.js';
import { toClass } from '../lessons/classes/class.mapper.js';
import {
  type ClassChanges,
  clockWarningsOf,
  derivedFrom,
  differingFields,
  fixedField,
  followedFields,
} from '../lessons/classes/class.rules.js';
import type { ClassDocument, ClassFields, ClassWork } from '../lessons/classes/class.schema.js';
import { ClassPlacesService } from '../lessons/classes/class-places.service.js';
import { ClassesRepository } from '../lessons/classes/classes.repository.js';
import { ParticipantResolverService } from '../participants/participant-resolver.service.js';
import { schoolInstructor } from '../teaching/lesson-making.service.js';
import { requireValid } from './classes.service.js';
import { LessonFollowingService } from './lesson-following.service.js';

const NONE: LessonChangesOfClass = { changed: [], added: [], cancelled: [], skipped: [] };

type Requested = Omit<ParsedOf<typeof updateClass>['changes'], 'notify_participants'>;

/** Changes and closes classes; the lessons to come of an open one follow before the answer. */
@Injectable()
export class ClassChangeService {
  constructor(
    private readonly classes: ClassesRepository,
    private readonly participants: ParticipantResolverService,
    private readonly following: LessonFollowingService,
    private readonly places: ClassPlacesService,
    private readonly clock: Clock,
  ) {}

  @Serve(updateClass)
  async update(
    { class_id: id, changes: { notify_participants: notify = true, ...changes } }: ParsedOf<typeof updateClass>,
    request: RequestContext,
  ): Promise<ChangedClass> {
    const context = { ...request, isQuiet: !notify };
    const own = await this.classes.getOwn(context, id);
    const resolved = await this.resolve(own, changes, context);
    const work = { kind: 'change', seed: context.newId('lsn'), cause: causeOf(context) } as const;
    const decide = (now: ClassDocument) => this.decisionOf(now, { changes, resolved, work });
    const warn = (document: ClassDocument) => {
      if (changes.recurrence && document.status === 'open') context.warnings.push(...clockWarningsOf(document));
    };
    if (context.dryRun) {
      const set = decide(own);
      warn({ ...own, ...set });
      return this.preview(own, set, context);
    }
    const { document, earlierAnswer } = await this.classes.change(context, own, classUpdated, decide);
    warn(document);
    const changed = await this.follow(document, work.seed);
    return { ...changed, ...(earlierAnswer as object | undefined), changes: changed.changes ?? NONE };
  }

  @Serve(closeClass)
  async close(
    { class_id: id, from, reason, notify_participants, refund_as }: ParsedOf<typeof closeClass>,
    request: RequestContext,
  ): Promise<ChangedClass> {
    const context = { ...request, isQuiet: !notify_participants };
    const own = await this.classes.getOwn(context, id);
    const { timezone } = own.recurrence;
    const now = accountTime(this.clock, currentEnvironment(), await this.participants.clockOffset(context));
    const first = new Date(dateBounds(timezone, from ?? dateAt(timezone, now.getTime())).startMs);
    const work: ClassWork = {
      ...{ kind: 'close', seed: context.newId('lsn'), outsideHours: false, cause: causeOf(context) },
      ...{ from: first, refundAs: refund_as, sealedReason: await this.following.sealed(reason, own) },
    };
    const decide = (current: ClassDocument): Partial<ClassDocument> | null => {
      if (current.status === 'closed') return null;
      requireIdle(current);
      if (current.status === 'draft') throw invalidState('Only an open class can be closed', current.status);
      const readers = current.readers.filter((reader) => reader !== PUBLIC);
      return { status: 'closed', readers, work, dueAt: this.classes.leaseEnd() };
    };
    if (context.dryRun) return this.preview(own, decide(own), context);
    const { document } = await this.classes.change(context, own, classClosed, decide);
    return this.follow(document, document.work?.seed ?? null);
  }

  /** Has the lessons follow where that is not done yet, and returns the class with its `changes`; with `seed` null those of its close. */
  private async follow(document: ClassDocument, seed: string | null): Promise<ChangedClass> {
    const { work } = document;
    if (work && work.kind !== 'open' && work.seed === seed) await this.following.carryOut(document, work);
    const now = (await this.classes.findAny(document._id)) ?? document;
    const result = now.results?.findLast((each) => (seed === null ? each.kind === 'close' : each.seed === seed));
    const places = (await this.places.of([now])).get(now._id);
    return { ...toClass(now, places), ...(result ? { changes: result.changes } : {}) };
  }

  private async preview(
    own: ClassDocument,
    set: Partial<ClassDocument> | null,
    context: RequestContext,
  ): Promise<ChangedClass> {
    const document = { ...own, ...set, version: own.version + (set ? 1 : 0) };
    const places = (await this.places.of([own])).get(own._id);
    const changes = set?.work ? await this.following.preview(document, set.work, context) : NONE;
    return { ...toClass(document, places), changes };
  }

  /** The currency of another instructor. Throws where the changes name an instructor or a pool that the school does not have. */
  private async resolve(
    now: ClassDocument,
    { instructor_id, location }: ClassChanges,
    context: RequestContext,
  ): Promise<Partial<ClassFields>> {
    const isOther = instructor_id !== undefined && instructor_id !== now.instructorId;
    if (!isOther && !location) return {};
    const { instructor, rules } = await schoolInstructor(this.participants, instructor_id ?? now.instructorId, context);
    if (location) await this.participants.placeOf(context, location, rules);
    return isOther ? { currency: instructor.currency } : {};
  }

  /** What is to be stored; null when nothing changes. Throws where a class cannot be changed like this. */
  private decisionOf(
    now: ClassDocument,
    {
      changes: { outside_hours = false, version, ...changes },
      resolved,
      work,
    }: {
      changes: Requested;
      resolved: Partial<ClassFields>;
      work: Pick<ClassWork, 'kind' | 'seed' | 'cause'>;
    },
  ): Partial<ClassDocument> | null {
    if (version !== undefined && version !== now.version) throw staleVersion(version, now.version);
    requireIdle(now);
    const set = { ...differingFields(now, changes), ...resolved };
    if (Object.keys(set).length === 0) return null;
    requireValid({ ...now, ...set });
    const fields = now.status === 'draft' ? [] : followedFields(set);
    if (now.status === 'closed' && fields.length > 0)
      throw invalidState('Only the name and the description of a closed class change', now.status);
    if (now.status === 'open') requireOpenable(now, set);
    if (fields.length === 0) return { ...set, ...derivedFrom(set) };
    const before = { recurrence: now.recurrence, durationMinutes: now.durationMinutes };
    const begun = { ...work, outsideHours: outside_hours, fields, before };
    return { ...set, ...derivedFrom(set), work: begun, dueAt: this.classes.leaseEnd() };
  }
}

function requireIdle({ work }: ClassDocument): void {
  if (work) throw new AppError('change_in_progress', { retryAfterSeconds: 1 });
}

/** Rejects a change of what is fixed once a class was opened. */
function requireOpenable(now: ClassDocument, set: Partial<ClassFields>): void {
  const field = set.recurrence && fixedField(now.recurrence, set.recurrence);
  if (field) throw new AppError('class_open', { field });
  if (set.currency !== undefined && set.currency !== now.currency)
    throw new AppError('currency_mismatch', {
      field: 'instructor_id',
      bounds: { expected: `the id of an instructor with prices in ${now.currency}` },
    });
}
