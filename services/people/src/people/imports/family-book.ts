import { foldText, type ImportedRow, type Locale } from '@swim/contracts';

export interface KnownMember {
  id: string;
  name: string;
  dateOfBirth: string;
  externalId: string | null;
  /** Whether the connection names it. */
  isConnected: boolean;
  /** Absent for one that the import makes. */
  updatedAt?: Date;
}

/** A family of the school, or one that an import is about to make. */
export interface KnownFamily {
  accountId: string;
  externalId: string | null;
  /** The id that its connection has; null without one. */
  storedExternalId: string | null;
  name: string;
  email: string;
  /** Undefined for a new one without: that of the school. */
  locale: Locale | undefined;
  /** Whether the school has made it; by e-mail only those are found. */
  isOwn: boolean;
  isClaimed: boolean;
  isNew: boolean;
  /** Ids of the members that its connection names. */
  connected: readonly string[];
  /** Null until they are read; of a claimed family only those that its connection names. */
  members: KnownMember[] | null;
}

const keyOf = (email: string): string => email.toLowerCase();

/** The families of a school that rows of an import may match. */
export class FamilyBook {
  private readonly byExternalId = new Map<string, KnownFamily>();
  private readonly byEmail = new Map<string, KnownFamily[]>();
  private readonly stored = new Set<string>();
  /** The ids of the school for members. */
  private readonly externalIds = new Map<string, string>();
  private readonly taken = new Set<string>();

  /** Adds a family as it is stored, unless earlier rows have met it. */
  addStored(family: KnownFamily): void {
    if (this.stored.has(family.accountId)) return;
    this.stored.add(family.accountId);
    this.add(family);
  }

  /** Adds ids of the school for members. */
  nameMembers(named: readonly { memberId: string; externalId: string }[]): void {
    for (const { memberId, externalId } of named) {
      this.externalIds.set(memberId, externalId);
      this.taken.add(externalId);
    }
  }

  externalIdOf(memberId: string): string | null {
    return this.externalIds.get(memberId) ?? null;
  }

  add(family: KnownFamily): void {
    const { externalId, email, isOwn } = family;
    if (externalId !== null) this.byExternalId.set(externalId, family);
    if (isOwn) this.byEmail.set(keyOf(email), [...(this.byEmail.get(keyOf(email)) ?? []), family]);
  }

  /** The family of a row: by the id of the school, else by e-mail among those that it has made; null where there is none. */
  match({ external_id: externalId, email }: ImportedRow['family']): KnownFamily | 'ambiguous' | null {
    const known = externalId === undefined ? undefined : this.byExternalId.get(externalId);
    if (known) return known;
    const found = this.byEmail.get(keyOf(email)) ?? [];
    // A family with another id is another family.
    const candidates = externalId === undefined ? found : found.filter((each) => each.externalId === null);
    if (candidates.length > 1) return 'ambiguous';
    return candidates[0] ?? null;
  }

  /** Gives a family the id of a row. */
  name(family: KnownFamily, externalId: string): void {
    family.externalId = externalId;
    this.byExternalId.set(externalId, family);
  }

  addMember(family: KnownFamily, member: KnownMember): void {
    family.members = [...(family.members ?? []), member];
    if (member.externalId !== null) this.taken.add(member.externalId);
  }

  /** The member of a row in its family: by the id of the school, else by name and date of birth; null where there is none. */
  matchMember(
    { external_id: externalId, name, date_of_birth }: ImportedRow,
    family: KnownFamily,
  ): KnownMember | 'ambiguous' | null {
    const members = family.members ?? [];
    const known = externalId === undefined ? undefined : members.find((each) => each.externalId === externalId);
    if (known) return known;
    // The id is that of a member of another family. A claimed family may have that member without showing it.
    if (externalId !== undefined && !family.isClaimed && this.taken.has(externalId)) return 'ambiguous';
    const found = members.filter(
      (each) => each.dateOfBirth === date_of_birth && foldText(each.name) === foldText(name),
    );
    const candidates = externalId === undefined ? found : found.filter((each) => each.externalId === null);
    return candidates.length > 1 ? 'ambiguous' : (candidates[0] ?? null);
  }
}
