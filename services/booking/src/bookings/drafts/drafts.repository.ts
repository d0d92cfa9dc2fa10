import { Inject, Injectable } from '@nestjs/common';
import { ENVIRONMENTS, type Environment, type ErrorBody } from '@swim/contracts';
import { asSystem, Databases, FreeTexts, Repository, type TextPlace } from '@swim/mongo';
import {
  AppError,
  CONFIG,
  contextOfCause,
  currentEnvironment,
  type Deadline,
  DelayedRun,
  inEnvironment,
  LOGGER,
  type Logger,
  lowestIdAt,
  type RequestContext,
} from '@swim/platform';
import mongoose from 'mongoose';
import type { Config } from '../../config.js';
import { type DraftDocument, type DraftedBooking, draftSchema, type NewDraft, type OpenDraft } from './draft.schema.js';

const REASON = 'drafts have no readers';
const SCOPE = asSystem(REASON);
// Well before recovery processes a draft (SAGA_LEASE_MS).
const END_MS = 200;
const ENDED_AT_ONCE = 500;
const MOST_AT_ONCE = 200;
// How long a draft that could not be ended suggests that the next one cannot either.
const FAILING_MS = 30_000;
const MOST_LEASES = 8;
const CONTENT = { booking: 1, times: 1, cause: 1, textsAbout: 1 } as const;

/** The place of the booking's notes: the ciphertext is bound to the same one. */
const placeOf = ({ _id, accountId }: Pick<DraftDocument, '_id' | 'accountId'>): TextPlace => ({
  owner: { id: accountId, accountId },
  field: 'notes',
  documentId: _id,
});

/** Whether the booking of a draft may still be made. */
export const isOpen = (draft: DraftDocument): draft is OpenDraft => draft.booking !== undefined;

/** Whether it has failed without a rejection: it starts over when its request is repeated. */
const hasFailedOpenly = (draft: DraftDocument): boolean => draft.state === 'failed' && isOpen(draft);

/**
 * The context of the request that made a draft, continued by another run of it or without its client: the first events of the booking are
 * the same whichever run publishes them.
 */
export const requestOf = ({ cause }: NewDraft, deadline: Deadline): RequestContext => contextOfCause(cause, deadline);

const hasTexts = ({ notes, metadata = [] }: DraftedBooking): boolean => notes !== null || metadata.length > 0;

/** Storage of drafts; each step of the saga is one conditional update. */
@Injectable()
export class DraftsRepository extends Repository<DraftDocument> {
  /** Drafts in progress whose run has ended early. */
  readonly unfinished = this.work({
    name: 'drafts',
    due: 'nextAt',
    reason: REASON,
    leaseMs: (draft) => this.leaseOf(draft),
    counts: ['attempt'],
    where: { state: 'claiming' },
    atOnce: 100,
  });

  private failedAtMs = Number.NEGATIVE_INFINITY;
  private readonly made: Record<Environment, Set<string>> = { live: new Set(), test: new Set() };
  private readonly ending = new DelayedRun(END_MS, () => this.endMade());

  constructor(
    private readonly databases: Databases,
    private readonly texts: FreeTexts,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    super(databases.collection('drafts', draftSchema));
  }

  /**
   * Stores a draft as `claiming`. One that failed without a rejection starts over; any other of this id is returned unchanged.
   * Throws `deadline_exceeded` after the request's deadline.
   */
  async begin(context: RequestContext, fresh: NewDraft): Promise<DraftDocument> {
    context.deadline.check();
    const draft = this.begun(fresh, 1);
    if (await this.tryInsert(SCOPE, await this.sealedDraft(draft), context.deadline)) return draft;
    const known = await this.find(draft._id);
    // It was removed since.
    if (!known) throw new AppError('unavailable', { retryAfterSeconds: 1 });
    return hasFailedOpenly(known) ? this.restart(context, known, fresh) : known;
  }

  /** The draft as it is now; null when there is none, or it ended two days ago. */
  find(id: string): Promise<DraftDocument | null> {
    return this.lookUp(SCOPE, id);
  }

  /**
   * claiming → failed, unless another process has taken it over, or its claim is confirmed. Returns the draft as it is now. With a
   * rejection nothing is kept of what was to be booked.
   */
  async markFailed(draft: DraftDocument, rejection: ErrorBody | null): Promise<DraftDocument> {
    const { _id, attempt } = draft;
    const current = { _id, attempt, state: 'claiming', creditedCents: { $exists: false } };
    const failed = { state: 'failed', endedAt: this.databases.clock.now() } as const;
    const update = rejection
      ? { $set: { ...failed, rejection: JSON.stringify(rejection) }, $unset: { nextAt: 1, ...CONTENT } }
      : { $set: failed, $unset: { nextAt: 1 } };
    await this.update(SCOPE, current, update);
    return (await this.find(_id)) ?? draft;
  }

  /**
   * Stores what the makeup credit pays of a booking whose claim is confirmed, as the latest run has reserved it: from then on every
   * run uses this amount. Returns the draft as it is now.
   */
  async decideCredit(draft: OpenDraft, creditedCents: number): Promise<DraftDocument | null> {
    const { _id, attempt, state } = draft;
    const undecided = { _id, attempt, state, booking: { $exists: true }, creditedCents: { $exists: false } };
    const isDecided = await this.update(SCOPE, undecided, { $set: { creditedCents } });
    return isDecided ? { ...draft, creditedCents } : this.find(_id);
  }

  /** Notes that a draft's booking is made, and its events are published; the draft ends soon. */
  markMade(id: string): void {
    this.made[currentEnvironment()].add(id);
    this.ending.request();
  }

  /** Notes that a draft cannot be ended now. */
  noteFailing(): void {
    this.failedAtMs = performance.now();
  }

  /** Ends the drafts that are noted, now. */
  flush(): Promise<void> {
    return this.ending.flush();
  }

  /** Whether a draft of an account is open that was made before an instant. */
  async hasOpenOf(accountId: string, before: Date): Promise<boolean> {
    // Ids are in the order in which they were made. States the condition of the partial index, which is used only then.
    const open = {
      nextAt: mongoose.trusted({ $type: 'date' }),
      _id: mongoose.trusted({ $lt: lowestIdAt('bkg', before) }),
    };
    return (await this.findPicked(SCOPE, { accountId, ...open }, [], { limit: 1 })).length > 0;
  }

  /** Some drafts of bookings of a member that have notes or metadata. */
  async findIdsWithTexts(memberId: string): Promise<string[]> {
    // States the condition of the partial index, which is used only then.
    const about = { textsAbout: mongoose.trusted({ $type: 'string', $in: [memberId] }) };
    return (await this.findPicked(SCOPE, about, [], { limit: MOST_AT_ONCE })).map(({ _id }) => _id);
  }

  /** Removes notes and metadata of a draft. Its booking may have been stored with them: see `areTextsErased`. */
  async clearTexts(id: string): Promise<void> {
    const open = { _id: id, booking: { $exists: true } };
    const update = {
      $set: { 'booking.notes': null, textsErased: true },
      $unset: { 'booking.metadata': 1, textsAbout: 1 },
    };
    await this.update(SCOPE, open, update);
  }

  /** Whether an erasure has removed the notes and metadata that a draft had when it was read; also when it is gone. */
  async areTextsErased({ _id, booking, textsErased = false }: OpenDraft): Promise<boolean> {
    if (textsErased || !hasTexts(booking)) return textsErased;
    const now = await this.find(_id);
    return now === null || now.textsErased === true;
  }

  protected override opened(stored: DraftDocument[]): Promise<DraftDocument[]> {
    return Promise.all(
      stored.map(async (draft) => {
        if (!isOpen(draft) || draft.booking.notes === null) return draft;
        const notes = await this.texts.open(draft.booking.notes, placeOf(draft));
        return { ...draft, booking: { ...draft.booking, notes } };
      }),
    );
  }

  /**
   * For how long a run has a draft, in ms. While drafts do not end, as in an outage of JetStream, each waits for twice as long after each
   * run: all bookings made meanwhile are recovered again and again.
   */
  private leaseOf({ attempt }: DraftDocument): number {
    const isFailing = performance.now() - this.failedAtMs < FAILING_MS;
    return this.config.SAGA_LEASE_MS * (isFailing ? Math.min(2 ** attempt, MOST_LEASES) : 1);
  }

  private begun(fresh: NewDraft, attempt: number): OpenDraft {
    return {
      ...fresh,
      state: 'claiming',
      ...(hasTexts(fresh.booking) ? { textsAbout: fresh.booking.memberIds } : {}),
      attempt,
      nextAt: this.databases.clock.inMs(this.config.SAGA_LEASE_MS),
    };
  }

  private async restart(context: RequestContext, failed: DraftDocument, fresh: NewDraft): Promise<DraftDocument> {
    const draft = this.begun(fresh, failed.attempt + 1);
    const { _id, ...set } = await this.sealedDraft(draft);
    const open = { _id, state: 'failed', attempt: failed.attempt, booking: { $exists: true } };
    const gone = { endedAt: 1, ...(draft.textsAbout ? {} : { textsAbout: 1 }) };
    const isBegun = await this.update(SCOPE, open, { $set: set, $unset: gone }, context.deadline);
    return isBegun ? draft : ((await this.find(_id)) ?? failed);
  }

  private async sealedDraft(draft: OpenDraft): Promise<OpenDraft> {
    const { notes } = draft.booking;
    if (notes === null) return draft;
    // The ciphertext is stored in the text's field: readers must decrypt it first.
    const sealed = (await this.texts.seal(notes, placeOf(draft))) as unknown as string | null;
    return { ...draft, booking: { ...draft.booking, notes: sealed } };
  }

  private async endMade(): Promise<void> {
    for (const env of ENVIRONMENTS) {
      const ids = [...this.made[env]];
      this.made[env].clear();
      for (let from = 0; from < ids.length; from += ENDED_AT_ONCE) {
        const some = ids.slice(from, from + ENDED_AT_ONCE);
        await inEnvironment(env, () => this.end(some)).catch((error) =>
          this.logger.warn({ err: error }, 'drafts not ended yet'),
        );
      }
    }
  }

  private async end(ids: string[]): Promise<void> {
    const these = { _id: mongoose.trusted({ $in: ids }) };
    const update = {
      $set: { state: 'made', endedAt: this.databases.clock.now() },
      $unset: { nextAt: 1, creditedCents: 1, rejection: 1, ...CONTENT },
    };
    const options = { asSystem: REASON } as object;
    await this.model(SCOPE).updateMany(these as object, update as object, options);
  }
}
