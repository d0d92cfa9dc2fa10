import { Injectable } from '@nestjs/common';
import {
  beginsWordOf,
  describeConsents,
  describeDues,
  type Family,
  type FamilyDetails,
  findOwing,
  getFamily,
  grants,
  listFamilies,
  type Page,
  type ParsedOf,
  searchTermsOf,
} from '@swim/contracts';
import { RpcClient, Serve } from '@swim/messaging';
import { AppError, type RequestContext, requireScope } from '@swim/platform';
import { AccountClocksService } from '../../identity/accounts/account-clocks.service.js';
import { AccountsService } from '../../identity/accounts/accounts.service.js';
import { FamilyConnections } from '../connections/family-connections.service.js';
import { toFamily, toFamilyDetails } from './family.mapper.js';

/** The families of a school, and what they owe it. */
@Injectable()
export class FamilyListService {
  constructor(
    private readonly connections: FamilyConnections,
    private readonly accounts: AccountsService,
    private readonly clocks: AccountClocksService,
    private readonly rpc: RpcClient,
  ) {}

  @Serve(listFamilies)
  async list(query: ParsedOf<typeof listFamilies>, context: RequestContext): Promise<Page<Family>> {
    if (context.principal.kind !== 'school') throw new AppError('school_only');
    if (query.due) requireScope('payments:read', context);
    const [owing, among] = await Promise.all([
      this.seesDues(context) ? this.rpc.call(findOwing, {}, context) : { accountIds: [] },
      query.search === undefined ? undefined : this.findNamed(query.search, context),
    ]);
    return this.page(query, { owing: owing.accountIds, among }, context);
  }

  @Serve(getFamily)
  async get({ account_id: id }: ParsedOf<typeof getFamily>, context: RequestContext): Promise<FamilyDetails> {
    const { kind, accountId: schoolId } = context.principal;
    if (kind !== 'school') throw new AppError('school_only');
    const seesDues = this.seesDues(context);
    const [dues] = seesDues ? await this.describeDues([id], context) : [];
    const of = { owing: dues && dues.due.length > 0 ? [id] : [], among: [id] };
    const [{ items }, [account], described] = await Promise.all([
      this.page({ limit: 1 }, of, context),
      this.accounts.findContacts([id]),
      seesDues ? this.rpc.call(describeConsents, { accountId: id }, context) : null,
    ]);
    if (!items[0]) throw new AppError('resource_not_found');
    const made = account?.madeBy === schoolId ? account : undefined;
    return toFamilyDetails(items[0], made, described?.consents ?? null);
  }

  private async page(
    query: ParsedOf<typeof listFamilies>,
    of: Parameters<FamilyConnections['list']>[2],
    context: RequestContext,
  ): Promise<Page<Family>> {
    const { items, pagination } = await this.connections.list(context, query, of);
    const ids = items.map(({ accountId }) => accountId);
    const [contacts, dues] = await Promise.all([
      this.accounts.findContacts(ids),
      this.seesDues(context) ? this.describeDues(ids, context) : [],
    ]);
    const contactOf = new Map(contacts.map((contact) => [contact._id, contact]));
    const duesOf = new Map(dues.map(({ accountId, ...of }) => [accountId, of]));
    const toItem = (connection: (typeof items)[number]) =>
      toFamily(connection, contactOf.get(connection.accountId), duesOf.get(connection.accountId));
    return { items: items.map(toItem), pagination };
  }

  private seesDues({ principal }: RequestContext): boolean {
    return grants(principal.scopes, 'payments:read');
  }

  /** The school's families whose name or e-mail a search matches. */
  private async findNamed(search: string, context: RequestContext): Promise<string[]> {
    const contacts = await this.accounts.findContacts(await this.connections.findAccountIds(context));
    return contacts.filter(matches(search)).map(({ _id }) => _id);
  }

  /** What these accounts owe now, each by the later clock of the account and the school. */
  private async describeDues(ids: readonly string[], context: RequestContext) {
    if (ids.length === 0) return [];
    const [own, later] = await Promise.all([this.clocks.now(context), this.clocks.laterThanOwn(context, ids)]);
    const accounts = ids.map((id) => ({ id, now: (later.get(id) ?? own).toISOString() }));
    return (await this.rpc.call(describeDues, { accounts }, context)).dues;
  }
}

/** Whether each word of a search begins a word of the name or the e-mail. */
function matches(search: string): (of: { name: string; email: string }) => boolean {
  const terms = searchTermsOf(search);
  return ({ name, email }) => terms.length > 0 && terms.every(beginsWordOf(name, email));
}
