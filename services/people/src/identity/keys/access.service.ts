import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { type OutputOf, type ParsedOf, readClock, type Scope, verifyKey } from '@swim/contracts';
import { Serve } from '@swim/messaging';
import { AppError, currentEnvironment, LOGGER, type Logger, sharedClock } from '@swim/platform';
import { AccountsService } from '../accounts/accounts.service.js';
import { AccessRepository } from './access.repository.js';
import { endedKeyReason, isUseWorthNoting, rollRepeatedUntil } from './key.rules.js';
import { type KeyDocument, newKey } from './key.schema.js';
import { KeySecretsService } from './key-secrets.service.js';

/** A key to store. */
export interface NewKey {
  id: string;
  accountId: string;
  name: string;
  scopes: Scope[];
  /** 256 random bits. */
  secretBytes: Buffer;
}

/** Verifies API keys. */
@Injectable()
export class AccessService implements BeforeApplicationShutdown {
  private readonly noting = new Set<Promise<void>>();

  constructor(
    private readonly keys: AccessRepository,
    private readonly secrets: KeySecretsService,
    private readonly accounts: AccountsService,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Serve(readClock)
  async readClock(): Promise<OutputOf<typeof readClock>> {
    return { now: sharedClock.now().toISOString() };
  }

  /** Only a request with the right secret learns whether the key is revoked or expired. */
  @Serve(verifyKey)
  async verify({ keyId, digest }: ParsedOf<typeof verifyKey>): Promise<OutputOf<typeof verifyKey>> {
    const key = await this.keys.findById(keyId);
    if (!this.secrets.opens(key, digest)) throw new AppError('unknown_key');
    const now = this.keys.now();
    const rejection = endedKeyReason(key, now);
    const repeatedUntil = rejection === 'expired_key' ? rollRepeatedUntil(key) : null;
    if (rejection && !(repeatedUntil && now < repeatedUntil)) throw new AppError(rejection);
    const account = await this.accounts.findFacts(key.accountId);
    if (!account) throw new AppError('unknown_key');
    if (account.isErased) throw new AppError('revoked_key');
    const closing = account.erasesAt?.toISOString();
    this.note(this.noteUse(key, digest, now));
    return {
      principal: {
        accountId: account.id,
        kind: account.kind,
        env: currentEnvironment(),
        keyId,
        scopes: key.scopes,
        ...(closing === undefined ? {} : { closing }),
        ...(repeatedUntil === null ? {} : { mayOnlyRepeatRoll: true as const }),
      },
      expiresAt: (repeatedUntil ?? key.expiresAt)?.toISOString() ?? null,
      ipAllowlist: key.ipAllowlist,
    };
  }

  /** Stores a key with a known secret and returns its text. An existing key of that id gets this secret and these scopes. */
  async keep({ id, accountId, name, scopes, secretBytes }: NewKey): Promise<string> {
    const { text, verifier } = this.secrets.make(id, secretBytes);
    const terms = { name, scopes, ipAllowlist: [], expiresAt: null, madeBy: null };
    if (await this.keys.insert(newKey({ id, accountId }, terms, verifier))) return text;
    const known = await this.keys.findById(id);
    const isSame = known?.hash === verifier.hash && known.scopes.join() === scopes.join();
    if (known && !isSame) await this.keys.markRehashed(known, { ...verifier, scopes });
    return text;
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.noting);
  }

  // Outside the request, which does not wait; a failure to record a use is only logged.
  private note(writing: Promise<void>): void {
    const work: Promise<void> = writing
      .catch((error) => this.logger.warn({ err: error }, 'use of a key not recorded'))
      .finally(() => this.noting.delete(work));
    this.noting.add(work);
  }

  private async noteUse(key: KeyDocument, digest: string, now: Date): Promise<void> {
    if (isUseWorthNoting(key.lastUsedAt, now)) await this.keys.markUsed(key, now);
    const renewed = this.secrets.renewed(key, digest);
    if (renewed) await this.keys.markRehashed(key, renewed);
  }
}
