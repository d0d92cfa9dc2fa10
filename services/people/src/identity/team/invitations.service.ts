import { Inject, Injectable } from '@nestjs/common';
import {
  acceptInvitation,
  type createInvitation,
  type Invitation,
  joinAccount,
  listInvitations,
  type OutputOf,
  type Page,
  type ParsedOf,
  ROLES,
  type Role,
  removeInvitation,
} from '@swim/contracts';
import { Serve } from '@swim/messaging';
import type { ListQuery } from '@swim/mongo';
import { AppError, newId, type RequestContext } from '@swim/platform';
import { type InvitationContent, type Link, UserLinksService, userIdOf } from '../links/user-links.service.js';
import { SessionLifeService } from '../sign-in/session-life.service.js';
import { ThrottleService } from '../throttle/throttle.service.js';
import { MembershipsService } from '../users/memberships.service.js';
import { missingRole, RolesService, requireRoleOf } from '../users/roles.service.js';
import { type AccountUser, type InstructorOfUser, inAccount, UsersService } from '../users/users.service.js';
import { ClaimsService } from './claims.service.js';

/** Whom an invitation makes what. */
export interface Invited {
  email: string;
  role: Role;
  instructor: InstructorOfUser | null;
}

/** Users and open invitations of an account. */
const MOST_USERS = 100;
const MAY_INVITE: Readonly<Record<Role, readonly Role[]>> = {
  owner: ROLES,
  admin: ['developer', 'viewer', 'guardian', 'instructor'],
  developer: [],
  viewer: [],
  guardian: [],
  instructor: [],
};
const DAY_SECONDS = 86_400;

/** Invitations by mail to use the dashboard of an account. */
@Injectable()
export class InvitationsService {
  @Inject(MembershipsService) private readonly memberships!: MembershipsService;
  @Inject(ClaimsService) private readonly claims!: ClaimsService;

  constructor(
    private readonly links: UserLinksService,
    private readonly users: UsersService,
    private readonly roles: RolesService,
    private readonly throttle: ThrottleService,
    private readonly life: SessionLifeService,
  ) {}

  @Serve(listInvitations)
  async list(query: ParsedOf<typeof listInvitations>, context: RequestContext): Promise<Page<Invitation>> {
    await this.roles.require(['owner', 'admin'], context);
    return this.listAll(query, context);
  }

  /** All open invitations of the requesting account, whatever its key's or user's role. */
  async listAll(query: ListQuery, context: RequestContext): Promise<Page<Invitation>> {
    const { items, pagination } = await this.links.listInvitations(query, context);
    return { items: await Promise.all(items.map((link) => this.toInvitation(link))), pagination };
  }

  /** A later invitation of the same address ends the one before. `instructor` is one of the account, for that role. */
  async create(
    { email, role, instructor }: Invited,
    context: RequestContext,
  ): Promise<OutputOf<typeof createInvitation>> {
    const inviter = await this.requireMayInvite(role, context);
    const { accountId, _id: invitedBy, locale } = inviter;
    const emailToken = await this.users.tokenOf(email);
    const open = await this.links.findInvitations(accountId, MOST_USERS);
    const others = open.filter((link) => link.emailToken !== emailToken);
    const users = await this.users.findAllOf(accountId, MOST_USERS);
    if (others.length + users.length >= MOST_USERS)
      throw new AppError('limit_reached', { details: { maximum: MOST_USERS } });
    await this.throttle.countInvitation(accountId, users.length > 1);
    // Counted for each account apart, without a limit over all: strangers could use that up, and so keep an address from its invitations,
    // and its rejection would say that others write to it. How many accounts a stranger has is limited where they sign up.
    if (!(await this.throttle.mayMail('invitation', `${accountId}:${emailToken}`)))
      throw new AppError('sign_in_attempts', { retryAfterSeconds: DAY_SECONDS });
    const content: InvitationContent = { email, locale };
    const id = newId('inv');
    const fields = { id, purpose: 'invitation', emailToken, accountId, content, role, instructor, invitedBy } as const;
    const link = await this.links.insert({ ...fields, isMailed: true });
    for (const former of open.filter((each) => each.emailToken === emailToken)) await this.links.withdraw(former);
    await this.life.record(inviter, 'invitation_created', context, id);
    return this.toInvitation(link);
  }

  @Serve(removeInvitation)
  async remove(
    { invitation_id: id }: ParsedOf<typeof removeInvitation>,
    context: RequestContext,
  ): Promise<Record<string, never>> {
    const actor = await this.roles.require(['owner', 'admin'], context);
    const link = await this.links.findInvitation(actor.accountId, id);
    if (!link) throw new AppError('resource_not_found');
    if (!MAY_INVITE[actor.role].includes(link.role!)) throw missingRole(['owner']);
    await this.links.withdraw(link);
    await this.life.record(actor, 'invitation_removed', context, id);
    return {};
  }

  /** Withdraws the invitations of a user who is removed, or may do less than before. Idempotent. */
  async withdrawAllOf({ _id, accountId }: AccountUser): Promise<void> {
    for (const link of await this.links.findInvitations(accountId, MOST_USERS))
      if (link.invitedBy === _id) await this.links.withdraw(link);
  }

  /**
   * The user gets the address that the invitation was sent to. The link ends first: of it and a withdrawal at the same time one
   * wins.
   */
  @Serve(acceptInvitation)
  async accept(
    { token, name, password }: ParsedOf<typeof acceptInvitation>,
    context: RequestContext,
  ): Promise<OutputOf<typeof acceptInvitation>> {
    const link = await this.openInvitation(token);
    const { email, locale } = await this.links.contentOf<InvitationContent>(link);
    const isClaim = link.purpose === 'claim';
    const known = await this.users.findByEmailToken(link.emailToken);
    if (known && !(isClaim && known._id === userIdOf(link))) throw new AppError('user_exists');
    const passwordHash = await this.users.hashPassword(password);
    await (isClaim ? this.claims.begin(link) : this.links.use(link));
    const fields = { id: userIdOf(link), ...membershipOf(link), locale, name, email };
    const user = await this.users.insert({ ...fields, passwordHash });
    if (!user) throw new AppError('user_exists');
    if (isClaim) await this.endClaim(user, link);
    const { cookies, me } = await this.life.start(user, false, context, 'invitation_accepted');
    return { cookies, data: me };
  }

  /** A user of the address that the invitation was sent to gets a further account. The link ends first, as by `accept`. */
  @Serve(joinAccount)
  async join(
    { token, session }: ParsedOf<typeof joinAccount>,
    context: RequestContext,
  ): Promise<OutputOf<typeof joinAccount>> {
    const { _id, emailToken } = await this.users.getOwn(context);
    const link = await this.openInvitation(token);
    if (emailToken !== link.emailToken) throw new AppError('wrong_recipient', { field: 'token' });
    const isClaim = link.purpose === 'claim';
    await (isClaim ? this.claims.begin(link) : this.links.use(link));
    const joined = await this.memberships.join(_id, membershipOf(link));
    const user = joined ?? (await this.users.getIn(link.accountId!, _id));
    if (isClaim) await this.endClaim(user, link);
    const { cookies, me } = await this.life.switchTo(user, session, context, 'invitation_accepted');
    return { cookies, data: me };
  }

  /** The link ends last: until then a repeated request completes the claim. */
  private async endClaim(user: AccountUser, link: Link): Promise<void> {
    await this.claims.finish(user);
    await this.links.withdraw(link);
  }

  /** The link of a claim, or the invitation of a link, if its inviter may still give that role. Throws `invalid_link`. */
  private async openInvitation(token: string): Promise<Link> {
    const link = await this.links.open(token, 'invitation', 'claim');
    if (link.purpose === 'claim') return link;
    const inviter = inAccount(await this.users.find(link.invitedBy!), link.accountId!);
    if (!inviter || !MAY_INVITE[inviter.role].includes(link.role!))
      throw new AppError('invalid_link', { field: 'token' });
    return link;
  }

  private async requireMayInvite(role: Role, context: RequestContext): Promise<AccountUser> {
    const inviter = await this.roles.require(['owner', 'admin'], context);
    if (!MAY_INVITE[inviter.role].includes(role)) throw missingRole(['owner']);
    requireRoleOf(context.principal.kind, role);
    return inviter;
  }

  private async toInvitation(link: Link): Promise<Invitation> {
    const { email } = await this.links.contentOf<InvitationContent>(link);
    return {
      id: link._id,
      email,
      role: link.role!,
      instructor_id: link.instructor?.id ?? null,
      invited_by: link.invitedBy!,
      expires_at: link.expiresAt.toISOString(),
      created_at: link.createdAt.toISOString(),
    };
  }
}

const membershipOf = ({ accountId, role, instructor }: Link) => ({ accountId: accountId!, role: role!, instructor });
