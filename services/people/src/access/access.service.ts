import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import type { Environment, OutputOf, ParsedOf, Scope, verifyKey } from '@swim/contracts';
import { LOGGER } from '@swim/messaging';
import { AppError, formatApiKey, hashKeySecret, type Logger, parseApiKey, sameHash, timeOfId } from '@swim/platform';
import { AccountsService } from '../accounts/accounts.service.js';
import { config } from '../config.js';
import { AccessRepository } from './access.repository.js';
import { isUseWorthNoting, refusalOfKey } from './key.rules.js';
import type { KeyDocument } from './key.schema.js';

/** A key to be kept. */
export interface NewKey {
  id: string;
  accountId: string;
  name: string;
  scopes: Scope[];
  /** 256 random bits. */
  secretBytes: Buffer;
}

const PEPPERS: ReadonlyMap<number, Buffer> = new Map([[1, config.KEY_PEPPER]]);
const CURRENT_PEPPER = 1;

function pepperOf(version: number): Buffer {
  const pepper = PEPPERS.get(version);
  if (!pepper) throw new Error(`There is no pepper of version ${version}.`);
  return pepper;
}

/** API keys: whom they speak for, and whether they still may. */
@Injectable()
export class AccessService implements BeforeApplicationShutdown {
  private readonly noting = new Set<Promise<void>>();

  constructor(
    private readonly keys: AccessRepository,
    private readonly accounts: AccountsService,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Only who knows the secret learns whether the key is revoked or expired. */
  async verify({ keyId, secret, env }: ParsedOf<typeof verifyKey>): Promise<OutputOf<typeof verifyKey>> {
    const key = await this.keys.findById(env, keyId);
    if (!opens(key, secret)) throw new AppError('unknown_key');
    const now = this.keys.now();
    const refusal = refusalOfKey(key, now);
    if (refusal) throw new AppError(refusal);
    const account = await this.accounts.findFacts(env, key.accountId);
    if (!account) throw new AppError('unknown_key');
    this.noteUse(env, key, now);
    return {
      principal: { accountId: account.id, kind: account.kind, env, keyId, scopes: key.scopes },
      expiresAt: key.expiresAt?.toISOString() ?? null,
      ipAllowlist: key.ipAllowlist,
    };
  }

  /** Keeps a key whose secret is known here and answers its text. One of that id keeps its rights and gets this secret. */
  async keep(env: Environment, { id, accountId, name, scopes, secretBytes }: NewKey): Promise<string> {
    const text = formatApiKey(env, id, secretBytes);
    const hash = hashKeySecret(parseApiKey(text)!.secret, pepperOf(CURRENT_PEPPER)).toString('base64');
    const verifier = { hash, pepperVersion: CURRENT_PEPPER, last4: text.slice(-4) };
    const inserted = await this.keys.insert(env, {
      _id: id,
      accountId,
      readers: [accountId],
      name,
      ...verifier,
      scopes,
      expiresAt: null,
      revokedAt: null,
      ipAllowlist: [],
      lastUsedAt: null,
      createdAt: timeOfId(id),
    });
    if (!inserted) await this.keys.markRehashed(env, id, verifier);
    return text;
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.noting);
  }

  // Off the path: nobody waits for it, and a use that could not be noted is no failure.
  private noteUse(env: Environment, key: KeyDocument, now: Date): void {
    if (!isUseWorthNoting(key.lastUsedAt, now)) return;
    const work: Promise<void> = this.keys
      .markUsed(env, key, now)
      .catch((error) => this.logger.warn({ err: error }, 'use of a key not noted'))
      .finally(() => this.noting.delete(work));
    this.noting.add(work);
  }
}

// An unknown id costs the same hash and comparison as a wrong secret.
function opens(key: KeyDocument | null, secret: string): key is KeyDocument {
  const hash = hashKeySecret(secret, pepperOf(key?.pepperVersion ?? CURRENT_PEPPER));
  return sameHash(hash, key ? Buffer.from(key.hash, 'base64') : Buffer.alloc(hash.length)) && key !== null;
}
