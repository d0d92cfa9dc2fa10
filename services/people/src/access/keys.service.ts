import { Injectable } from '@nestjs/common';
import type {
  ApiKey,
  ApiKeyWithText,
  createKey,
  getKey,
  listKeys,
  Page,
  ParsedOf,
  revokeKey,
  rollKey,
  updateKey,
} from '@swim/contracts';
import type { Call } from '@swim/messaging';
import { AppError } from '@swim/platform';
import { requireOwnAccount } from '../accounts/accounts.service.js';
import { given } from '../changes.rules.js';
import { AccessRepository } from './access.repository.js';
import { apiKeyOf } from './key.mapper.js';
import { type Excess, endOfRolled, excessOf, MOST_ACTIVE_KEYS, refusalOfKey, statusOfKey } from './key.rules.js';
import { type KeyDocument, type NewTerms, newKey } from './key.schema.js';
import { KeyNewsService } from './key-news.service.js';
import { type FreshSecret, KeySecretsService } from './key-secrets.service.js';

/** A key's whole life, as its account leads it: made, changed, rolled, revoked. */
@Injectable()
export class KeysService {
  constructor(
    private readonly keys: AccessRepository,
    private readonly secrets: KeySecretsService,
    private readonly news: KeyNewsService,
  ) {}

  async list(input: ParsedOf<typeof listKeys>, call: Call): Promise<Page<ApiKey>> {
    requireOwnAccount(input.account_id, call);
    const { items, pagination } = await this.keys.list(call, input);
    const now = this.keys.now();
    return { items: items.map((key) => apiKeyOf(key, now)), pagination };
  }

  async get({ account_id, key_id }: ParsedOf<typeof getKey>, call: Call): Promise<ApiKey> {
    requireOwnAccount(account_id, call);
    return apiKeyOf(await this.getOwned(call, key_id), this.keys.now());
  }

  async create(input: ParsedOf<typeof createKey>, call: Call): Promise<ApiKeyWithText> {
    requireOwnAccount(input.account_id, call);
    const asking = await this.getAskingKey(call);
    const terms: NewTerms = {
      name: input.name,
      scopes: input.scopes ?? asking.scopes,
      ipAllowlist: input.ip_allowlist ?? asking.ipAllowlist,
      expiresAt: input.expires_at === undefined ? asking.expiresAt : new Date(input.expires_at),
    };
    if (terms.expiresAt && terms.expiresAt <= this.keys.now()) throw new AppError('in_past', { field: 'expires_at' });
    refuseExcess(excessOf(terms, asking));
    return this.make(terms, call, true);
  }

  async update({ account_id, key_id, changes }: ParsedOf<typeof updateKey>, call: Call): Promise<ApiKey> {
    requireOwnAccount(account_id, call);
    const asking = await this.getAskingKey(call);
    const key = await this.getOwned(call, key_id);
    this.requireActive(key);
    const { name, scopes, ip_allowlist: ipAllowlist } = changes;
    const set = given({ name, scopes, ipAllowlist });
    refuseExcess(excessOf(set, asking));
    if (call.dryRun) return apiKeyOf({ ...key, ...set }, this.keys.now());
    if (!(await this.keys.markChanged(call, key_id, set))) throw new AppError('invalid_state');
    return this.told(key_id, call);
  }

  /** First the successor, then the end of the old key: what a crash leaves between is a key that nobody knows. */
  async roll(input: ParsedOf<typeof rollKey>, call: Call): Promise<ApiKeyWithText> {
    requireOwnAccount(input.account_id, call);
    const asking = await this.getAskingKey(call);
    const old = await this.getOwned(call, input.key_id);
    const id = call.newId('key');
    const isDone = old.rolledTo === id;
    if (!isDone) this.requireUnrolled(old);
    const { name, scopes, ipAllowlist, expiresAt } = old;
    const terms = { name, scopes, ipAllowlist, expiresAt };
    refuseExcess(isDone ? null : excessOf(terms, asking), 'key_id');
    const successor = await this.make(terms, call, input.overlap_hours > 0, id);
    if (call.dryRun) return successor;
    const end = endOfRolled(expiresAt, input.overlap_hours, this.keys.now());
    if (!isDone) await this.end(old, id, end, call);
    await this.told(old._id, call);
    return successor;
  }

  async revoke({ account_id, key_id }: ParsedOf<typeof revokeKey>, call: Call): Promise<ApiKey> {
    requireOwnAccount(account_id, call);
    if (key_id !== call.principal.keyId) await this.getAskingKey(call);
    const key = await this.getOwned(call, key_id);
    const revokedAt = key.revokedAt ?? this.keys.now();
    if (call.dryRun) return apiKeyOf({ ...key, revokedAt }, this.keys.now());
    if (!key.revokedAt) await this.keys.markChanged(call, key_id, { revokedAt });
    return this.told(key_id, call);
  }

  private async end(old: KeyDocument, successorId: string, end: Date, call: Call): Promise<void> {
    if (await this.keys.markRolled(call, old._id, successorId, end)) return;
    // Another run of this very work may have been the one.
    if ((await this.getOwned(call, old._id)).rolledTo === successorId) return;
    await this.keys.discard(call.principal.env, successorId);
    throw new AppError('invalid_state');
  }

  /** The key as it is now, once all gateways have been told of it. */
  private async told(id: string, call: Call): Promise<ApiKey> {
    const key = await this.getOwned(call, id);
    await this.news.tell(call.principal.env, key);
    return apiKeyOf(key, this.keys.now());
  }

  private async make(terms: NewTerms, call: Call, isCounted: boolean, id = call.newId('key')): Promise<ApiKeyWithText> {
    const { env, accountId } = call.principal;
    const { text, verifier } = this.secrets.make(env, id);
    const key = newKey({ id, accountId }, terms, verifier);
    const room = MOST_ACTIVE_KEYS - (call.dryRun ? 1 : 0);
    if (!call.dryRun) await this.store(key, { text, verifier }, call);
    // Counted with the new one in it, so that of any number who race for the last place none is one too many.
    if (isCounted && (await this.keys.countActive(call, MOST_ACTIVE_KEYS + 1)) > room) {
      if (!call.dryRun) await this.keys.discard(env, id);
      throw new AppError('limit_reached');
    }
    return { ...apiKeyOf(key, this.keys.now()), key: call.dryRun ? null : text };
  }

  /**
   * Stores a key. One of that id was made by an earlier run of this work, which told nobody its text: it gets this secret.
   * Whoever is late may have been overtaken meanwhile by a run whose text has been told, and changes nothing.
   */
  private async store(key: KeyDocument, { verifier }: FreshSecret, call: Call): Promise<void> {
    const { env } = call.principal;
    if (await this.keys.insert(env, key)) return;
    const known = await this.keys.findById(env, key._id);
    if (!known || call.deadline.expired || !(await this.keys.markRehashed(env, known, verifier)))
      throw new AppError('change_in_progress', { retryAfterSeconds: 1 });
  }

  private async getOwned(call: Call, id: string): Promise<KeyDocument> {
    const key = await this.keys.findOwned(call, id);
    if (!key) throw new AppError('resource_not_found');
    return key;
  }

  /** The key that asks, as it is now: what a gateway remembers of it may be a minute old, and is too old for this. */
  private async getAskingKey(call: Call): Promise<KeyDocument> {
    const key = await this.keys.findOwned(call, call.principal.keyId);
    const refusal = key ? refusalOfKey(key, this.keys.now()) : 'unknown_key';
    if (refusal) throw new AppError(refusal);
    return key!;
  }

  private requireActive(key: KeyDocument): void {
    if (statusOfKey(key, this.keys.now()) !== 'active') throw new AppError('invalid_state');
  }

  private requireUnrolled(key: KeyDocument): void {
    this.requireActive(key);
    if (key.rolledTo) throw new AppError('invalid_state', { details: { replaced_by: key.rolledTo } });
  }
}

function refuseExcess(excess: Excess | null, field?: string): void {
  if (excess === null) return;
  if (excess.term !== 'scopes') throw new AppError('out_of_range', { field: field ?? excess.term });
  const { scope } = excess;
  throw new AppError('missing_scope', { message: `This API key lacks the scope ${scope}.`, details: { scope } });
}
