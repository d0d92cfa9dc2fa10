import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { type CalendarToken, findActing } from '@swim/contracts';
import { ownerContext, RpcClient } from '@swim/messaging';
import { answerIn, ErasedMembers } from '@swim/mongo';
import {
  AppError,
  CONFIG,
  derived,
  masterKeysOf,
  newFeedToken,
  parseFeedToken,
  type RequestContext,
  requireScope,
  sharedClock,
  systemContext,
} from '@swim/platform';
import type { Config } from '../config.js';
import { ParticipantResolverService } from '../participants/participant-resolver.service.js';
import type { CalendarOwner } from '../sessions/reading/lesson-times.service.js';
import type { CalendarTokenDocument } from './calendar-token.schema.js';
import { CalendarTokensRepository } from './calendar-tokens.repository.js';

const HASH_BYTES = 32;
const TOKEN_BYTES = 32;

const idOf = (owner: CalendarOwner): string => ('memberId' in owner ? owner.memberId : owner.instructorId);

/** Tokens of calendar feeds: made by the owner of the instructor or member, stored as a keyed hash, one at a time. */
@Injectable()
export class CalendarTokensService {
  private readonly keys: () => readonly Buffer[];
  private readonly origin: string;

  constructor(
    private readonly tokens: CalendarTokensRepository,
    private readonly participants: ParticipantResolverService,
    private readonly erased: ErasedMembers,
    private readonly rpc: RpcClient,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    const keyOf = (key: Buffer) => Buffer.from(hkdfSync('sha256', key, '', 'tokens of calendar feeds', HASH_BYTES));
    this.keys = derived(
      () => masterKeysOf(config),
      (...keys) => keys.map(keyOf),
    );
    this.origin = config.PUBLIC_URL.replace(/\/+$/, '');
  }

  /**
   * Makes a token, which ends the one before it. Throws `missing_scope` without `sessions:read`, `school_only`, `resource_not_found` for what is not the account's, and
   * `change_in_progress` when the first token was made meanwhile.
   */
  async mint(owner: CalendarOwner, requesting: RequestContext): Promise<CalendarToken> {
    // Its feed shows lessons.
    requireScope('sessions:read', requesting);
    const context = await this.asOwner(owner, requesting);
    const { env } = context.principal;
    if (context.dryRun) return { token: null, url: null, created_at: sharedClock.now().toISOString() };
    const token = newFeedToken(env, this.bytesFor(context));
    const created_at = await this.store(idOf(owner), token, context);
    const path = 'memberId' in owner ? `members/${owner.memberId}` : `instructors/${owner.instructorId}`;
    return { token, url: `${this.origin}/v1/${path}/calendar.ics?token=${token}`, created_at };
  }

  /** Stores a token unless an earlier run of the request has; returns when it was made. */
  private async store(_id: string, token: string, context: RequestContext): Promise<string> {
    const { accountId, actingSchoolId = null } = context.principal;
    const createdAt = sharedClock.now();
    const hash = this.hashesOf(parseFeedToken(token)!.digest)[0]!.toString('base64');
    const made = { _id, accountId, actingSchoolId, readers: [accountId], hash, createdAt };
    if (await this.tokens.replace(context, made)) return createdAt.toISOString();
    const known = await this.tokens.find(_id);
    const earlier = known && answerIn(known, context);
    if (typeof earlier !== 'string') throw new AppError('change_in_progress', { retryAfterSeconds: 1 });
    return earlier;
  }

  /** Ends the token that the account has made. Throws `resource_not_found` without one. */
  async revoke(ownerId: string, requesting: RequestContext): Promise<void> {
    const made = await this.tokens.find(ownerId);
    const context = (made && (await ownerContext(this.rpc, made.accountId, requesting))) || requesting;
    const { accountId } = context.principal;
    if (!context.dryRun && (await this.tokens.endOf(context, ownerId))) return;
    const known = await this.tokens.find(ownerId);
    const isEnded = known !== null && answerIn(known, context) !== undefined;
    const isOwn = known?.accountId === accountId;
    if (!isOwn || !(isEnded || (context.dryRun && known.hash))) throw new AppError('resource_not_found');
  }

  /** The account whose feed this is; throws `resource_not_found` unless the digest is that of its token. */
  async verify(ownerId: string, digest: string): Promise<string> {
    // A token may be stored while its member is erased: it must not outlive the erasure.
    const [stored, erased] = await Promise.all([this.tokens.find(ownerId), this.erased.findAmong([ownerId])]);
    const expected = Buffer.from(stored?.hash ?? '', 'base64');
    // An unknown feed costs the same hashes and comparisons as a wrong token.
    const compared = expected.length === HASH_BYTES ? expected : Buffer.alloc(HASH_BYTES);
    const hashes = this.hashesOf(digest);
    const [right] = hashes.filter((hash) => timingSafeEqual(hash, compared));
    if (!stored || !right || erased.length > 0 || !(await this.mayMakerRead(stored)))
      throw new AppError('resource_not_found');
    // Otherwise the token would end with the former key.
    if (right !== hashes[0]) await this.tokens.rehash(stored, hashes[0]!.toString('base64'));
    return stored.accountId;
  }

  /** Whether who has made a token may still read the lessons of the account: a school no longer acts once somebody has claimed it. */
  private async mayMakerRead({ accountId, actingSchoolId }: CalendarTokenDocument): Promise<boolean> {
    if (!actingSchoolId) return true;
    const context = systemContext(actingSchoolId);
    const school = { ...context, principal: { ...context.principal, kind: 'school' as const } };
    return (await this.rpc.call(findActing, { accountId }, school)).principal !== null;
  }

  /** Ends the token of an erased member's feed. Idempotent. */
  async endOfErased(memberId: string): Promise<void> {
    await this.tokens.removeErased(memberId);
  }

  /**
   * The random part of a token: the same in each run of a request, which stores no text. As for its stored answer, the master key does
   * not suffice to derive it: the key of the write is needed too.
   */
  private bytesFor({ opSeed, writeKey }: RequestContext): Buffer {
    if (opSeed === null) return randomBytes(TOKEN_BYTES);
    return Buffer.from(hkdfSync('sha256', this.config.DATA_KEY, opSeed, `calendar feed|${writeKey}`, TOKEN_BYTES));
  }

  private hashesOf(digest: string): Buffer[] {
    return this.keys().map((key) => createHmac('sha256', key).update(digest).digest());
  }

  /** The context of the account of an instructor or a member: its own, or that of a school that acts for it. */
  private async asOwner(owner: CalendarOwner, context: RequestContext): Promise<RequestContext> {
    const { accountId, kind } = context.principal;
    if ('memberId' in owner) {
      const found = await this.participants.findMemberAccount(context, owner.memberId);
      const own = found === null ? null : await ownerContext(this.rpc, found, context);
      if (!own) throw new AppError('resource_not_found');
      return own;
    }
    if (kind !== 'school') throw new AppError('school_only');
    const { instructor } = await this.participants.findInstructor(context, owner.instructorId);
    if (instructor?.schoolId !== accountId) throw new AppError('resource_not_found');
    return context;
  }
}
