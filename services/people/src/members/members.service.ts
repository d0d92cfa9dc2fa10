import { Injectable } from '@nestjs/common';
import {
  type BusEvent,
  type createMember,
  type EmergencyContact,
  type eraseMember,
  grants,
  type listMembers,
  type Member,
  type MemberChanges,
  memberUpdated,
  type Page,
  type ParsedOf,
  type Party,
  type SessionObject,
  type updateMember,
} from '@swim/contracts';
import type { Call } from '@swim/messaging';
import { type Decision, Idempotency } from '@swim/mongo';
import { AppError, Clock, timeOfId } from '@swim/platform';
import { requireOwnAccount } from '../accounts/accounts.service.js';
import { formerValues } from '../changes.rules.js';
import { toE164 } from '../libphonenumber.adapter.js';
import { PrivacyService, type Vault } from '../privacy/privacy.service.js';
import { refusalOfBirthDate } from './birth-date.rules.js';
import { type MemberView, memberObjectOf, memberOf } from './member.mapper.js';
import { changedFacts, consequencesOf, firstRecord, type MemberFacts, type WantedFacts } from './member.rules.js';
import type { MemberDocument } from './member.schema.js';
import { MembersRepository } from './members.repository.js';

type SecretFacts = Pick<MemberFacts, 'medicalNotes' | 'emergencyContact'>;

/** Those who take lessons, and how far they have come. */
@Injectable()
export class MembersService {
  constructor(
    private readonly members: MembersRepository,
    private readonly privacy: PrivacyService,
    private readonly idempotency: Idempotency,
    private readonly clock: Clock,
  ) {}

  async create(input: ParsedOf<typeof createMember>, call: Call): Promise<Member> {
    const { account_id: accountId, name, date_of_birth: dateOfBirth, swimming_level: swimmingLevel } = input;
    requireOwnAccount(accountId, call);
    const { medicalNotes = null, emergencyContact = null } = this.checked(input);
    const vault = await this.privacy.writableVaultOf(call.principal.env, accountId, call.dryRun);
    const _id = call.newId('mem');
    const createdAt = timeOfId(_id);
    const facts = { name, dateOfBirth, swimmingLevel, ...sealed(_id, { medicalNotes, emergencyContact }, vault) };
    const fields = { _id, accountId, ...facts, ...firstRecord(facts, createdAt) };
    const document = call.dryRun
      ? { ...fields, createdAt, updatedAt: createdAt }
      : await this.members.insert(call, fields);
    return answerOf(document, vault, call);
  }

  async get(id: string, call: Call): Promise<Member> {
    const member = await this.members.getReadable(call, id);
    return answerOf(member, await this.privacy.vaultOf(call.principal.env, member.accountId), call);
  }

  async list(input: ParsedOf<typeof listMembers>, call: Call): Promise<Page<Member>> {
    const { account_id: accountId, search, swimming_level: swimmingLevel } = input;
    requireOwnAccount(accountId, call);
    const { items, pagination } = await this.members.list(call, accountId, { search, swimmingLevel }, input);
    const vault = await this.privacy.vaultOf(call.principal.env, accountId);
    return { items: items.map((member) => answerOf(member, vault, call)), pagination };
  }

  async update({ member_id, changes }: ParsedOf<typeof updateMember>, call: Call): Promise<Member> {
    const known = await this.members.getReadable(call, member_id);
    requireOwnAccount(known.accountId, call);
    const wanted = this.checked(changes);
    const vault = await this.privacy.writableVaultOf(call.principal.env, known.accountId, call.dryRun);
    const decide = (now: MemberDocument) => decisionOn(now, wanted, vault, { call, at: this.clock.now() });
    if (call.dryRun) return answerOf(preview(known, decide(known), this.clock.now()), vault, call);
    const { document, earlierAnswer } = await this.members.change(call, member_id, decide);
    if (earlierAnswer === undefined) return answerOf(document, vault, call);
    return JSON.parse(vault.open(earlierAnswer as string, { memberId: member_id, field: 'answer' })!) as Member;
  }

  /** Erases what is personal, for good. Other services hear of it and do the same with what they keep. */
  async erase({ member_id }: ParsedOf<typeof eraseMember>, call: Call): Promise<Record<string, never>> {
    const known = await this.members.getReadable(call, member_id);
    requireOwnAccount(known.accountId, call);
    if (!call.dryRun) await this.members.erase(call, member_id, this.clock.now());
    return {};
  }

  /** Forgets what idempotent answers tell of an erased member. */
  async forgetAnswers({ env, objectId, audience, occurredAt }: BusEvent): Promise<void> {
    const subject = { env, memberId: objectId, accountIds: audience, erasedAt: new Date(occurredAt) };
    await this.idempotency.forget(subject);
  }

  /** Of each of these, whose it is; null for one that the caller may not use. */
  async findUsable(ids: readonly string[], call: Call): Promise<Party['members']> {
    const found = new Map((await this.members.findReadable(call, ids)).map((member) => [member._id, member]));
    return ids.map((id) => {
      const member = found.get(id);
      return member ? { id, accountId: member.accountId } : null;
    });
  }

  /** A school that has a session with a member may read it from then on. */
  async admitSchool({ env, object, audience }: BusEvent<SessionObject>): Promise<void> {
    await this.members.markReadableBy(env, object.member_id, audience);
  }

  /** The facts as asked, checked as far as the contract's own schemas can't, and normalised. */
  private checked(asked: MemberChanges): WantedFacts {
    const { date_of_birth: dateOfBirth, emergency_contact: contact } = asked;
    const today = this.clock.now().toISOString().slice(0, 10);
    const refusal = dateOfBirth === undefined ? null : refusalOfBirthDate(dateOfBirth, today);
    if (refusal) throw new AppError(refusal, { field: 'date_of_birth' });
    return {
      name: asked.name,
      dateOfBirth,
      swimmingLevel: asked.swimming_level,
      medicalNotes: asked.medical_notes,
      emergencyContact: contact && contactText(contact),
    };
  }
}

const contactText = ({ name, phone, relationship }: EmergencyContact): string =>
  JSON.stringify({ name, phone: toE164(phone, 'emergency_contact.phone'), relationship });

function sealed<F extends Partial<SecretFacts>>(memberId: string, facts: F, vault: Vault): F {
  const seal = (text: string | null, field: 'medical_notes' | 'emergency_contact') =>
    text === null ? null : vault.seal(text, { memberId, field });
  return {
    ...facts,
    ...(facts.medicalNotes === undefined ? {} : { medicalNotes: seal(facts.medicalNotes, 'medical_notes') }),
    ...(facts.emergencyContact === undefined
      ? {}
      : { emergencyContact: seal(facts.emergencyContact, 'emergency_contact') }),
  };
}

const opened = ({ _id: memberId, medicalNotes, emergencyContact }: MemberView, vault: Vault): SecretFacts => ({
  medicalNotes: vault.open(medicalNotes, { memberId, field: 'medical_notes' }),
  emergencyContact: vault.open(emergencyContact, { memberId, field: 'emergency_contact' }),
});

const answerOf = (document: MemberView, vault: Vault, { principal }: Call): Member =>
  memberOf(document, opened(document, vault), grants(principal.scopes, 'members:medical'));

const preview = (known: MemberDocument, decision: Decision<MemberDocument> | null, now: Date): MemberView =>
  decision ? { ...known, ...decision.set, updatedAt: now } : known;

// A PATCH that repeats what is there changes nothing and tells nobody. The kept answer is as secret as what it tells.
function decisionOn(
  now: MemberDocument,
  wanted: WantedFacts,
  vault: Vault,
  { call, at }: { call: Call; at: Date },
): Decision<MemberDocument> | null {
  const changed = changedFacts({ ...now, ...opened(now, vault) }, wanted);
  if (Object.keys(changed).length === 0) return null;
  const set = { ...sealed(now._id, changed, vault), ...consequencesOf(changed, now.levelHistory, at) };
  const previous = formerValues(memberObjectOf(now), memberObjectOf({ ...now, ...set }));
  const answer = (after: MemberDocument) =>
    vault.seal(JSON.stringify(answerOf(after, vault, call)), { memberId: now._id, field: 'answer' });
  return { set, events: [{ type: memberUpdated, object: memberObjectOf, previous }], answer };
}
