import type { MasterKeys, WrappedKey } from '@swim/platform';
import { currentEnvironment } from '@swim/platform';

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
  wrap(owner: KeyOwner, key: Buffer): Promise<WrappedKey>;
  /** Null when the wrapping key is destroyed. */
  unwrap(owner: KeyOwner, wrapped: WrappedKey): Promise<Buffer | null>;
}

const contextOf = ({ id }: KeyOwner): string => `${currentEnvironment()}:${id}:data-key`;

/** Wraps data keys directly with the service's master keys. */
export const underMasterKeys = (masters: MasterKeys): KeyWrapping => ({
  get master() {
    return masters.current;
  },
  wrap: async (owner, key) => masters.wrap(key, contextOf(owner)),
  unwrap: async (owner, wrapped) => masters.unwrap(wrapped, contextOf(owner)),
});
