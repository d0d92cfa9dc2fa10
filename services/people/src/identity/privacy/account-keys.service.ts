import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Environment } from '@swim/contracts';
import type { KeyOwner, KeyWrapping } from '@swim/mongo';
import { Cipher, currentEnvironment, MasterKeys, type WrappedKey } from '@swim/platform';
import { PrivacyRepository } from './privacy.repository.js';

/** Encryption context of an account's key: binds it to the account and environment. */
export const dataKeyContext = (env: Environment, accountId: string): string => `${env}:${accountId}:data-key`;

const memberKeyContext = ({ id, accountId }: KeyOwner): string =>
  `${currentEnvironment()}:${accountId}:${id}:member-key`;

/** One key per account, wrapped by a master key; it wraps the keys of the account's members, which are lost with it. */
@Injectable()
export class AccountKeys implements KeyWrapping {
  constructor(
    private readonly keys: PrivacyRepository,
    private readonly masters: MasterKeys,
  ) {}

  /** Null when the account has no key. */
  async find(accountId: string): Promise<Cipher | null> {
    const wrapped = await this.keys.findWrapped(accountId);
    return wrapped === null ? null : this.unwrapped(accountId, wrapped);
  }

  async wrap(owner: KeyOwner, key: Buffer): Promise<WrappedKey> {
    const { accountId } = owner;
    const fresh = () => this.masters.wrap(randomBytes(32), dataKeyContext(currentEnvironment(), accountId));
    const wrapped = (await this.keys.findWrapped(accountId)) ?? (await this.keys.insertFirst(accountId, fresh()));
    const cipher = this.unwrapped(accountId, wrapped);
    return { wrapped: cipher.seal(key, memberKeyContext(owner)).toString('base64') };
  }

  async unwrap(owner: KeyOwner, { wrapped }: WrappedKey): Promise<Buffer | null> {
    const cipher = await this.find(owner.accountId);
    return cipher?.open(Buffer.from(wrapped, 'base64'), memberKeyContext(owner)) ?? null;
  }

  /** Destroys the key of an account: those of its members can no longer be unwrapped. Idempotent. */
  destroy(accountId: string): Promise<void> {
    return this.keys.destroy(accountId);
  }

  private unwrapped(accountId: string, wrapped: WrappedKey): Cipher {
    return new Cipher(this.masters.unwrap(wrapped, dataKeyContext(currentEnvironment(), accountId)));
  }
}
