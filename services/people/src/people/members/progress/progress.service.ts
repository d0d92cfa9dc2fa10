import { randomUUID } from 'node:crypto';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import {
  type AccessAction,
  type Assessment,
  assessMember,
  checkRoster,
  getMemberProgress,
  memberLevelAdvanced,
  memberProgressUpdated,
  type ParsedOf,
  type Progress,
} from '@swim/contracts';
import { RpcClient, Serve } from '@swim/messaging';
import { type Decision, Idempotency } from '@swim/mongo';
import { AppError, formerValues, type RequestContext } from '@swim/platform';
import { AccountClocksService } from '../../../identity/accounts/account-clocks.service.js';
import { AccountsService } from '../../../identity/accounts/accounts.service.js';
import { PrivacyService, type Vault } from '../../../identity/privacy/privacy.service.js';
import { AccessLogService } from '../../access-log/access-log.service.js';
import { countsOf, type LessonCounts } from '../lessons/lesson.rules.js';
import { LessonsRepository } from '../lessons/lessons.repository.js';
import { memberObjectOf } from '../member.mapper.js';
import type { MemberDocument } from '../member.schema.js';
import { readersOf } from '../member-readers.rules.js';
import { MembersRepository } from '../members.repository.js';
import { levelsReached, standingAfter, unknownSkillAmong, withNote } from './assessment.rules.js';
import { progressOf } from './progress.mapper.js';

type Noted = Pick<MemberDocument, '_id' | 'progressNotes'>;

const NOBODY = new Set<string>();

/** Members' progress: schools' assessments of skills, and counts of lessons. */
@Injectable()
export class ProgressService implements OnModuleInit {
  @Inject(AccountClocksService) private readonly clocks!: AccountClocksService;
  @Inject(Idempotency) private readonly idempotency!: Idempotency;
  @Inject(RpcClient) private readonly rpc!: RpcClient;

  constructor(
    private readonly members: MembersRepository,
    private readonly lessons: LessonsRepository,
    private readonly accounts: AccountsService,
    private readonly privacy: PrivacyService,
    private readonly accessLog: AccessLogService,
  ) {}

  onModuleInit(): void {
    this.idempotency.beforeRepeat(assessMember, async ({ member_id: id }, context) => {
      await this.requireOnRoster(id, context);
      const member = await this.members.findAny(id);
      if (member) await this.record('assess', member, context);
    });
  }

  @Serve(getMemberProgress)
  async get({ member_id: id }: ParsedOf<typeof getMemberProgress>, context: RequestContext): Promise<Progress> {
    await this.requireOnRoster(id, context);
    const member = await this.members.getReadable(context, id);
    const [counts, hiding, notes] = await Promise.all([
      this.countsOf(id),
      this.schoolsHidingFrom(member, context),
      this.notesFor(member, context),
    ]);
    await this.record('progress', member, context);
    return progressOf(member, { counts, hiding, notes });
  }

  /** Stores a school's assessment; mastering all skills of a level raises the level. */
  @Serve(assessMember)
  async assess(found: Assessment, context: RequestContext): Promise<Progress> {
    if (context.principal.kind !== 'school') throw new AppError('school_only');
    const unknown = unknownSkillAmong(found.skills);
    if (unknown !== -1) throw unknownSkill(`skills.${unknown}.code`);
    await this.requireOnRoster(found.member_id, context);
    const known = await this.members.getReadable(context, found.member_id);
    await this.record('assess', known, context);
    const owner = { id: known._id, accountId: known.accountId };
    const vault = await this.privacy.writableVaultOf(owner, context.dryRun);
    const counts = await this.countsOf(known._id);
    const at = await this.clocks.now(context, [known.accountId]);
    const assessment = { found, context, at, vault, counts };
    if (context.dryRun) return answerOf({ ...known, ...decisionOn(known, assessment).set }, assessment);
    const { document, earlierAnswer } = await this.members.change(context, known._id, (now) =>
      decisionOn(now, assessment),
    );
    if (earlierAnswer === undefined) return answerOf(document, assessment);
    return JSON.parse(vault.open(earlierAnswer as string, { memberId: known._id, field: 'answer' })!) as Progress;
  }

  /** Throws `resource_not_found` where a user of the role `instructor` does not teach the member within a week of today. */
  private async requireOnRoster(memberId: string, context: RequestContext): Promise<void> {
    if (context.principal.instructorId === undefined) return;
    const { isOnRoster } = await this.rpc.call(checkRoster, { memberId }, context);
    if (!isOnRoster) throw new AppError('resource_not_found');
  }

  private record(action: AccessAction, { _id, accountId }: MemberDocument, context: RequestContext): Promise<void> {
    return this.accessLog.record({ action, ownerId: accountId, memberIds: [_id], medicalNotes: false }, context);
  }

  private async countsOf(id: string): Promise<LessonCounts> {
    return countsOf(await this.lessons.countOutcomes(id));
  }

  /** Schools see all assessments; a family does not see those that a school hides from families. */
  private async schoolsHidingFrom(
    { skills }: MemberDocument,
    { principal }: RequestContext,
  ): Promise<ReadonlySet<string>> {
    if (principal.kind === 'school' || skills.length === 0) return NOBODY;
    const schools = [...new Set(skills.map(({ assessedBy }) => assessedBy))];
    const facts = await Promise.all(schools.map((school) => this.accounts.findFacts(school)));
    return new Set(schools.filter((_, index) => facts[index]?.policies?.progressVisible === false));
  }

  private async notesFor(member: MemberDocument, { principal }: RequestContext): Promise<Progress['notes']> {
    if (!member.progressNotes?.some(({ by }) => by === principal.accountId)) return [];
    const owner = { id: member._id, accountId: member.accountId };
    return notesOf(member, principal.accountId, await this.privacy.vaultOf(owner));
  }
}

interface BeingAssessed {
  found: Assessment;
  context: RequestContext;
  at: Date;
  vault: Vault;
  counts: LessonCounts;
}

/** The notes of one school, newest first. */
function notesOf({ _id: memberId, progressNotes = [] }: Noted, school: string, vault: Vault): Progress['notes'] {
  const own = progressNotes.filter(({ by }) => by === school).reverse();
  return own.flatMap(({ id, sealed, at }) => {
    const text = vault.open(sealed, { memberId, field: 'progress_note', id });
    return text === null ? [] : [{ text, created_at: at.toISOString() }];
  });
}

/** A note as stored: bound to its place among the member's notes. */
function sealedNote(text: string, { memberId, by, at }: { memberId: string; by: string; at: Date }, vault: Vault) {
  const id = randomUUID();
  return { id, sealed: vault.seal(text, { memberId, field: 'progress_note', id }), by, at };
}

const answerOf = (document: MemberDocument, { context, vault, counts }: BeingAssessed): Progress =>
  progressOf(document, { counts, hiding: NOBODY, notes: notesOf(document, context.principal.accountId, vault) });

function decisionOn(now: MemberDocument, assessment: BeingAssessed): Decision<MemberDocument> {
  const { found, context, at, vault } = assessment;
  const by = context.principal.accountId;
  // The connection may have ended since the member was looked up.
  if (!readersOf(now).includes(by)) throw new AppError('resource_not_found');
  const standing = standingAfter(now, found.skills, by, at);
  const note = found.note ? sealedNote(found.note, { memberId: now._id, by, at }, vault) : null;
  const set = { ...standing, ...(note && { progressNotes: withNote(now.progressNotes ?? [], note) }) };
  const previous = formerValues(memberObjectOf(now), memberObjectOf({ ...now, ...set }));
  const levels = [now.swimmingLevel, ...levelsReached(now.swimmingLevel, standing.skills)];
  const audience = readersOf(now);
  const advanced = levels.slice(1).map((level, index) => ({
    type: memberLevelAdvanced,
    object: (after: MemberDocument) => memberObjectOf({ ...after, swimmingLevel: level }),
    previous: { swimming_level: levels[index] },
    audience,
  }));
  return {
    set,
    events: [{ type: memberProgressUpdated, object: memberObjectOf, previous, audience }, ...advanced],
    answer: (after) => vault.seal(JSON.stringify(answerOf(after, assessment)), { memberId: now._id, field: 'answer' }),
  };
}

const unknownSkill = (field: string): AppError => {
  const expected = 'the code of a skill, as GET /v1/members/{member_id}/progress lists them';
  return new AppError('invalid_value', { field, message: `${field} must be ${expected}.`, details: { expected } });
};
