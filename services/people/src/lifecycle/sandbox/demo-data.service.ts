import { Injectable } from '@nestjs/common';
import {
  addDemoBooking,
  addDemoMethod,
  addDemoPool,
  createInstructor,
  createMember,
  DEMO_LESSONS,
  DEMO_MEMBERS,
  DEMO_PUPILS,
  DEMO_REVIEWS,
  demoBooking,
  demoInstructors,
  type IdPrefix,
  type InputOf,
} from '@swim/contracts';
import { RpcClient } from '@swim/messaging';
import { AppError, derivedId, lowestIdAt, type RequestContext, systemContext } from '@swim/platform';
import { InstructorsService } from '../../people/instructors/instructors.service.js';
import { MembersService } from '../../people/members/members.service.js';
import { ReviewsService } from '../../people/reviews/reviews.service.js';
import type { RunningReset } from './account-resets.service.js';
import { firstDateOf } from './demo-week.rules.js';

/** Clients that did not wait for the reset may have made what stands in the way, or erased what an earlier run had made. */
const EXPECTED: readonly string[] = [
  'already_exists',
  'limit_reached',
  'resource_not_found',
  'not_found',
  'conflicting_dates',
  'inactive_instructor',
  // An interrupted run that is resumed hours later.
  'in_past',
];

/** Well within the lease of a reset. */
const RENEWED_MS = 4_000;

/**
 * Makes the demo data of a test account: of a school a pool, instructors with reviews, members and a week of lessons, of a family
 * members and a card.
 */
@Injectable()
export class DemoDataService {
  constructor(
    private readonly members: MembersService,
    private readonly instructors: InstructorsService,
    private readonly reviews: ReviewsService,
    private readonly rpc: RpcClient,
  ) {}

  /**
   * Makes one object after another, each within a time of its own: a slow machine takes long for all of them, and comes to the end. Leaves
   * the rest when `renew` says that another run has the account. Idempotent: the ids follow from the reset.
   */
  async add(reset: RunningReset, renew: () => Promise<boolean>): Promise<void> {
    let renewedMs = performance.now();
    for (const make of reset.kind === 'school' ? this.ofSchool(reset) : this.ofFamily(reset)) {
      if (performance.now() - renewedMs > RENEWED_MS) {
        if (!(await renew())) return;
        renewedMs = performance.now();
      }
      await unlessMade(make(systemContext('test', reset.accountId)));
    }
  }

  private *ofSchool(reset: RunningReset): Generator<Making> {
    const poolId = idOf(reset, 'pool');
    yield (context) => this.rpc.call(addDemoPool, { accountId: reset.accountId, id: poolId }, context);
    for (const [ordinal, instructor] of demoInstructors(poolId).entries()) {
      const input = createInstructor.input.parse(instructor);
      yield (context) => this.instructors.create(input, making(reset, ordinal, context));
    }
    yield* this.membersOf(DEMO_PUPILS, reset);
    yield* this.reviewsOf(reset);
    yield* this.weekOf(reset);
  }

  private *ofFamily(reset: RunningReset): Generator<Making> {
    yield* this.membersOf(DEMO_MEMBERS, reset);
    const card = { accountId: reset.accountId, id: idOf(reset, 'pm') };
    yield (context) => this.rpc.call(addDemoMethod, card, context);
  }

  private *membersOf(members: DemoMember[], reset: RunningReset): Generator<Making> {
    for (const [ordinal, member] of members.entries()) {
      const input = createMember.input.parse({ account_id: reset.accountId, ...member });
      yield (context) => this.members.create(input, making(reset, ordinal, context));
    }
  }

  /** Their author is the school, whose members they are by: its next reset, or its erasure, removes their words. */
  private *reviewsOf(reset: RunningReset): Generator<Making> {
    const authorId = reset.accountId;
    for (const [ordinal, { instructor, pupil, ...given }] of DEMO_REVIEWS.entries()) {
      const [_id, sessionId] = [idOf(reset, 'rev', ordinal), idOf(reset, 'ses', ordinal)];
      const [instructorId, memberId] = [idOf(reset, 'ins', instructor), idOf(reset, 'mem', pupil)];
      const review = { _id, sessionId, instructorId, memberId, authorId, ...given };
      yield (context) => this.reviews.addDemo(review, authorId, context);
    }
  }

  private *weekOf(reset: RunningReset): Generator<Making> {
    const instructors = demoInstructors(idOf(reset, 'pool'));
    for (const [ordinal, lesson] of DEMO_LESSONS.entries()) {
      const { timezone = 'UTC' } = instructors[lesson.instructor]!;
      const booking = demoBooking(lesson, {
        instructor_id: idOf(reset, 'ins', lesson.instructor),
        member_ids: lesson.pupils.map((pupil) => idOf(reset, 'mem', pupil)),
        firstDate: firstDateOf(reset.before, lesson.time, timezone),
        timezone,
      });
      const made = { accountId: reset.accountId, id: idOf(reset, 'bkg', ordinal), booking };
      yield (context) => this.rpc.call(addDemoBooking, made, context);
    }
  }
}

/** Makes one object. */
type Making = (context: RequestContext) => Promise<unknown>;
type DemoMember = Omit<InputOf<typeof createMember>, 'account_id'>;

/** The id of an object of the demo data; ordinals are in the order of lists. */
function idOf({ accountId, before }: RunningReset, prefix: IdPrefix, ordinal = 0): string {
  const madeAt = new Date(before.getTime() + ordinal);
  return derivedId(prefix, lowestIdAt('req', madeAt), `demo ${accountId}`);
}

const making = (reset: RunningReset, ordinal: number, context: RequestContext): RequestContext => ({
  ...context,
  principal: { ...context.principal, kind: reset.kind },
  newId: (prefix) => idOf(reset, prefix, ordinal),
});

async function unlessMade(made: Promise<unknown>): Promise<void> {
  await made.catch((error: unknown) => {
    if (!(error instanceof AppError && EXPECTED.includes(error.reason))) throw error;
  });
}
