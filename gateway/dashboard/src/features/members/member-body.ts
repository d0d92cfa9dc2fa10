import type { CreateMemberBody, Member } from '@swim/sdk';

/** The fields of the form of a member, as typed. */
export interface MemberValues {
  readonly name: string;
  readonly born: string;
  readonly level: Member['swimming_level'];
  readonly contactName: string;
  readonly contactPhone: string;
  readonly contactRelationship: string;
  readonly medicalNotes: string;
}

/** The form of a member as it is stored, or of a new one. */
export function valuesOf(member: Member | null): MemberValues {
  const contact = member?.emergency_contact;
  return {
    name: member?.name ?? '',
    born: member?.date_of_birth ?? '',
    level: member?.swimming_level ?? 'beginner',
    contactName: contact?.name ?? '',
    contactPhone: contact?.phone ?? '',
    contactRelationship: contact?.relationship ?? '',
    medicalNotes: member?.medical_notes ?? '',
  };
}

/**
 * The body of a request for the form. A contact without any part is none; medical notes are only sent by those who may read
 * them, since the others would overwrite what they do not see.
 */
export function bodyOf(values: MemberValues, maySeeNotes: boolean): CreateMemberBody {
  const { contactName, contactPhone, contactRelationship } = values;
  const contact = {
    name: contactName.trim(),
    phone: contactPhone.trim(),
    relationship: contactRelationship.trim(),
  };
  const hasContact = Object.values(contact).some((part) => part !== '');
  return {
    name: values.name.trim(),
    date_of_birth: values.born,
    swimming_level: values.level,
    emergency_contact: hasContact ? contact : null,
    ...(maySeeNotes ? { medical_notes: values.medicalNotes.trim() || null } : {}),
  };
}
