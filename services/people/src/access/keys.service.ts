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
import {
  type Excess,
  endOfNew,
  endOfRolled,
  excessOf,
  type KeyTerms,
  MOST_ACTIVE_KEYS,
  refusalOfKey,
  statusOfKey,
} from './key.rules.js';
import { type KeyDocument, type KeyRights, type NewTerms, newKey } from './key.schema.js';
import { KeyNewsService } from './key-news.service.js';
import { KeySecretsService } from './key-secrets.service.js';

const MOST_TRIES = 12;

const inProgress = () => new AppError('change_in_progress', { retryAfterSeconds: 1 });

/** A key to be made. */
interface Wanted {
  id: string;
  terms: NewTerms;
  /** Whether it takes one of the account's places. */
  isCounted: boolean;
}

/** A key as it is stored, with its text; a dry run has neither. */
interface MadeKey {
  key: KeyDocument;
  text: string | null;
}

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
    const id = call.newId('key');
    const made = await untilUndisturbed(() => this.createOnce(input, id, call));
    return this.shownOnce(made);
  }

  async update({ account_id, key_id, changes }: ParsedOf<typeof updateKey>, call: Call): Promise<ApiKey> {
    requireOwnAccount(account_id, call);
    const { name, scopes, ip_allowlist: ipAllowlist } = changes;
    const set = given({ name, scopes, ipAllowlist });
    const changed = await untilUndisturbed(() => this.changeOnce(key_id, set, call));
    return call.dryRun ? apiKeyOf(changed, this.keys.now()) : this.told(key_id, call);
  }

  /** First the successor, then the end of the old key: what a crash leaves between is a key that nobody knows. */
  async roll(input: ParsedOf<typeof rollKey>, call: Call): Promise<ApiKeyWithText> {
    requireOwnAccount(input.account_id, call);
    const id = call.newId('key');
    const made = await untilUndisturbed(() => this.rollOnce(input, id, call));
    if (!call.dryRun) await this.told(input.key_id, call);
    return this.shownOnce(made);
  }

  async revoke({ account_id, key_id }: ParsedOf<typeof revokeKey>, call: Call): Promise<ApiKey> {
    requireOwnAccount(account_id, call);
    if (key_id !== call.principal.keyId) await this.getAskingKey(call);
    const key = await this.getOwned(call, key_id);
    const revokedAt = key.revokedAt ?? this.keys.now();
    if (call.dryRun) return apiKeyOf({ ...key, revokedAt }, this.keys.now());
    if (!key.revokedAt) await this.keys.markRevoked(call, key_id, revokedAt);
    return this.told(key_id, call);
  }

  private async createOnce(input: ParsedOf<typeof createKey>, id: string, call: Call): Promise<MadeKey | null> {
    const asking = await this.getAskingKey(call);
    const terms: NewTerms = {
      name: input.name,
      scopes: input.scopes ?? asking.scopes,
      ipAllowlist: input.ip_allowlist ?? asking.ipAllowlist,
      expiresAt: endOfNew(input.expires_at, asking.expiresAt),
    };
    if (terms.expiresAt && terms.expiresAt <= this.keys.now()) throw new AppError('in_past', { field: 'expires_at' });
    refuseExcess(excessOf(terms, asking));
    return this.make({ id, terms, isCounted: true }, call);
  }

  private async changeOnce(id: string, set: Partial<KeyRights>, call: Call): Promise<KeyDocument | null> {
    const asking = await this.getAskingKey(call);
    // A key that changes itself is judged by the very revision that it changes.
    const key = id === asking._id ? asking : await this.getOwned(call, id);
    this.requireActive(key);
    refuseExcess(excessOf(set, asking));
    if (call.dryRun) return { ...key, ...set };
    if (!(await this.keys.markChanged(call, key, set))) return null;
    if (key === asking || (await this.mayStillGive(set, call))) return key;
    await this.keys.markRestored(call, key, set);
    await this.told(id, call);
    return null;
  }

  private async rollOnce(
    { key_id, overlap_hours }: ParsedOf<typeof rollKey>,
    id: string,
    call: Call,
  ): Promise<MadeKey | null> {
    const asking = await this.getAskingKey(call);
    const old = await this.getOwned(call, key_id);
    const { name, scopes, ipAllowlist, expiresAt } = old;
    const terms = { name, scopes, ipAllowlist, expiresAt };
    if (old.rolledTo === id && !call.dryRun) return this.finish(id, terms, call);
    this.requireUnrolled(old);
    refuseExcess(excessOf(terms, asking), 'key_id');
    const made = await this.make({ id, terms, isCounted: overlap_hours > 0 }, call);
    if (!made || call.dryRun) return made;
    const end = endOfRolled(expiresAt, overlap_hours, this.keys.now());
    if (await this.keys.markRolled(call, old, id, end)) return made;
    // Another run of this very work may have been the one.
    if ((await this.getOwned(call, key_id)).rolledTo === id) return made;
    await this.keys.discard(call.principal.env, made.key);
    return null;
  }

  /** A successor whose old key has got its end already: all that is left to do is to tell its text. */
  private async finish(id: string, terms: NewTerms, call: Call): Promise<MadeKey> {
    const made = await this.store(id, terms, call);
    const { scopes, ipAllowlist } = made.key;
    // Of the ends nothing can be told any more: the key that asks may be the old one.
    refuseExcess(excessOf({ scopes, ipAllowlist }, await this.getAskingKey(call)), 'key_id');
    return made;
  }

  /** The key as it is now, once all gateways have been told of it. */
  private async told(id: string, call: Call): Promise<ApiKey> {
    const key = await this.getOwned(call, id);
    await this.news.tell(call.principal.env, key);
    return apiKeyOf(key, this.keys.now());
  }

  /** Makes a key; null when it had to be taken back, since it has more than these terms, or than may be given now. */
  private async make({ id, terms, isCounted }: Wanted, call: Call): Promise<MadeKey | null> {
    const { env, accountId } = call.principal;
    const made = call.dryRun ? null : await this.store(id, terms, call);
    const room = MOST_ACTIVE_KEYS - (call.dryRun ? 1 : 0);
    // Counted with the new one in it, so that of any number who race for the last place none is one too many.
    if (isCounted && (await this.keys.countActive(call, MOST_ACTIVE_KEYS + 1)) > room) {
      if (made) await this.keys.discard(env, made.key);
      throw new AppError('limit_reached');
    }
    if (!made) return { key: newKey({ id, accountId }, terms, this.secrets.make(env, id).verifier), text: null };
    // Whoever narrows or ends the key that asks either sees the new one, or is seen here.
    if (!excessOf(made.key, terms) && (await this.mayStillGive(made.key, call))) return made;
    await this.keys.discard(env, made.key);
    return null;
  }

  /**
   * Stores a key. One of that id was made by an earlier run of this work, which told nobody its text: it gets this secret.
   * Whoever is late may have been overtaken meanwhile by a run whose text has been told, and changes nothing.
   */
  private async store(id: string, terms: NewTerms, call: Call): Promise<MadeKey> {
    const { env, accountId } = call.principal;
    const { text, verifier } = this.secrets.make(env, id);
    const key = newKey({ id, accountId }, terms, verifier);
    if (await this.keys.insert(env, key)) return { key, text };
    const known = await this.keys.findById(env, id);
    if (!known || call.deadline.expired || !(await this.keys.markRehashed(env, known, verifier))) throw inProgress();
    return { key: { ...known, ...verifier }, text };
  }

  private async mayStillGive(terms: Partial<KeyTerms>, call: Call): Promise<boolean> {
    const asking = await this.keys.findOwned(call, call.principal.keyId);
    return asking !== null && !refusalOfKey(asking, this.keys.now()) && !excessOf(terms, asking);
  }

  private shownOnce({ key, text }: MadeKey): ApiKeyWithText {
    return { ...apiKeyOf(key, this.keys.now()), key: text };
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

/** What the work answers as soon as nothing has come in between, which is what its null says. Throws `change_in_progress`. */
async function untilUndisturbed<T>(work: () => Promise<T | null>): Promise<T> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const done = await work();
    if (done !== null) return done;
  }
  throw inProgress();
}

function refuseExcess(excess: Excess | null, field?: string): void {
  if (excess === null) return;
  if (excess.term !== 'scopes') throw new AppError('out_of_range', { field: field ?? excess.term });
  const { scope } = excess;
  throw new AppError('missing_scope', { message: `This API key lacks the scope ${scope}.`, details: { scope } });
}
