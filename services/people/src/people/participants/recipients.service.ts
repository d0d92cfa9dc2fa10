import { Injectable } from '@nestjs/common';
import { describeCalendar, describeRecipients, type OutputOf, type ParsedOf, type Recipient } from '@swim/contracts';
import { Serve } from '@swim/messaging';
import { currentEnvironment } from '@swim/platform';
import { AccountsService, type ReachableAccount } from '../../identity/accounts/accounts.service.js';
import { InstructorsService, type ReachableInstructor } from '../instructors/instructors.service.js';
import { MembersService } from '../members/members.service.js';

/** Describes the accounts that get messages or have calendar feeds. */
@Injectable()
export class RecipientsService {
  constructor(
    private readonly accounts: AccountsService,
    private readonly instructors: InstructorsService,
    private readonly members: MembersService,
  ) {}

  @Serve(describeRecipients)
  async describe({
    recipients: requested,
  }: ParsedOf<typeof describeRecipients>): Promise<OutputOf<typeof describeRecipients>> {
    const named = requested.flatMap(({ instructorIds, recipientId = [] }) => [...instructorIds, recipientId].flat());
    const instructors = await this.instructors.findReachable(unique(named));
    const schoolIds = instructors.map(({ schoolId }) => schoolId);
    const accountIds = requested.map(({ accountId }) => accountId);
    const accounts = await this.accounts.findReachable(unique([...accountIds, ...schoolIds]));
    const byId = new Map(accounts.map((account) => [account.id, account]));
    const taught = instructors.flatMap(({ id, name, schoolId }) => {
      const school = byId.get(schoolId);
      return school ? [{ id, name, school: schoolOf(school) }] : [];
    });
    const describeOne = async ({ accountId, recipientId, memberIds, instructorIds }: (typeof requested)[number]) => {
      const account = byId.get(accountId);
      const instructor = instructors.find(({ id, schoolId }) => id === recipientId && schoolId === accountId);
      if (!account || (recipientId !== undefined && !instructor)) return null;
      const { offerUrlTemplate: _, ...own } = { ...account, isAccounts: false, ...reachAs(account, instructor) };
      const members = await this.members.findNames(accountId, memberIds);
      return { ...own, members, instructors: taught.filter(({ id }) => instructorIds.includes(id)) };
    };
    return Promise.all(requested.map(describeOne));
  }

  @Serve(describeCalendar)
  async describeCalendar({
    accountId,
    instructorIds,
  }: ParsedOf<typeof describeCalendar>): Promise<OutputOf<typeof describeCalendar>> {
    const [[account], found] = await Promise.all([
      this.accounts.findReachable([accountId]),
      this.instructors.findReachable(unique(instructorIds)),
    ]);
    if (!account) return null;
    return { locale: account.locale, instructors: found.map(({ id, name }) => ({ id, name })) };
  }
}

/** Where an instructor is written to: in the sandbox to the school, as nobody else is. */
function reachAs(school: ReachableAccount, instructor: ReachableInstructor | undefined) {
  if (!instructor) return {};
  const email = currentEnvironment() === 'test' ? school.email : instructor.email;
  const isAccounts = email !== null && email.toLowerCase() === school.email?.toLowerCase();
  return { name: instructor.name, timezone: instructor.timezone, email, isAccounts };
}

const unique = (ids: string[]): string[] => [...new Set(ids)];

const schoolOf = ({ id, name, offerUrlTemplate }: ReachableAccount): Recipient['instructors'][number]['school'] => ({
  id,
  name,
  offerUrlTemplate,
});
