import {
  type EmergencyContact,
  type ErasedMember,
  grants,
  type Member,
  type MemberObject,
  type Metadata,
  type Principal,
} from '@swim/contracts';
import type { MemberFacts } from './member.rules.js';
import type { MemberDocument } from './member.schema.js';

/** A member's document, or one that a dry run would have stored. */
export type MemberView = Pick<
  MemberDocument,
  | '_id'
  | 'accountId'
  | 'name'
  | 'dateOfBirth'
  | 'swimmingLevel'
  | 'medicalNotes'
  | 'emergencyContact'
  | 'metadata'
  | 'createdAt'
  | 'updatedAt'
>;

/**
 * Maps a member to the API's JSON; `facts` are its decrypted secret fields. Medical notes are answered only with the scope to
 * read them, metadata only to the member's own account.
 */
export const memberOf = (
  document: MemberView,
  facts: Pick<MemberFacts, 'medicalNotes' | 'emergencyContact' | 'metadata'>,
  { accountId, scopes }: Principal,
): Member => ({
  ...memberObjectOf(document),
  name: document.name,
  date_of_birth: document.dateOfBirth,
  medical_notes: grants(scopes, 'members:medical') ? facts.medicalNotes : null,
  emergency_contact: facts.emergencyContact === null ? null : (JSON.parse(facts.emergencyContact) as EmergencyContact),
  metadata: accountId === document.accountId ? (JSON.parse(facts.metadata ?? '{}') as Metadata) : {},
});

/** Maps a member to its events: no personal data. */
export const memberObjectOf = (document: MemberView): MemberObject => ({
  id: document._id,
  account_id: document.accountId,
  swimming_level: document.swimmingLevel,
  created_at: document.createdAt.toISOString(),
  updated_at: document.updatedAt.toISOString(),
});

/** Maps an erased member to its event. */
export const erasedObjectOf = (
  { _id, accountId }: Pick<MemberDocument, '_id' | 'accountId'>,
  at: Date,
): ErasedMember => ({
  id: _id,
  account_id: accountId,
  erased_at: at.toISOString(),
});
