import type { Environment } from '@swim/contracts';
import type { MasterKeys, WrappedKey } from '@swim/platform';

/** Injection token of how a service's data keys are themselves encrypted. */
export const KEY_WRAPPING = Symbol('key wrapping');

/** Whose key it is: a member, or an account itself; and the account that it belongs to. */
export interface KeyOwner {
  id: string;
  accountId: string;
}

/** How data keys are themselves encrypted. */
export interface KeyWrapping {
  /** Name of the master key that wraps, where there is nothing between. */
  readonly master?: string;
  wrap(env: Environment, owner: KeyOwner, key: Buffer): Promise<WrappedKey>;
  /** Null when the key above it is gone. */
  unwrap(env: Environment, owner: KeyOwner, wrapped: WrappedKey): Promise<Buffer | null>;
}

const contextOf = (env: Environment, { id }: KeyOwner): string => `${env}:${id}:data-key`;

/** Data keys right beneath the master keys of the service. */
export const underMasterKeys = (masters: MasterKeys): KeyWrapping => ({
  master: masters.current,
  wrap: async (env, owner, key) => masters.wrap(key, contextOf(env, owner)),
  unwrap: async (env, owner, wrapped) => masters.unwrap(wrapped, contextOf(env, owner)),
});
