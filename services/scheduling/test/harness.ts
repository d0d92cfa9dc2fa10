import {
  type BookingTerms,
  type CalendarDescription,
  connectBooked,
  describeCalendar,
  describeParticipants,
  describePupils,
  findActing,
  findTeachingHours,
  type InputOf,
  makeSession,
  type OutputOf,
  type ParsedOf,
  type Participants,
  type Principal,
  type SwimmingLevel,
} from '@swim/contracts';
import { type RunningService, startService } from '@swim/messaging';
import { AppError, newId } from '@swim/platform';
import {
  aPrincipal,
  aSchedule,
  FakeClock,
  inDays,
  type RequestOptions,
  schoolPrincipal,
  startHarness,
  type TestHarness,
} from '@swim/testing';

/** The account of every member in the tests, unless a test sets another. */
export const family: Principal = aPrincipal();
export const school: Principal = schoolPrincipal;

/** The terms of a booking with an instructor of these tests. */
export const TERMS: BookingTerms = {
  hourlyRateCents: 6_000,
  freeCancellationHours: 24,
  lateFeePercent: 50,
  noShowFeePercent: 100,
  makeupCredits: true,
};

/** A fake of people with the tests' instructors and members: scheduling requests them over NATS and stores nothing. */
export class KnownPeople {
  readonly instructors = new Map<string, NonNullable<Participants['instructor']>>();
  readonly memberAccounts = new Map<string, string>();
  /** The levels of members that are no beginners. */
  readonly levels = new Map<string, SwimmingLevel>();
  /** Members that the school may no longer read. */
  readonly forbidden = new Set<string>();
  /** Accounts that the school has made and nobody has claimed. */
  readonly unclaimed = new Set<string>();
  /** Accounts that are being erased. */
  readonly erasedAccounts = new Set<string>();
  policies: NonNullable<Participants['policies']> = {
    freeCancellationHours: 24,
    lateFeePercent: 50,
    noShowFeePercent: 100,
    requirePrepayment: false,
    enforceAvailability: true,
    makeupCredits: true,
    progressVisible: true,
  };

  /** What connects the accounts with the school. */
  connection: NonNullable<Participants['connection']> = { generation: 1, names: true, isEndedBySchool: false };
  /** Called while a booking is connected. */
  whileConnecting: () => void = () => undefined;
  /** What bookings have connected, in order. */
  readonly connected: ParsedOf<typeof connectBooked>[] = [];

  /** The later clock of account and school, for every request. */
  clockOffsetMs: number | undefined;

  instructor(overrides: Partial<NonNullable<Participants['instructor']>> = {}): string {
    const id = newId('ins');
    this.instructors.set(id, {
      id,
      schoolId: school.accountId,
      name: 'Ines',
      status: 'active',
      timezone: 'UTC',
      schedule: aSchedule(),
      hourlyRateCents: 6000,
      currency: 'USD',
      maxGroupSize: 4,
      certifiedUntil: null,
      levelsTaught: [],
      defaultPoolId: null,
      poolIds: [],
      version: 1,
      ...overrides,
    });
    return id;
  }

  member(accountId = family.accountId): string {
    const id = newId('mem');
    this.memberAccounts.set(id, accountId);
    return id;
  }

  describe(instructorId: string | null, memberIds: string[], requester: Principal): Participants {
    const usable = (accountId: string | undefined) =>
      accountId !== undefined && (accountId === requester.accountId || requester.accountId === school.accountId);
    return {
      instructor: this.instructors.get(instructorId ?? '') ?? null,
      policies: this.policies,
      ...(memberIds.every((id) => this.memberAccounts.get(id) === school.accountId)
        ? {}
        : { connection: this.connection }),
      ...(this.clockOffsetMs === undefined ? {} : { clockOffsetMs: this.clockOffsetMs }),
      members: memberIds.map((id) =>
        usable(this.memberAccounts.get(id))
          ? {
              id,
              accountId: this.memberAccounts.get(id)!,
              level: this.levels.get(id) ?? 'beginner',
              dateOfBirth: '2020-01-15',
            }
          : null,
      ),
    };
  }

  actingFor(accountId: string, requester: Principal): OutputOf<typeof findActing> {
    const { accountId: actingSchoolId, kind } = requester;
    const mayAct = kind === 'school' && actingSchoolId === school.accountId && this.unclaimed.has(accountId);
    return { principal: mayAct ? { ...requester, accountId, kind: 'family', actingSchoolId } : null };
  }

  /** The age of each is the year of the date. */
  describePupils(memberIds: string[], date: string, requester: Principal): OutputOf<typeof describePupils> {
    const { accountId, scopes, instructorId } = requester;
    const known = memberIds.filter((id) => this.memberAccounts.has(id) && !this.forbidden.has(id));
    if (accountId !== school.accountId) return { pupils: [] };
    return {
      pupils: known.map((member_id) => ({
        member_id,
        name: `Pupil ${member_id}`,
        age_years: Number(date.slice(0, 4)),
        swimming_level: 'beginner' as const,
        has_medical_notes: true,
        medical_notes: scopes.includes('members:medical') || instructorId ? 'Asthma' : null,
        emergency_contact: null,
      })),
    };
  }

  describeCalendar(accountId: string, instructorIds: string[]): CalendarDescription | null {
    if (this.erasedAccounts.has(accountId)) return null;
    const instructors = instructorIds.flatMap((id) => this.instructors.get(id) ?? []);
    return { locale: 'de', instructors: instructors.map(({ id, name }) => ({ id, name })) };
  }
}

/** A search that finds more instructors than one request may. */
export const EVERYONE = 'everyone';

/** Answers as people does to a search by ids alone, in batches of two. */
function hoursIn(
  { instructors }: KnownPeople,
  { instructorIds, accountIds, search, after = '' }: ParsedOf<typeof findTeachingHours>,
): OutputOf<typeof findTeachingHours> {
  if (search === EVERYONE) throw new AppError('too_many_matches', { field: 'search', details: { maximum: 1_000 } });
  const ids = instructorIds ?? [...instructors.keys()];
  if (ids.some((id) => !instructors.has(id))) throw new AppError('not_found', { field: 'instructor_ids' });
  const open = ids.sort().flatMap((id) => {
    const { status, timezone, schedule, schoolId, poolIds } = instructors.get(id)!;
    const pools = poolIds ? { schoolId, poolIds } : {};
    const isFound = status === 'active' && (accountIds?.includes(schoolId) ?? true);
    return isFound && id > after ? [{ id, timezone, schedule, ...pools }] : [];
  });
  return { instructors: open.slice(0, 2), next: open.length > 2 ? open[1]!.id : null };
}

export interface SchedulingHarness {
  harness: TestHarness;
  people: KnownPeople;
  clock: FakeClock;
  service: RunningService;
  stop(): Promise<void>;
}

// With the short leases of the crash tests, a busy machine would end claims and runs that are alive.
const LEASES = { CLAIM_LEASE_MS: '60000', IDEMPOTENCY_LEASE_MS: '60000' };

/** Real NATS and database and a fake people, without the service itself. */
export async function startSurroundings(): Promise<{ harness: TestHarness; people: KnownPeople }> {
  const harness = await startHarness();
  const people = new KnownPeople();
  harness.serve(describeParticipants, ({ instructorId, memberIds }, requester) =>
    people.describe(instructorId, memberIds, requester),
  );
  harness.serve(connectBooked, (booked) => {
    people.whileConnecting();
    people.connected.push(booked);
    return {};
  });
  harness.serve(findActing, ({ accountId }, requester) => people.actingFor(accountId, requester));
  harness.serve(describePupils, ({ memberIds, date }, requester) => people.describePupils(memberIds, date, requester));
  harness.serve(describeCalendar, ({ accountId, instructorIds }) => people.describeCalendar(accountId, instructorIds));
  harness.serve(findTeachingHours, (query) => hoursIn(people, query));
  return { harness, people };
}

/** Scheduling in the test's process, on real NATS and a real database. */
export async function startScheduling(env: Record<string, string> = {}): Promise<SchedulingHarness> {
  const { harness, people } = await startSurroundings();
  Object.assign(process.env, LEASES, env);
  const clock = new FakeClock();
  const { config } = await import('../src/config.js');
  const { AppModule } = await import('../src/app.module.js');
  const service = await startService('scheduling', AppModule, config, clock);
  return {
    harness,
    people,
    clock,
    service,
    async stop() {
      await service.stop();
      await harness.stop();
    },
  };
}

/** A well-formed request for a session ten days from now. */
export const aSession = (
  instructorId: string,
  memberId: string,
  overrides: Partial<InputOf<typeof makeSession>> = {},
) => ({
  instructor_id: instructorId,
  member_id: memberId,
  date: inDays(10),
  duration_minutes: 30,
  ...overrides,
});

export const asFamily: RequestOptions = { principal: family };
export const withKey = (idempotencyKey: string, principal = family): RequestOptions => ({ principal, idempotencyKey });
