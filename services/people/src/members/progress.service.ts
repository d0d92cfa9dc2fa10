import { Injectable } from '@nestjs/common';
import {
  type Assessment,
  type BusEvent,
  memberLevelAdvanced,
  memberProgressUpdated,
  type Progress,
  type SessionObject,
} from '@swim/contracts';
import type { Call } from '@swim/messaging';
import type { Decision } from '@swim/mongo';
import { AppError, Clock } from '@swim/platform';
import { AccountsService } from '../accounts/accounts.service.js';
import { formerValues } from '../changes.rules.js';
import { PrivacyService, type Vault } from '../privacy/privacy.service.js';
import { levelsReached, standingAfter, unknownSkillAmong, withNote } from './assessment.rules.js';
import { countsOf, type LessonCounts } from './lesson.rules.js';
import { LessonsRepository } from './lessons.repository.js';
import { memberObjectOf } from './member.mapper.js';
import type { MemberDocument } from './member.schema.js';
import { MembersRepository } from './members.repository.js';
import { progressOf } from './progress.mapper.js';

type Noted = Pick<MemberDocument, '_id' | 'progressNotes'>;

const NOBODY = new Set<string>();

/** How far members have come: what schools say of their skills, and what their lessons come to. */
@Injectable()
export class ProgressService {
  constructor(
    private readonly members: MembersRepository,
    private readonly lessons: LessonsRepository,
    private readonly accounts: AccountsService,
    private readonly privacy: PrivacyService,
    private readonly clock: Clock,
  ) {}

  async get(id: string, call: Call): Promise<Progress> {
    const member = await this.members.getReadable(call, id);
    const [counts, hiding, notes] = await Promise.all([
      this.countsOf(id, call),
      this.schoolsHidingFrom(member, call),
      this.notesFor(member, call),
    ]);
    return progressOf(member, { counts, hiding, notes });
  }

  /** Notes what a school has found; who masters all of a level moves up. */
  async assess(found: Assessment, call: Call): Promise<Progress> {
    if (call.principal.kind !== 'school') throw new AppError('school_only');
    const unknown = unknownSkillAmong(found.skills);
    if (unknown !== -1) throw new AppError('invalid_value', { field: `skills.${unknown}.code` });
    const known = await this.members.getReadable(call, found.member_id);
    const vault = await this.privacy.writableVaultOf(call.principal.env, known.accountId, call.dryRun);
    const counts = await this.countsOf(known._id, call);
    const assessment = { found, call, at: this.clock.now(), vault, counts };
    if (call.dryRun) return answerOf({ ...known, ...decisionOn(known, assessment).set }, assessment);
    const { document, earlierAnswer } = await this.members.change(call, known._id, (now) =>
      decisionOn(now, assessment),
    );
    if (earlierAnswer === undefined) return answerOf(document, assessment);
    return JSON.parse(vault.open(earlierAnswer as string, { memberId: known._id, field: 'answer' })!) as Progress;
  }

  /** Keeps how a session ended: what is told last counts, in whatever order it arrives. */
  async keepOutcome({ env, n, object }: BusEvent<SessionObject>): Promise<void> {
    const { id: _id, account_id, member_id: memberId, status, attendance } = object;
    await this.lessons.keepLatest(env, { _id, readers: [account_id], memberId, n, status, attendance });
  }

  private async countsOf(id: string, { principal }: Call): Promise<LessonCounts> {
    return countsOf(await this.lessons.countOutcomes(principal.env, id));
  }

  /** Schools see all there is; a family does not see what a school keeps to schools. */
  private async schoolsHidingFrom({ skills }: MemberDocument, { principal }: Call): Promise<ReadonlySet<string>> {
    if (principal.kind === 'school' || skills.length === 0) return NOBODY;
    const schools = [...new Set(skills.map(({ assessedBy }) => assessedBy))];
    const facts = await Promise.all(schools.map((school) => this.accounts.findFacts(principal.env, school)));
    return new Set(schools.filter((_, index) => facts[index]?.policies?.progressVisible === false));
  }

  private async notesFor(member: MemberDocument, { principal }: Call): Promise<Progress['notes']> {
    if (!member.progressNotes?.some(({ by }) => by === principal.accountId)) return [];
    return notesOf(member, principal.accountId, await this.privacy.vaultOf(principal.env, member.accountId));
  }
}

interface BeingAssessed {
  found: Assessment;
  call: Call;
  at: Date;
  vault: Vault;
  counts: LessonCounts;
}

/** The notes of one school, newest first. */
function notesOf({ _id: memberId, progressNotes = [] }: Noted, school: string, vault: Vault): Progress['notes'] {
  const own = progressNotes.filter(({ by }) => by === school).reverse();
  return own.flatMap(({ sealed, at }) => {
    const text = vault.open(sealed, { memberId, field: 'progress_note' });
    return text === null ? [] : [{ text, created_at: at.toISOString() }];
  });
}

const answerOf = (document: MemberDocument, { call, vault, counts }: BeingAssessed): Progress =>
  progressOf(document, { counts, hiding: NOBODY, notes: notesOf(document, call.principal.accountId, vault) });

function decisionOn(now: MemberDocument, assessment: BeingAssessed): Decision<MemberDocument> {
  const { found, call, at, vault } = assessment;
  const by = call.principal.accountId;
  const standing = standingAfter(now, found.skills, by, at);
  const sealed = found.note ? vault.seal(found.note, { memberId: now._id, field: 'progress_note' }) : null;
  const set = {
    ...standing,
    ...(sealed === null ? {} : { progressNotes: withNote(now.progressNotes ?? [], { sealed, by, at }) }),
  };
  const previous = formerValues(memberObjectOf(now), memberObjectOf({ ...now, ...set }));
  const levels = [now.swimmingLevel, ...levelsReached(now.swimmingLevel, standing.skills)];
  const advanced = levels.slice(1).map((level, index) => ({
    type: memberLevelAdvanced,
    object: (after: MemberDocument) => memberObjectOf({ ...after, swimmingLevel: level }),
    previous: { swimming_level: levels[index] },
  }));
  return {
    set,
    events: [{ type: memberProgressUpdated, object: memberObjectOf, previous }, ...advanced],
    answer: (after) => vault.seal(JSON.stringify(answerOf(after, assessment)), { memberId: now._id, field: 'answer' }),
  };
}
