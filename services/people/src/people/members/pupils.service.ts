import { Injectable } from '@nestjs/common';
import {
  describePupils,
  type EmergencyContact,
  grants,
  type OutputOf,
  type ParsedOf,
  type Participants,
  type Pupil,
} from '@swim/contracts';
import { Serve } from '@swim/messaging';
import type { RequestContext } from '@swim/platform';
import { PrivacyService } from '../../identity/privacy/privacy.service.js';
import { AccessLogService } from '../access-log/access-log.service.js';
import { ageOn } from './birth-date.rules.js';
import type { MemberDocument } from './member.schema.js';
import type { SchoolRight } from './member-readers.rules.js';
import { type MemberIdentity, MembersRepository } from './members.repository.js';

/** Members as lessons know them: who may take part, and whom the school meets at the poolside. */
@Injectable()
export class PupilsService {
  constructor(
    private readonly members: MembersRepository,
    private readonly privacy: PrivacyService,
    private readonly accessLog: AccessLogService,
  ) {}

  @Serve(describePupils)
  async describe(
    { memberIds, date }: ParsedOf<typeof describePupils>,
    context: RequestContext,
  ): Promise<OutputOf<typeof describePupils>> {
    const members = await this.members.findReadable(context, memberIds);
    const pupils = await Promise.all(members.map((member) => this.pupilOf(member, date, context)));
    const noted = new Set(pupils.flatMap(({ member_id, medical_notes }) => (medical_notes === null ? [] : member_id)));
    // Each account reads in its own log who has read its members.
    const byOwner = Map.groupBy(members, ({ accountId }) => accountId);
    await Promise.all(
      [...byOwner].map(([ownerId, owned]) => {
        const ids = owned.map(({ _id }) => _id);
        const medicalNotes = ids.some((id) => noted.has(id));
        return this.accessLog.record({ action: 'roster', ownerId, memberIds: ids, medicalNotes }, context);
      }),
    );
    return { pupils };
  }

  /** Each of these with its account; null for one that the requesting account may not use. */
  async findUsable(
    ids: readonly string[],
    withAges: boolean,
    context: RequestContext,
  ): Promise<Participants['members']> {
    const readable = await this.members.findReadable(context, ids);
    const found = new Map(readable.map((member) => [member._id, member]));
    return ids.map((id) => {
      const member = found.get(id);
      if (!member) return null;
      const { accountId, swimmingLevel: level, dateOfBirth } = member;
      return { id, accountId, level, ...(withAges ? { dateOfBirth } : {}) };
    });
  }

  /** Who the members of these accounts are. */
  findOfAccounts(accountIds: readonly string[]): Promise<MemberIdentity[]> {
    return this.members.findOfAccounts(accountIds);
  }

  /**
   * Has the members of an account agree with what a connection says of those whom it names, and of those whom it names no longer, unless
   * they have what a later revision says. Idempotent.
   */
  async setRights(
    accountId: string,
    { named, unnamed }: { named: ReadonlySet<string>; unnamed: readonly string[] },
    connection: Omit<SchoolRight, 'isActive'>,
  ): Promise<void> {
    const ids = await this.members.findIdsOfOtherRight(accountId, connection, [...named], unnamed);
    await Promise.all(ids.map((id) => this.members.setRight(id, { ...connection, isActive: named.has(id) })));
  }

  private async pupilOf(
    { _id: memberId, accountId, ...member }: MemberDocument,
    date: string,
    { principal }: RequestContext,
  ): Promise<Pupil> {
    const vault = await this.privacy.vaultOf({ id: memberId, accountId });
    // At the poolside an instructor needs them: scheduling has checked that the lesson is its own.
    const mayReadNotes = grants(principal.scopes, 'members:medical') || principal.instructorId !== undefined;
    const contact = vault.open(member.emergencyContact, { memberId, field: 'emergency_contact' });
    return {
      member_id: memberId,
      name: member.name,
      age_years: ageOn(member.dateOfBirth, date),
      swimming_level: member.swimmingLevel,
      has_medical_notes: member.medicalNotes !== null,
      medical_notes: mayReadNotes ? vault.open(member.medicalNotes, { memberId, field: 'medical_notes' }) : null,
      emergency_contact: contact === null ? null : (JSON.parse(contact) as EmergencyContact),
    };
  }
}
