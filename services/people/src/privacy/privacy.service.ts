import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Environment } from '@swim/contracts';
import { Cipher } from '@swim/platform';
import { MasterKeys, type WrappedKey } from './master-keys.js';
import { PrivacyRepository } from './privacy.repository.js';

/** Where a value belongs: moved to another member or field it does not open. */
export interface Place {
  memberId: string;
  field: 'medical_notes' | 'emergency_contact' | 'progress_note' | 'answer';
}

/** Encrypts and decrypts the personal data of one account. */
export class Vault {
  constructor(
    private readonly accountId: string,
    /** Null when the account has no key: then there is nothing that could be opened. */
    private readonly cipher: Cipher | null,
  ) {}

  /** Base64 of the sealed text. */
  seal(text: string, place: Place): string {
    if (!this.cipher) throw new Error('This vault only opens.');
    return this.cipher.seal(text, this.context(place)).toString('base64');
  }

  /** The text; null for nothing, and when the key is gone. */
  open(sealed: string | null, place: Place): string | null {
    if (sealed === null || !this.cipher) return null;
    return this.cipher.open(Buffer.from(sealed, 'base64'), this.context(place)).toString();
  }

  private context({ memberId, field }: Place): string {
    return `${this.accountId}:${memberId}:${field}`;
  }
}

/** A key of its own for each account, wrapped by a master key. */
@Injectable()
export class PrivacyService {
  constructor(
    private readonly keys: PrivacyRepository,
    private readonly masters: MasterKeys,
  ) {}

  /** For reading. */
  async vaultOf(env: Environment, accountId: string): Promise<Vault> {
    const wrapped = await this.keys.findWrapped(env, accountId);
    return new Vault(accountId, wrapped === null ? null : this.unwrap(env, accountId, wrapped));
  }

  /** For writing: an account without a key gets one, which a dry run only pretends to keep. */
  async writableVaultOf(env: Environment, accountId: string, dryRun: boolean): Promise<Vault> {
    const fresh = () => this.masters.wrap(randomBytes(32), dataKeyContext(env, accountId));
    let wrapped = await this.keys.findWrapped(env, accountId);
    wrapped ??= dryRun ? fresh() : await this.keys.insertFirst(env, accountId, fresh());
    return new Vault(accountId, this.unwrap(env, accountId, wrapped));
  }

  private unwrap(env: Environment, accountId: string, wrapped: WrappedKey): Cipher {
    return new Cipher(this.masters.unwrap(wrapped, dataKeyContext(env, accountId)));
  }
}

/** Ties a data key to its account and environment. */
export const dataKeyContext = (env: Environment, accountId: string): string => `${env}:${accountId}:data-key`;
