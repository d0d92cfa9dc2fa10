import { Inject, Injectable } from '@nestjs/common';
import {
  issueUserLink,
  type Locale,
  type OutputOf,
  type Page,
  type ParsedOf,
  type Role,
  SECURITY_NOTICES,
  type SecurityNotice,
} from '@swim/contracts';
import { Serve } from '@swim/messaging';
import type { ListQuery } from '@swim/mongo';
import { AppError, CONFIG, inEnvironment, newId, type RequestContext, SignedTokens, withPrefix } from '@swim/platform';
import type { Config } from '../../config.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { UserTextsService } from '../privacy/user-texts.service.js';
import { type InstructorOfUser, type User, UsersService } from '../users/users.service.js';
import type { LinkPurpose, SignUpFields, UserLinkDocument } from './user-link.schema.js';
import { UserLinksRepository } from './user-links.repository.js';

const HOUR_MS = 3_600_000;
const VALID_MS: Readonly<Record<LinkPurpose, number>> = {
  sign_up: 72 * HOUR_MS,
  password_reset: HOUR_MS,
  invitation: 7 * 24 * HOUR_MS,
  claim: 7 * 24 * HOUR_MS,
  sign_in: HOUR_MS,
  // For so long its mail is tried.
  password_changed: 24 * HOUR_MS,
  second_factor_added: 24 * HOUR_MS,
  second_factor_removed: 24 * HOUR_MS,
  passkey_added: 24 * HOUR_MS,
  wrong_codes: 24 * HOUR_MS,
};

/** A link as other features see it. */
export type Link = UserLinkDocument;

/** A link to store. */
export interface NewLink {
  id: string;
  purpose: LinkPurpose;
  emailToken: string;
  accountId?: string;
  content?: object;
  role?: Role;
  instructor?: InstructorOfUser | null;
  invitedBy?: string;
  isMailed: boolean;
  /** Instead of the time of its purpose. */
  validMs?: number;
}

/** What an invitation contains, and the link of a claim, which names the school. */
export interface InvitationContent {
  email: string;
  locale: Locale;
  schoolId?: string;
}

/** The links that are sent to users: each is signed, expires, and is valid once. */
@Injectable()
export class UserLinksService {
  private readonly tokens: SignedTokens;

  constructor(
    private readonly links: UserLinksRepository,
    private readonly users: UsersService,
    private readonly accounts: AccountsService,
    private readonly texts: UserTextsService,
    @Inject(CONFIG) config: Config,
  ) {
    this.tokens = new SignedTokens('link of a user', config);
  }

  /** Stores a link; its mail is sent within seconds. */
  async insert({ id, accountId, content, isMailed, validMs, ...fields }: NewLink): Promise<UserLinkDocument> {
    const now = this.links.now();
    const link: UserLinkDocument = {
      _id: id,
      role: null,
      instructor: null,
      invitedBy: null,
      ...fields,
      accountId: accountId ?? null,
      readers: accountId === undefined ? [] : [accountId],
      content: content ? await this.texts.sealUnowned(JSON.stringify(content), id) : null,
      expiresAt: new Date(now.getTime() + (validMs ?? VALID_MS[fields.purpose])),
      endedAt: null,
      ...(isMailed ? { mailDueAt: now } : {}),
      createdAt: now,
    };
    await this.links.insert(link);
    return link;
  }

  /** Notifies a user of a change of how the user signs in. */
  async notify({ emailToken }: Pick<User, 'emailToken'>, purpose: SecurityNotice): Promise<void> {
    await this.insert({ id: newId('ulk'), purpose, emailToken, isMailed: true });
  }

  /** The token of a link. */
  tokenOf({ _id, purpose }: Pick<UserLinkDocument, '_id' | 'purpose'>): string {
    return this.tokens.sign(purpose, _id);
  }

  /** The valid link of a token for one of these purposes. Throws `invalid_link`. */
  async open(token: string, ...purposes: LinkPurpose[]): Promise<UserLinkDocument> {
    const [signedFor, id = ''] = this.tokens.read(token) ?? [];
    const link = purposes.some((purpose) => purpose === signedFor) ? await this.links.find(id) : null;
    if (!link || link.endedAt || link.expiresAt <= this.links.now()) throw invalidLink();
    return link;
  }

  /** What was entered for a link. */
  async contentOf<T = SignUpFields>({ _id, content }: UserLinkDocument): Promise<T> {
    return JSON.parse(await this.texts.openUnowned(content!, _id)) as T;
  }

  /** Ends a link. Throws `invalid_link` when a concurrent request has ended it. */
  async use({ _id }: UserLinkDocument): Promise<void> {
    if (!(await this.links.end(_id))) throw invalidLink();
  }

  /** Ends the sign-ups of an address that were requested before this one. Idempotent. */
  endSignUpsBefore(id: string, emailToken: string): Promise<void> {
    return this.links.endSignUpsBefore(id, emailToken);
  }

  /** Ends the links to claim an account that were sent before this one. Idempotent. */
  endClaimsBefore(id: string, accountId: string): Promise<void> {
    return this.links.endClaimsBefore(id, accountId);
  }

  /** Ends a link that is to be used no more. Idempotent. */
  async withdraw({ _id }: UserLinkDocument): Promise<void> {
    await this.links.end(_id);
  }

  /** The open invitations of the requesting account, newest first. */
  listInvitations(query: ListQuery, context: RequestContext): Promise<Page<Link>> {
    return this.links.listInvitations(context, query);
  }

  /** The open invitations of an account, at most `limit`. */
  findInvitations(accountId: string, limit: number): Promise<Link[]> {
    return this.links.findInvitations(accountId, limit);
  }

  /** An open invitation of an account. */
  async findInvitation(accountId: string, id: string): Promise<Link | null> {
    return (await this.links.findInvitations(accountId, 1, id))[0] ?? null;
  }

  /** Removes the links of an erased account. Idempotent. */
  removeAllOf(accountId: string): Promise<void> {
    return this.links.removeAllOf(accountId);
  }

  /** What the mail of a link says, and to whom; null when it is not to be sent any more. */
  @Serve(issueUserLink)
  async issue({ linkId }: ParsedOf<typeof issueUserLink>): Promise<OutputOf<typeof issueUserLink>> {
    const link = await this.links.find(linkId);
    if (!link || link.endedAt || link.expiresAt <= this.links.now()) return null;
    const user = await this.users.findByEmailToken(link.emailToken);
    const token = this.tokenOf(link);
    if (link.purpose === 'invitation' || link.purpose === 'claim') {
      const { email, locale, schoolId = link.accountId! } = await this.contentOf<InvitationContent>(link);
      const accountName = await inEnvironment('live', () => this.accounts.findName(schoolId));
      return { email, locale, purpose: link.purpose, token, accountName };
    }
    if (link.purpose === 'sign_up' && !user) {
      const { email, locale, accountName } = await this.contentOf(link);
      return { email, locale, purpose: 'sign_up', token, accountName };
    }
    if (!user) return null;
    const { email } = await this.users.profileOf(user);
    if (isNotice(link.purpose))
      return { email, locale: user.locale, purpose: link.purpose, token: null, accountName: null };
    const isKnown = link.purpose === 'sign_up';
    const purpose = isKnown ? 'known_address' : link.purpose;
    return { email, locale: user.locale, purpose, token: isKnown ? null : token, accountName: null };
  }

  /** The account that the message of a link is stored with; null: there is nobody to send it to. */
  async accountOf(link: UserLinkDocument): Promise<string | null> {
    if (link.accountId !== null) return link.accountId;
    const user = await this.users.findByEmailToken(link.emailToken);
    if (user) return (await this.users.atLast(user))?.accountId ?? null;
    return link.purpose === 'sign_up' ? accountIdOf(link) : null;
  }
}

/** The account that a sign-up makes. */
export const accountIdOf = ({ _id }: Pick<UserLinkDocument, '_id'>): string => withPrefix('acct', _id);

/** The user that a sign-up or an invitation makes. */
export const userIdOf = ({ _id }: Pick<UserLinkDocument, '_id'>): string => withPrefix('usr', _id);

const isNotice = (purpose: LinkPurpose): purpose is SecurityNotice =>
  (SECURITY_NOTICES as readonly string[]).includes(purpose);

const invalidLink = () => new AppError('invalid_link', { field: 'token' });
