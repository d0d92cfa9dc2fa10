import {
  type Account,
  describeParticipants,
  findActing,
  findConnection,
  getAccount,
  type Participants,
  type Principal,
} from '@swim/contracts';
import { newId } from '@swim/platform';
import { aSchedule, type TestHarness } from '@swim/testing';

type Instructor = NonNullable<Participants['instructor']>;
type Policies = NonNullable<Participants['policies']>;

const POLICIES: Policies = {
  freeCancellationHours: 24,
  lateFeePercent: 50,
  noShowFeePercent: 100,
  requirePrepayment: false,
  enforceAvailability: true,
  makeupCredits: true,
  progressVisible: true,
};

/** A fake of people with the instructors and members that a test makes. */
export class FakePeople {
  /** The later clock of account and school, for every request. */
  clockOffsetMs: number | undefined;
  /** Accounts whose connection with any school has ended. */
  readonly disconnected = new Set<string>();
  /** When the connections of accounts have last ended, and begun anew. */
  readonly lastEnds = new Map<string, string>();
  /** Those of which the schools have ended it. */
  readonly endedBySchool = new Set<string>();
  private readonly instructors = new Map<string, { instructor: Instructor; policies: Policies }>();
  private readonly members = new Map<string, { accountId: string; readers: string[] }>();

  constructor(harness: TestHarness) {
    harness.serve(findConnection, ({ accountId }) => ({
      connection: this.disconnected.has(accountId)
        ? null
        : { id: newId('con'), memberIds: [], generation: 1, lastEndedAt: this.lastEnds.get(accountId) },
    }));
    // No school acts for an account.
    harness.serve(findActing, () => ({ principal: null }));
    harness.serve(getAccount, ({ account_id }) => this.account(account_id));
    harness.serve(describeParticipants, ({ instructorId, memberIds }, principal) =>
      this.describe(instructorId!, memberIds, principal),
    );
  }

  /** An instructor of a school; 5000 cents an hour in USD, groups of up to three. */
  anInstructor(schoolId: string, changes: Partial<Instructor> = {}, policies: Partial<Policies> = {}): string {
    const instructor: Instructor = {
      id: newId('ins'),
      schoolId,
      name: 'Coach',
      status: 'active',
      timezone: 'UTC',
      schedule: aSchedule(),
      hourlyRateCents: 5_000,
      currency: 'USD',
      maxGroupSize: 3,
      certifiedUntil: null,
      levelsTaught: [],
      defaultPoolId: null,
      poolIds: [],
      version: 1,
      ...changes,
    };
    this.instructors.set(instructor.id, { instructor, policies: { ...POLICIES, ...policies } });
    return instructor.id;
  }

  /** Changes an instructor from now on. */
  changeInstructor(id: string, changes: Partial<Instructor>): void {
    Object.assign(this.instructors.get(id)!.instructor, changes);
  }

  /** Changes the policies that hold for an instructor from now on. */
  changePolicies(instructorId: string, changes: Partial<Policies>): void {
    Object.assign(this.instructors.get(instructorId)!.policies, changes);
  }

  /** A member of an account, readable also by the accounts in `readers`. */
  aMember(accountId: string, readers: string[] = []): string {
    const id = newId('mem');
    this.members.set(id, { accountId, readers: [accountId, ...readers] });
    return id;
  }

  /** An account in Berlin that books in USD. */
  private account(id: string): Account {
    return {
      id,
      name: 'Baths',
      email: 'baths@example.org',
      pending_email: null,
      locale: 'de',
      kind: 'school',
      timezone: 'Europe/Berlin',
      currency: 'USD',
      policies: null,
      metadata: {},
      created_at: new Date(0).toISOString(),
    };
  }

  private describe(instructorId: string, memberIds: string[], { accountId }: Principal): Participants {
    const found = this.instructors.get(instructorId);
    return {
      instructor: found?.instructor ?? null,
      policies: found?.policies ?? null,
      ...(this.endedBySchool.has(accountId)
        ? { connection: { generation: 2, names: false, isEndedBySchool: true } }
        : {}),
      ...(this.clockOffsetMs === undefined ? {} : { clockOffsetMs: this.clockOffsetMs }),
      members: memberIds.map((id) => {
        const member = this.members.get(id);
        return member?.readers.includes(accountId)
          ? { id, accountId: member.accountId, level: 'beginner' as const, dateOfBirth: '2020-01-15' }
          : null;
      }),
    };
  }
}
