import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Metadata } from '@swim/contracts';
import { DataKeys, type KeyOwner } from '@swim/mongo';
import { AppError, Cipher } from '@swim/platform';
import { AccountKeys } from './account-keys.service.js';

/** The place that a ciphertext is bound to: with another member or field it does not decrypt. */
export interface Place {
  memberId: string;
  field: 'medical_notes' | 'emergency_contact' | 'metadata' | 'progress_note' | 'answer';
  /** Distinguishes several of a kind; absent where there is one of it. */
  id?: string | undefined;
}

/** Encrypts and decrypts the personal data of one member. */
export class Vault {
  constructor(
    private readonly accountId: string,
    /** Null when the member has no key: then nothing can be decrypted. */
    private readonly cipher: Cipher | null,
    /** The account's key, which makes tokens. */
    private readonly account: Cipher | null,
  ) {}

  /** The ciphertext to store. */
  seal(text: string, place: Place): string {
    if (!this.cipher) throw new Error('This vault only opens.');
    return this.cipher.seal(text, this.context(place)).toString('base64');
  }

  /** The text; null for null, and when the key is destroyed. */
  open(sealed: string | null, place: Place): string | null {
    if (sealed === null) return null;
    return this.cipher?.open(Buffer.from(sealed, 'base64'), this.context(place)).toString() ?? null;
  }

  /** Tokens of metadata: equal for equal entries of all members of the account. None without a key of the account. */
  tokensOf(metadata: Metadata): string[] {
    const { account } = this;
    return account === null ? [] : Object.entries(metadata).map((entry) => account.token(JSON.stringify(entry)));
  }

  private context({ memberId, field, id }: Place): string {
    return [this.accountId, memberId, field, ...(id === undefined ? [] : [id])].join(':');
  }
}

/** One key per member, wrapped by the key of its account, which is wrapped by a master key. */
@Injectable()
export class PrivacyService {
  constructor(
    private readonly keys: DataKeys,
    private readonly accounts: AccountKeys,
  ) {}

  /** For reading. */
  async vaultOf(owner: KeyOwner): Promise<Vault> {
    const [cipher, account] = await Promise.all([this.keys.find(owner), this.accounts.find(owner.accountId)]);
    return new Vault(owner.accountId, cipher, account);
  }

  /** For writing: creates the key of a member without one; a dry run does not store it. An erased member is not found. */
  async writableVaultOf(owner: KeyOwner, dryRun: boolean): Promise<Vault> {
    const kept = dryRun ? await this.keys.find(owner) : await this.keys.obtain(owner);
    const cipher = kept ?? (dryRun ? new Cipher(randomBytes(32)) : null);
    if (!cipher) throw new AppError('resource_not_found');
    return new Vault(owner.accountId, cipher, await this.accounts.find(owner.accountId));
  }

  /** Tokens of metadata, as the documents of the account's members have them. */
  async tokensOf(accountId: string, metadata: Metadata): Promise<string[]> {
    const account = await this.accounts.find(accountId);
    const tokens = new Vault(accountId, null, account).tokensOf(metadata);
    // Without a key of the account none of its members has metadata; an empty text is no token.
    return tokens.length > 0 ? tokens : [''];
  }

  /** Destroys the key of an erased member. Idempotent. */
  async forget(memberId: string): Promise<void> {
    await this.keys.destroy(memberId);
  }

  /** Destroys the keys of an account and of its members: data that they encrypted are unreadable. Idempotent. */
  async forgetAccount(accountId: string): Promise<void> {
    await this.keys.destroy(accountId);
    await this.accounts.destroy(accountId);
  }
}
