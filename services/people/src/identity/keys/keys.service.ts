import { isDeepStrictEqual } from 'node:util';
import { Inject, Injectable } from '@nestjs/common';
import {
  type ApiKey,
  type ApiKeyWithText,
  createKey,
  DEFAULT_SCOPES,
  ENVIRONMENTS,
  getKey,
  getMe,
  grants,
  type KeyOfUser,
  listKeys,
  type Me,
  type Page,
  type ParsedOf,
  revokeKey,
  rollKey,
  updateKey,
} from '@swim/contracts';
import { Serve } from '@swim/messaging';
import { answerIn, Idempotency } from '@swim/mongo';
import { AppError, inEnvironment, invalidState, type RequestContext } from '@swim/platform';
import { AccountsService, requireOwnAccount } from '../accounts/accounts.service.js';
import { given } from '../changes.rules.js';
import { changeInProgress, untilUndisturbed } from '../undisturbed-changes.js';
import { AccessRepository } from './access.repository.js';
import { apiKeyOf } from './key.mapper.js';
import { endOfNew, endOfRolled, excessOf, type KeyTerms, MOST_ACTIVE_KEYS, statusOfKey } from './key.rules.js';
import { type KeyDocument, type KeyRights, type NewTerms, newKey } from './key.schema.js';
import { KeyInvalidationService } from './key-invalidation.service.js';
import { noScopes, rejectExcess, tooManyKeys } from './key-rejections.js';
import { KeySecretsService } from './key-secrets.service.js';
import { RequesterService } from './requester.service.js';

/** A key to create. */
interface KeyRequest {
  id: string;
  terms: NewTerms;
  /** Whether it counts against the account's limit. */
  isCounted: boolean;
}

/** A key as stored, with its text; a dry run has neither. */
interface MadeKey {
  key: KeyDocument;
  text: string | null;
}

/** Creates, changes, rolls and revokes the keys of an account. */
@Injectable()
export class KeysService {
  @Inject(AccountsService) private readonly accounts!: AccountsService;

  constructor(
    private readonly keys: AccessRepository,
    private readonly secrets: KeySecretsService,
    private readonly invalidations: KeyInvalidationService,
    private readonly requesters: RequesterService,
    idempotency: Idempotency,
  ) {
    // A stored answer has the text of the key.
    idempotency.beforeRepeat(createKey, (made, context) => this.rejectIfWider(made, context));
    idempotency.beforeRepeat(rollKey, (made, context) => this.rejectIfWider(made, context, 'key_id'));
  }

  @Serve(listKeys)
  async list(input: ParsedOf<typeof listKeys>, context: RequestContext): Promise<Page<ApiKey>> {
    requireOwnAccount(input.account_id, context);
    const { items, pagination } = await this.keys.list(context, input);
    const now = this.keys.now();
    return { items: items.map((key) => apiKeyOf(key, now)), pagination };
  }

  @Serve(getKey)
  async get({ account_id, key_id }: ParsedOf<typeof getKey>, context: RequestContext): Promise<ApiKey> {
    requireOwnAccount(account_id, context);
    return apiKeyOf(await this.getOwned(context, key_id), this.keys.now());
  }

  /** The active keys of an account that a user has made, by itself or by a key of its own. */
  async listMadeBy({ _id, accountId }: { _id: string; accountId: string }): Promise<KeyOfUser[]> {
    const now = this.keys.now();
    const all = ENVIRONMENTS.map(async (env) => {
      const made = await inEnvironment(env, () => this.keys.findMadeBy(accountId, _id));
      const environment: KeyOfUser['environment'] = env === 'live' ? 'live' : 'sandbox';
      const active = made.filter((key) => statusOfKey(key, now) === 'active');
      return active.map(({ _id: id, name, last4 }) => ({ id, name, last4, environment }));
    });
    return (await Promise.all(all)).flat();
  }

  /** The account and the key of the request. Throws `resource_not_found` for a user of the dashboard, who has none. */
  @Serve(getMe)
  async getMe(_: ParsedOf<typeof getMe>, context: RequestContext): Promise<Me> {
    const { accountId, keyId } = context.principal;
    const [account, key] = await Promise.all([
      this.accounts.get({ account_id: accountId }, context),
      this.getOwned(context, keyId),
    ]);
    return { account, key: apiKeyOf(key, this.keys.now()) };
  }

  @Serve(createKey)
  async create(input: ParsedOf<typeof createKey>, context: RequestContext): Promise<ApiKeyWithText> {
    requireOwnAccount(input.account_id, context);
    const id = context.newId('key');
    const made = await untilUndisturbed(() => this.createOnce(input, id, context));
    return this.shownOnce(made);
  }

  @Serve(updateKey)
  async update({ account_id, key_id, changes }: ParsedOf<typeof updateKey>, context: RequestContext): Promise<ApiKey> {
    requireOwnAccount(account_id, context);
    const { name, scopes, ip_allowlist: ipAllowlist } = changes;
    const set = given({ name, scopes, ipAllowlist });
    const changed = await untilUndisturbed(() => this.changeOnce(key_id, set, context));
    return context.dryRun ? apiKeyOf(changed, this.keys.now()) : this.publishAndRead(key_id, context);
  }

  /** First the successor, then the end of the old key: a crash in between leaves a key whose text nobody has. */
  @Serve(rollKey)
  async roll(input: ParsedOf<typeof rollKey>, context: RequestContext): Promise<ApiKeyWithText> {
    requireOwnAccount(input.account_id, context);
    const id = context.newId('key');
    const made = await untilUndisturbed(() => this.rollOnce(input, id, context));
    if (!context.dryRun) await this.publishAndRead(input.key_id, context);
    return this.shownOnce(made);
  }

  @Serve(revokeKey)
  async revoke({ account_id, key_id }: ParsedOf<typeof revokeKey>, context: RequestContext): Promise<ApiKey> {
    requireOwnAccount(account_id, context);
    if (key_id !== context.principal.keyId) await this.requesters.get(context);
    const key = await this.getOwned(context, key_id);
    const revokedAt = key.revokedAt ?? this.keys.now();
    if (context.dryRun) return apiKeyOf({ ...key, revokedAt }, this.keys.now());
    if (!key.revokedAt) await this.keys.markRevoked(context, key_id, revokedAt);
    return this.publishAndRead(key_id, context);
  }

  private async createOnce(
    input: ParsedOf<typeof createKey>,
    id: string,
    context: RequestContext,
  ): Promise<MadeKey | null> {
    const requester = await this.requesters.get(context);
    const terms: NewTerms = {
      name: input.name,
      scopes: input.scopes ?? DEFAULT_SCOPES.filter((scope) => grants(requester.scopes, scope)),
      ipAllowlist: input.ip_allowlist ?? [...requester.ipAllowlist],
      expiresAt: endOfNew(input.expires_at, requester.expiresAt),
      madeBy: requester.madeBy,
    };
    if (terms.scopes.length === 0) throw noScopes();
    if (terms.expiresAt && terms.expiresAt <= this.keys.now()) throw new AppError('in_past', { field: 'expires_at' });
    rejectExcess(excessOf(terms, requester), context);
    return this.make({ id, terms, isCounted: true }, context);
  }

  private async changeOnce(id: string, set: Partial<KeyRights>, context: RequestContext): Promise<KeyDocument | null> {
    const requester = await this.requesters.get(context);
    // A key that changes itself is checked at the same revision that it changes.
    const isOwn = id === requester.key?._id;
    const key = isOwn ? requester.key! : await this.getOwned(context, id);
    if (answerIn(key, context) !== undefined) return key;
    this.requireActive(key);
    // The text of a key that may do more must not become usable elsewhere, or for longer, by one that may do less.
    rejectExcess(excessOf({ scopes: key.scopes }, requester), context, 'key_id');
    rejectExcess(excessOf(set, requester), context);
    const changed = Object.entries(set).filter(
      ([name, value]) => !isDeepStrictEqual(value, key[name as keyof KeyRights]),
    );
    if (context.dryRun || changed.length === 0) return { ...key, ...set };
    if (!(await this.keys.markChanged(context, key, set))) return null;
    if (isOwn || (await this.mayStillGive(set, context))) return key;
    await this.keys.markRestored(context, key, set);
    await this.publishAndRead(id, context);
    return null;
  }

  private async rollOnce(
    { key_id, overlap_hours }: ParsedOf<typeof rollKey>,
    id: string,
    context: RequestContext,
  ): Promise<MadeKey | null> {
    const old = await this.getOwned(context, key_id);
    const { name, scopes, ipAllowlist, expiresAt, madeBy } = old;
    // The successor is stored. The key of this request may be the one that has ended.
    if (old.rolledTo === id && !context.dryRun)
      return this.finish(id, { name, scopes, ipAllowlist, expiresAt, madeBy }, context);
    const requester = await this.requesters.get(context);
    const terms = { name, scopes, ipAllowlist, expiresAt, madeBy: requester.madeBy };
    this.requireUnrolled(old);
    rejectExcess(excessOf(terms, requester), context, 'key_id');
    const made = await this.make({ id, terms, isCounted: overlap_hours > 0 }, context);
    if (!made || context.dryRun) return made;
    const end = endOfRolled(expiresAt, overlap_hours, this.keys.now());
    if (await this.keys.markRolled(context, old, id, end)) return made;
    // Another run of this request may have done it.
    if ((await this.getOwned(context, key_id)).rolledTo === id) return made;
    await this.keys.discard(made.key);
    return null;
  }

  /** The old key has its end already: only the successor's text is still to be returned. */
  private async finish(id: string, terms: NewTerms, context: RequestContext): Promise<MadeKey> {
    const made = await this.store(id, terms, context);
    await this.rejectIfWider(apiKeyOf(made.key, this.keys.now()), context, 'key_id');
    return made;
  }

  // The end is not checked: the requesting key may be the one that was rolled.
  private async rejectIfWider(
    { id, scopes, ip_allowlist }: ApiKey,
    context: RequestContext,
    field?: 'key_id',
  ): Promise<void> {
    const { keyId, mayOnlyRepeatRoll } = context.principal;
    // Its successor has the terms that it had itself.
    if (mayOnlyRepeatRoll && (await this.getOwned(context, keyId)).rolledTo === id) return;
    const requester = await this.requesters.get(context);
    rejectExcess(excessOf({ scopes, ipAllowlist: ip_allowlist }, requester), context, field);
  }

  /** The key as it is now, once its invalidation is published. */
  private async publishAndRead(id: string, context: RequestContext): Promise<ApiKey> {
    const key = await this.getOwned(context, id);
    await this.invalidations.publish(key);
    return apiKeyOf(key, this.keys.now());
  }

  /** Creates a key; null when it was removed again, because it has more rights than these terms or than may be granted now. */
  private async make({ id, terms, isCounted }: KeyRequest, context: RequestContext): Promise<MadeKey | null> {
    const { accountId } = context.principal;
    const made = context.dryRun ? null : await this.store(id, terms, context);
    const capacity = MOST_ACTIVE_KEYS - (context.dryRun ? 1 : 0);
    // Counted with the new key included, so that concurrent requests never exceed the limit.
    if (isCounted && (await this.keys.countActive(context, MOST_ACTIVE_KEYS + 1)) > capacity) {
      if (made) await this.keys.discard(made.key);
      throw tooManyKeys();
    }
    if (!made) return { key: newKey({ id, accountId }, terms, this.secrets.make(id).verifier), text: null };
    // A concurrent change or revocation of the requesting key either sees the new key, or is seen here.
    if (!excessOf(made.key, terms) && (await this.mayStillGive(made.key, context))) return made;
    await this.keys.discard(made.key);
    return null;
  }

  /**
   * Stores a key. An existing key of that id comes from an earlier run of this request, which has not returned its text: it
   * gets this secret. A run that was superseded by one that has returned a text changes nothing.
   */
  private async store(id: string, terms: NewTerms, context: RequestContext): Promise<MadeKey> {
    const { accountId } = context.principal;
    const { text, verifier } = this.secrets.make(id);
    const key = newKey({ id, accountId }, terms, verifier);
    if (await this.keys.insert(key)) return { key, text };
    const known = await this.keys.findById(id);
    if (!known || context.deadline.expired || !(await this.keys.markRehashed(known, verifier)))
      throw changeInProgress();
    return { key: { ...known, ...verifier }, text };
  }

  private async mayStillGive(terms: Partial<KeyTerms>, context: RequestContext): Promise<boolean> {
    const requester = await this.requesters.find(context);
    return requester !== null && !excessOf(terms, requester);
  }

  private shownOnce({ key, text }: MadeKey): ApiKeyWithText {
    return { ...apiKeyOf(key, this.keys.now()), key: text };
  }

  private async getOwned(context: RequestContext, id: string): Promise<KeyDocument> {
    const key = await this.keys.findOwned(context, id);
    if (!key) throw new AppError('resource_not_found');
    return key;
  }

  private requireActive(key: KeyDocument): void {
    const status = statusOfKey(key, this.keys.now());
    if (status !== 'active') throw invalidState('Only an active API key can be changed or rolled', status);
  }

  private requireUnrolled(key: KeyDocument): void {
    this.requireActive(key);
    if (key.rolledTo)
      throw new AppError('invalid_state', {
        message: `This API key was rolled already. Roll the key that has replaced it: ${key.rolledTo}.`,
        details: { replaced_by: key.rolledTo },
      });
  }
}
