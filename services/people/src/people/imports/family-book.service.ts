import { Injectable } from '@nestjs/common';
import type { ImportedRow } from '@swim/contracts';
import { AccountsService } from '../../identity/accounts/accounts.service.js';
import { FamilyConnections } from '../connections/family-connections.service.js';
import { PupilsService } from '../members/pupils.service.js';
import type { FamilyBook, KnownFamily } from './family-book.js';

const given = (ids: readonly (string | undefined)[]): string[] => [...new Set(ids.filter((id) => id !== undefined))];

/** Reads the families of a school for an import. */
@Injectable()
export class FamilyBooks {
  constructor(
    private readonly connections: FamilyConnections,
    private readonly accounts: AccountsService,
    private readonly pupils: PupilsService,
  ) {}

  /** Adds the families of a school that these rows may match, as they are now, without their members. */
  async read(book: FamilyBook, schoolId: string, rows: readonly ImportedRow[]): Promise<void> {
    const familyIds = given(rows.map(({ family }) => family.external_id));
    const memberIds = given(rows.map(({ external_id: externalId }) => externalId));
    const [named, made, taken] = await Promise.all([
      this.connections.findActive(schoolId, 'family', familyIds),
      this.accounts.findMadeWith(schoolId, given(rows.map(({ family }) => family.email))),
      this.connections.findActive(schoolId, 'member', memberIds),
    ]);
    const known = new Set(named.map(({ accountId }) => accountId));
    const others = made.flatMap(({ _id }) => (known.has(_id) ? [] : _id));
    const active = [...named, ...(await this.connections.findActive(schoolId, 'account', others))];
    const ofMade = new Map(made.map((contact) => [contact._id, contact]));
    const unread = named.flatMap(({ accountId }) => (ofMade.has(accountId) ? [] : accountId));
    const contacts = unread.length === 0 ? [] : await this.accounts.findContacts(unread);
    for (const contact of contacts) ofMade.set(contact._id, contact);
    for (const { accountId, memberIds: connected, externalId = null } of active) {
      const account = ofMade.get(accountId);
      if (!account) continue;
      const { name, email, locale = 'en', madeBy, claimedAt } = account;
      const isOwn = madeBy === schoolId;
      const stored = { accountId, externalId, storedExternalId: externalId, name, email, locale, connected };
      book.addStored({ ...stored, isOwn, isClaimed: !isOwn || claimedAt != null, isNew: false, members: null });
    }
    for (const { externalMembers = [] } of [...active, ...taken]) book.nameMembers(externalMembers);
  }

  /**
   * Reads the members of those families whose members are not read yet. Of a claimed family only those that the connection names: the
   * outcome of a row tells the school whether a member exists.
   */
  async readMembers(book: FamilyBook, families: Iterable<KnownFamily>): Promise<void> {
    const unread = [...new Set(families)].filter(({ members }) => members === null);
    const found = await this.pupils.findOfAccounts(unread.map(({ accountId }) => accountId));
    const byAccount = Map.groupBy(found, ({ accountId }) => accountId);
    for (const family of unread) {
      const connected = new Set(family.connected);
      family.members = (byAccount.get(family.accountId) ?? [])
        .map(({ _id: id, name, dateOfBirth, updatedAt }) => ({
          ...{ id, name, dateOfBirth, updatedAt },
          ...{ externalId: book.externalIdOf(id), isConnected: connected.has(id) },
        }))
        .filter(({ isConnected }) => isConnected || !family.isClaimed);
    }
  }
}
