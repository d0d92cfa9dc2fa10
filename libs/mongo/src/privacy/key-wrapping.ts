import type { Environment } from '@swim/contracts';
import type { MasterKeys, WrappedKey } from '@swim/platform';

/** Injection token of a service's `KeyWrapping`. */
export const KEY_WRAPPING = Symbol('key wrapping');

/** The owner of a key, a member or an account itself; and its account. */
export interface KeyOwner {
  id: string;
  accountId: string;
}

/** Encrypts data keys. */
export interface KeyWrapping {
  /** Name of the master key, when it wraps the keys directly. */
  readonly master?: string;
  wrap(env: Environment, owner: KeyOwner, key: Buffer): Promise<WrappedKey>;
  /** Null when the wrapping key is destroyed. */
  unwrap(env: Environment, owner: KeyOwner, wrapped: WrappedKey): Promise<Buffer | null>;
}

const contextOf = (env: Environment, { id }: KeyOwner): string => `${env}:${id}:data-key`;

/** Wraps data keys directly with the service's master keys. */
export const underMasterKeys = (masters: MasterKeys): KeyWrapping => ({
  master: masters.current,
  wrap: async (env, owner, key) => masters.wrap(key, contextOf(env, owner)),
  unwrap: async (env, owner, wrapped) => masters.unwrap(wrapped, contextOf(env, owner)),
});
