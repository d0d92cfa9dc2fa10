import type { CreateFamilyBody, SwimmingLevel } from '@swim/sdk';

/** The fields of a new member, as typed. */
export interface MemberValues {
  /** Tells members of a form apart, whatever is typed. */
  readonly key: string;
  readonly name: string;
  readonly born: string;
  readonly level: SwimmingLevel;
  readonly externalId: string;
}

/** The fields of the form of a family, as typed. */
export interface FamilyValues {
  readonly name: string;
  readonly email: string;
  /** Empty for that of the school. */
  readonly locale: string;
  readonly externalId: string;
  readonly members: readonly MemberValues[];
}

/** The fields of one more member. */
export const newMember = (): MemberValues => ({
  key: crypto.randomUUID(),
  name: '',
  born: '',
  level: 'beginner',
  externalId: '',
});

const idOf = (typed: string) => (typed.trim() ? { external_id: typed.trim() } : {});

/** The part of a request for a member. */
export const memberBodyOf = ({ name, born, level, externalId }: MemberValues): CreateFamilyBody['members'][number] => ({
  name: name.trim(),
  date_of_birth: born,
  swimming_level: level,
  ...idOf(externalId),
});

/** The body of a request for the form. */
export const bodyOf = ({ name, email, locale, externalId, members }: FamilyValues): CreateFamilyBody => ({
  name: name.trim(),
  email: email.trim(),
  ...(locale ? { locale: locale as NonNullable<CreateFamilyBody['locale']> } : {}),
  ...idOf(externalId),
  members: members.map(memberBodyOf),
});
