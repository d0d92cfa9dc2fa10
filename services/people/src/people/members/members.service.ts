import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import {
  type AccessAction,
  type createMember,
  type EmergencyContact,
  eraseMember,
  getMember,
  listMembers,
  listOwnMembers,
  type Member,
  type MemberChanges,
  memberUpdated,
  type Page,
  type ParsedOf,
  updateMember,
} from '@swim/contracts';
import { Serve } from '@swim/messaging';
import { changedMetadata, type Decision, Idempotency } from '@swim/mongo';
import {
  AppError,
  Clock,
  formerValues,
  type RequestContext,
  requireScope,
  systemContext,
  timeOfId,
} from '@swim/platform';
import { AccountClocksService } from '../../identity/accounts/account-clocks.service.js';
import { requireOwnAccount } from '../../identity/accounts/accounts.service.js';
import { ActingService } from '../../identity/accounts/acting.service.js';
import { PrivacyService, type Vault } from '../../identity/privacy/privacy.service.js';
import { AccessLogService } from '../access-log/access-log.service.js';
import { toE164 } from '../libphonenumber.adapter.js';
import { birthDateReason, MOST_YEARS } from './birth-date.rules.js';
import { type MemberView, memberObjectOf, memberOf } from './member.mapper.js';
import { changedFacts, consequencesOf, firstRecord, type MemberFacts, type RequestedFacts } from './member.rules.js';
import type { MemberDocument } from './member.schema.js';
import { readersOf } from './member-readers.rules.js';
import { MembersRepository } from './members.repository.js';

type SecretFacts = Pick<MemberFacts, 'medicalNotes' | 'emergencyContact' | 'metadata'>;

/** Members: the people who take lessons. */
@Injectable()
export class MembersService implements OnModuleInit {
  @Inject(Clock) private readonly clock!: Clock;
  @Inject(AccountClocksService) private readonly clocks!: AccountClocksService;
  @Inject(ActingService) private readonly acting!: ActingService;

  constructor(
    private readonly members: MembersRepository,
    private readonly privacy: PrivacyService,
    private readonly idempotency: Idempotency,
    private readonly accessLog: AccessLogService,
  ) {}

  onModuleInit(): void {
    this.idempotency.beforeRepeat(updateMember, (member, context) => this.record('update', [member], context));
  }

  async create(input: ParsedOf<typeof createMember>, context: RequestContext): Promise<Member> {
    const { account_id: accountId, name, date_of_birth: dateOfBirth, swimming_level: swimmingLevel } = input;
    requireOwnAccount(accountId, context);
    requireMedicalScope(input, context);
    const { medicalNotes = null, emergencyContact = null } = this.checked(input, await this.clocks.now(context));
    const metadata = input.metadata ? JSON.stringify(input.metadata) : null;
    const _id = context.newId('mem');
    const isDisclosed = [medicalNotes, emergencyContact, metadata].some((fact) => fact !== null);
    const vault = await this.vaultFor({ _id, accountId }, context, isDisclosed);
    const createdAt = timeOfId(_id);
    const secrets = sealed(_id, { medicalNotes, emergencyContact, metadata }, vault);
    const facts = { name, dateOfBirth, swimmingLevel, ...secrets };
    const fields = { _id, accountId, ...facts, ...firstRecord(facts, await this.clocks.shown(createdAt, context)) };
    await this.acting.requireUnclaimed(context);
    const document = context.dryRun
      ? { ...fields, createdAt, updatedAt: createdAt }
      : await this.members.insert(context, fields);
    return answerOf(document, vault, context);
  }

  @Serve(getMember)
  async get({ member_id: id }: ParsedOf<typeof getMember>, context: RequestContext): Promise<Member> {
    const member = await this.members.getReadable(context, id);
    const answer = answerOf(member, await this.vaultFor(member, context), context);
    await this.record('read', [answer], context);
    return answer;
  }

  @Serve(listMembers)
  async list(input: ParsedOf<typeof listMembers>, context: RequestContext): Promise<Page<Member>> {
    const { account_id: accountId, ...query } = input;
    if (accountId !== undefined) requireOwnAccount(accountId, context);
    const { accountId: own } = context.principal;
    const metadataTokens = query.metadata && (await this.privacy.tokensOf(own, query.metadata));
    return this.toAnswers(await this.members.listReadable(context, { ...query, metadataTokens }), context);
  }

  /** The account's own members; rejects other account ids. */
  @Serve(listOwnMembers)
  async listOwn(
    { account_id, ...query }: ParsedOf<typeof listOwnMembers>,
    context: RequestContext,
  ): Promise<Page<Member>> {
    requireOwnAccount(account_id, context);
    return this.toAnswers(await this.members.listOwn(context, query), context);
  }

  private async toAnswers({ items, pagination }: Page<MemberDocument>, context: RequestContext): Promise<Page<Member>> {
    const opened = items.map(async (member) => answerOf(member, await this.vaultFor(member, context), context));
    const answers = await Promise.all(opened);
    await this.record('list', answers, context);
    return { items: answers, pagination };
  }

  @Serve(updateMember)
  async update(input: ParsedOf<typeof updateMember>, context: RequestContext): Promise<Member> {
    const answer = await this.change(input, context);
    await this.record('update', [answer], context);
    return answer;
  }

  private async change(
    { member_id, changes }: ParsedOf<typeof updateMember>,
    requesting: RequestContext,
  ): Promise<Member> {
    requireMedicalScope(changes, requesting);
    const known = await this.members.getReadable(requesting, member_id);
    const context = await this.asOwner(known, requesting);
    const at = await this.clocks.now(context);
    const requested = this.checked(changes, at);
    const vault = await this.vaultFor(known, context, true);
    const decide = (now: MemberDocument) =>
      decisionOn(now, { ...requested, metadata: changes.metadata }, vault, { context, at });
    if (context.dryRun) return answerOf(preview(known, decide(known), this.clock.now()), vault, context);
    const { document, earlierAnswer } = await this.members.change(context, member_id, decide);
    if (earlierAnswer === undefined) return answerOf(document, vault, context);
    return JSON.parse(vault.open(earlierAnswer as string, { memberId: member_id, field: 'answer' })!) as Member;
  }

  /** Erases personal data permanently. Other services consume the event and erase theirs. */
  @Serve(eraseMember)
  async erase({ member_id }: ParsedOf<typeof eraseMember>, requesting: RequestContext): Promise<Record<string, never>> {
    let context = requesting;
    try {
      context = await this.asOwner(await this.members.getReadable(requesting, member_id), requesting);
      if (context.dryRun) return {};
      await this.members.erase(context, member_id, this.clock.now());
    } catch (error) {
      // Another run of the request may have erased it, also since this one began.
      if (!(await this.members.hasErased(context, member_id))) throw error;
    }
    await this.privacy.forget(member_id);
    await this.idempotency.removeAnswersAbout(member_id);
    return {};
  }

  /** Throws `not_found` at the first of these members that is not the account's own. */
  async requireOwn(ids: readonly string[], { principal: { accountId } }: RequestContext): Promise<void> {
    const found = await Promise.all(ids.map((id) => this.members.findAny(id)));
    const missing = found.findIndex((member) => member?.accountId !== accountId || member.erasedAt);
    if (missing !== -1) throw new AppError('not_found', { field: `member_ids.${missing}` });
  }

  /** The account of a member; null when there is none. */
  async findAccountOf(id: string): Promise<string | null> {
    return (await this.members.findAny(id))?.accountId ?? null;
  }

  /** The names of those of these members that an account may read. */
  async findNames(accountId: string, ids: readonly string[]): Promise<{ id: string; name: string }[]> {
    const readable = await this.members.findReadable(systemContext(accountId), ids);
    return readable.map(({ _id: id, name }) => ({ id, name }));
  }

  /** The context of the member's account: a school reads the members that its connections name. Throws `foreign_account`. */
  private async asOwner({ accountId }: MemberDocument, context: RequestContext): Promise<RequestContext> {
    const own = await this.acting.contextOf(accountId, context);
    if (own) return own;
    throw new AppError('foreign_account', {
      field: 'member_id',
      message:
        'Only the account that has the member may change or erase it. A school assesses it: POST /v1/members/{member_id}/progress.',
    });
  }

  /** Records the access before the response. */
  private async record(action: AccessAction, members: Member[], context: RequestContext): Promise<void> {
    // Each account reads in its own log who has read its members.
    const byOwner = Map.groupBy(members, ({ account_id }) => account_id);
    await Promise.all(
      [...byOwner].map(([ownerId, owned]) => {
        const memberIds = owned.map(({ id }) => id);
        const medicalNotes = owned.some(({ medical_notes }) => medical_notes !== null);
        return this.accessLog.record({ action, ownerId, memberIds, medicalNotes }, context);
      }),
    );
  }

  /** The vault of a member's personal data; writable where `writes`. */
  private vaultFor(
    { _id: id, accountId }: Pick<MemberDocument, '_id' | 'accountId'>,
    { dryRun }: RequestContext,
    writes = false,
  ): Promise<Vault> {
    const owner = { id, accountId };
    return writes ? this.privacy.writableVaultOf(owner, dryRun) : this.privacy.vaultOf(owner);
  }

  /** The requested fields, validated beyond the contract's schemas, and normalised. */
  private checked(requested: Omit<MemberChanges, 'metadata'>, now: Date): Omit<RequestedFacts, 'metadata'> {
    const { date_of_birth: dateOfBirth, emergency_contact: contact } = requested;
    const today = now.toISOString().slice(0, 10);
    const rejection = dateOfBirth === undefined ? null : birthDateReason(dateOfBirth, today);
    if (rejection) throw wrongBirthDate(rejection);
    return {
      name: requested.name,
      dateOfBirth,
      swimmingLevel: requested.swimming_level,
      medicalNotes: requested.medical_notes,
      emergencyContact: contact && contactText(contact),
    };
  }
}

const wrongBirthDate = (reason: NonNullable<ReturnType<typeof birthDateReason>>): AppError =>
  new AppError(reason, {
    field: 'date_of_birth',
    bounds: { expected: reason === 'not_in_past' ? 'before today' : `at most ${MOST_YEARS} years ago` },
  });

/** A key that may not read medical notes must not find out by writing whether a guess is right. */
function requireMedicalScope(requested: Pick<MemberChanges, 'medical_notes'>, context: RequestContext): void {
  if (requested.medical_notes !== undefined) requireScope('members:medical', context);
}

const contactText = ({ name, phone, relationship }: EmergencyContact): string =>
  JSON.stringify({ name, phone: toE164(phone, 'emergency_contact.phone'), relationship });

/** Secret facts as stored, with the tokens of metadata. */
function sealed<F extends Partial<SecretFacts>>(
  memberId: string,
  facts: F,
  vault: Vault,
): F & Pick<MemberDocument, 'metadataTokens'> {
  const { medicalNotes, emergencyContact, metadata } = facts;
  const seal = (text: string | null, field: 'medical_notes' | 'emergency_contact' | 'metadata') =>
    text === null ? null : vault.seal(text, { memberId, field });
  return {
    ...facts,
    ...(medicalNotes === undefined ? {} : { medicalNotes: seal(medicalNotes, 'medical_notes') }),
    ...(emergencyContact === undefined ? {} : { emergencyContact: seal(emergencyContact, 'emergency_contact') }),
    ...(metadata === undefined
      ? {}
      : { metadata: seal(metadata, 'metadata'), metadataTokens: vault.tokensOf(JSON.parse(metadata ?? '{}')) }),
  };
}

const opened = (
  { _id: memberId, medicalNotes, emergencyContact, metadata = null }: MemberView,
  vault: Vault,
): SecretFacts => ({
  medicalNotes: vault.open(medicalNotes, { memberId, field: 'medical_notes' }),
  emergencyContact: vault.open(emergencyContact, { memberId, field: 'emergency_contact' }),
  metadata: vault.open(metadata, { memberId, field: 'metadata' }),
});

const answerOf = (document: MemberView, vault: Vault, { principal }: RequestContext): Member =>
  memberOf(document, opened(document, vault), principal);

const preview = (known: MemberDocument, decision: Decision<MemberDocument> | null, now: Date): MemberView =>
  decision ? { ...known, ...decision.set, updatedAt: now } : known;

// A PATCH without a differing value changes and publishes nothing. The stored answer is encrypted like the fields.
function decisionOn(
  now: MemberDocument,
  { metadata, ...requested }: Omit<RequestedFacts, 'metadata'> & Pick<MemberChanges, 'metadata'>,
  vault: Vault,
  { context, at }: { context: RequestContext; at: Date },
): Decision<MemberDocument> | null {
  const stored = opened(now, vault);
  const secrets = { ...stored, metadata: stored.metadata ?? '{}' };
  const merged = metadata && JSON.stringify(changedMetadata(JSON.parse(secrets.metadata), metadata));
  const changed = changedFacts({ ...now, ...secrets }, { ...requested, metadata: merged });
  if (Object.keys(changed).length === 0) return null;
  const set = { ...sealed(now._id, changed, vault), ...consequencesOf(changed, now.levelHistory, at) };
  const previous = formerValues(memberObjectOf(now), memberObjectOf({ ...now, ...set }));
  const answer = (after: MemberDocument) =>
    vault.seal(JSON.stringify(answerOf(after, vault, context)), { memberId: now._id, field: 'answer' });
  const audience = readersOf(now);
  return { set, events: [{ type: memberUpdated, object: memberObjectOf, previous, audience }], answer };
}
