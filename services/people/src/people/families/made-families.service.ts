import { Injectable } from '@nestjs/common';
import {
  createFamily,
  createMember,
  type Member,
  type NewFamily,
  type ParsedOf,
  type Principal,
} from '@swim/contracts';
import { Serve } from '@swim/messaging';
import { AppError, derivedId, type RequestContext } from '@swim/platform';
import { actingAs } from '../../identity/accounts/acting.service.js';
import { UnclaimedAccounts } from '../../identity/accounts/unclaimed-accounts.service.js';
import { type MadeConnection, MadeConnections } from '../connections/made-connections.service.js';
import { MembersService } from '../members/members.service.js';
import { memberError, toNewFamily } from './made-family.mapper.js';

type FamilyInput = ParsedOf<typeof createFamily>;

/** The members of a family, and the school that acts for their account. */
interface NewMembers {
  input: FamilyInput;
  made: MadeConnection;
  principal: Principal;
}

/** Families that schools make, and members that they add to these. */
@Injectable()
export class MadeFamiliesService {
  constructor(
    private readonly accounts: UnclaimedAccounts,
    private readonly members: MembersService,
    private readonly connections: MadeConnections,
  ) {}

  /**
   * The account comes first, then its members, and the connection last, which makes the family known to its school. Each id follows from
   * that of the request: repeated, it completes what is missing; otherwise the account is erased after a day.
   */
  @Serve(createFamily)
  async create(input: FamilyInput, context: RequestContext): Promise<NewFamily> {
    const { accountId: schoolId, kind } = context.principal;
    if (kind !== 'school') throw new AppError('school_only');
    const accountId = context.newId('acct');
    const made = madeOf(input, accountId, context);
    const members = { input, made, principal: actingAs(accountId, context.principal) };
    const checked = await this.createMembers(members, { ...context, dryRun: true });
    await this.connections.requireFree(schoolId, made).catch(async (error: unknown) => {
      // An earlier run of the request may have made the account before another request has given the id.
      if (isTaken(error) && !context.dryRun) await this.accounts.eraseHalf(accountId, schoolId);
      throw error;
    });
    const account = await this.accounts.describe({ id: accountId, ...input }, schoolId);
    const pair = { schoolId, accountId };
    if (context.dryRun) return toNewFamily(account, checked, await this.connections.make(pair, made, context));
    await this.accounts.open(account);
    const created = await this.createMembers(members, context);
    const connection = await this.connections.make(pair, made, context).catch(async (error: unknown) => {
      if (!isTaken(error)) throw error;
      // Another request has given an id meanwhile: the error names it.
      await this.accounts.eraseHalf(accountId, schoolId);
      await this.connections.requireFree(schoolId, made);
      throw error;
    });
    return toNewFamily(account, created, connection);
  }

  /** A member that a school adds to an account that nobody has claimed is connected with it. */
  @Serve(createMember)
  async createMember(input: ParsedOf<typeof createMember>, context: RequestContext): Promise<Member> {
    const member = await this.members.create(input, context);
    const { actingSchoolId: schoolId, accountId } = context.principal;
    if (schoolId !== undefined && !context.dryRun)
      await this.connections.join({ schoolId, accountId }, member.id, context);
    return member;
  }

  private createMembers({ input, made, principal }: NewMembers, context: RequestContext): Promise<Member[]> {
    const created = input.members.map(({ external_id: _, ...member }, index) => {
      const own = { ...context, principal, newId: () => made.members[index]!.id };
      return this.members.create({ account_id: principal.accountId, ...member }, own).catch(memberError(index));
    });
    return Promise.all(created);
  }
}

const isTaken = (error: unknown): boolean => error instanceof AppError && error.reason === 'already_exists';

function madeOf({ external_id, members }: FamilyInput, accountId: string, context: RequestContext): MadeConnection {
  const memberOf = ({ external_id: externalId }: FamilyInput['members'][number], index: number) => ({
    id: derivedId('mem', accountId, String(index)),
    externalId: externalId ?? null,
  });
  return { id: context.newId('con'), externalId: external_id ?? null, members: members.map(memberOf) };
}
