import { Injectable } from '@nestjs/common';
import { AccountsService } from '../../identity/accounts/accounts.service.js';
import { FamilyConnections } from '../connections/family-connections.service.js';
import { PupilsService } from '../members/pupils.service.js';
import { FamilyBook, type KnownFamily } from './family-book.js';

/** Reads the families of a school for an import. */
@Injectable()
export class FamilyBooks {
  constructor(
    private readonly connections: FamilyConnections,
    private readonly accounts: AccountsService,
    private readonly pupils: PupilsService,
  ) {}

  /** The families of a school as they are now, without their members. */
  async open(schoolId: string): Promise<FamilyBook> {
    const active = await this.connections.findActive(schoolId);
    const contacts = await this.accounts.findContacts(active.map(({ accountId }) => accountId));
    const contactOf = new Map(contacts.map((contact) => [contact._id, contact]));
    const families = active.flatMap(({ accountId, memberIds, externalId = null }): KnownFamily[] => {
      const account = contactOf.get(accountId);
      if (!account) return [];
      const { name, email, locale = 'en', madeBy, claimedAt } = account;
      const isOwn = madeBy === schoolId;
      const stored = { accountId, externalId, storedExternalId: externalId, name, email, locale, connected: memberIds };
      return [{ ...stored, isOwn, isClaimed: !isOwn || claimedAt != null, isNew: false, members: null }];
    });
    const named = active.flatMap(({ externalMembers = [] }) => externalMembers);
    return new FamilyBook(families, named);
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
