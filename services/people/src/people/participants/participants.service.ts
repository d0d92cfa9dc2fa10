import { Injectable } from '@nestjs/common';
import { describeParticipants, type ParsedOf, type Participants } from '@swim/contracts';
import { Serve } from '@swim/messaging';
import { clockOffsetIn, Recent, type RequestContext } from '@swim/platform';
import { AccountClocksService } from '../../identity/accounts/account-clocks.service.js';
import { AccountsService, isEnding } from '../../identity/accounts/accounts.service.js';
import { ConnectionsService } from '../connections/connections.service.js';
import { InstructorsService } from '../instructors/instructors.service.js';
import { PupilsService } from '../members/pupils.service.js';

const REMEMBERED_SCHOOLS = 20_000;

/** The accounts of a lesson; the school is null without an instructor. */
interface AccountIds {
  schoolId: string | null;
  accountId: string;
}

/** Describes the participants of a lesson: the instructor with the school's rules, and the members. */
@Injectable()
export class ParticipantsService {
  /** Instructor → school, which never changes: the school is then read at the same time as the instructor. */
  private readonly schools = new Recent<string>(REMEMBERED_SCHOOLS);

  constructor(
    private readonly instructors: InstructorsService,
    private readonly pupils: PupilsService,
    private readonly accounts: AccountsService,
    private readonly connections: ConnectionsService,
    private readonly clocks: AccountClocksService,
  ) {}

  @Serve(describeParticipants)
  async describe(
    { instructorId, memberIds, withAges = false }: ParsedOf<typeof describeParticipants>,
    context: RequestContext,
  ): Promise<Participants> {
    const { env, accountId } = context.principal;
    // Usually an account books for its own members.
    const likely: AccountIds = {
      schoolId: (instructorId && this.schools.get(`${env}|${instructorId}`)) ?? null,
      accountId,
    };
    const [instructor, members, early, likelyConnection] = await Promise.all([
      instructorId === null ? null : this.instructors.findTeacher(instructorId, context),
      this.pupils.findUsable(memberIds, withAges, context),
      likely.schoolId === null ? null : this.readAccounts(likely),
      this.connectionOf(likely, memberIds),
    ]);
    const [member] = members.filter((each) => each !== null);
    const ids = { schoolId: instructor?.schoolId ?? null, accountId: member?.accountId ?? accountId };
    if (instructor) this.schools.set(`${env}|${instructorId}`, instructor.schoolId);
    const [school, clockOffsetMs] = early && isSame(ids, likely) ? early : await this.readAccounts(ids);
    const connection = isSame(ids, likely) ? likelyConnection : await this.connectionOf(ids, memberIds);
    // A school that is about to be erased gets no new sessions.
    const teacher =
      instructor && school && isEnding(school) ? { ...instructor, status: 'inactive' as const } : instructor;
    return {
      instructor: teacher,
      policies: school?.policies ?? null,
      members,
      ...(connection ? { connection } : {}),
      ...clockOffsetIn(env, clockOffsetMs),
    };
  }

  /** Null without members, and for those of the school itself. */
  private connectionOf({ schoolId, accountId }: AccountIds, memberIds: readonly string[]) {
    const isOwn = schoolId === null || schoolId === accountId || memberIds.length === 0;
    return isOwn ? null : this.connections.describe({ schoolId, accountId }, memberIds);
  }

  /** Facts about the school, and the latest clock of the accounts; both read accounts, with one query. */
  private readAccounts({ schoolId, accountId }: AccountIds) {
    return Promise.all([
      schoolId === null ? null : this.accounts.findFacts(schoolId),
      this.clocks.latestOffset([accountId, ...(schoolId === null ? [] : [schoolId])]),
    ]);
  }
}

const isSame = (ids: AccountIds, others: AccountIds): boolean =>
  ids.schoolId === others.schoolId && ids.accountId === others.accountId;
