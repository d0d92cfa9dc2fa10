import { randomBytes } from 'node:crypto';
import {
  type ApiKeyWithText,
  createKey,
  type InputOf,
  type KeyInvalidation,
  type Principal,
  SCOPES,
  verifyKey,
} from '@swim/contracts';
import { inEnvironment, newId, parseApiKey } from '@swim/platform';
import { collectMessages, type RequestOptions } from '@swim/testing';
import { type PeopleHarness, startPeople } from './harness.js';

/** The stored fields of a key that tests read. */
export interface StoredKey {
  _id: string;
  hash: string;
  pepperVersion: number;
  expiresAt: Date | null;
  revokedAt: Date | null;
  rolledTo: string | null;
  invalidations: number;
  unpublishedSince?: Date;
}

/** The people service, a key of the school's and one of the family's with all scopes, and the published key invalidations. */
export interface KeyHarness extends PeopleHarness {
  /** The school, with a stored key. */
  owner: Principal;
  ownerOfFamily: Principal;
  invalidations: KeyInvalidation[];
  stored(): ReturnType<typeof storedKeys>;
  mint(
    input?: Partial<Omit<InputOf<typeof createKey>, 'account_id'>>,
    principal?: Principal,
    options?: RequestOptions,
  ): Promise<ApiKeyWithText>;
  /** The response that a gateway gets for this text. */
  verify(text: string | null): Promise<{ principal: Principal; expiresAt: string | null; ipAllowlist: string[] }>;
}

const storedKeys = (people: PeopleHarness) => people.harness.database('people_test').collection<StoredKey>('api_keys');

/** The same account with a key of its own, with all scopes. */
export async function withKey(people: PeopleHarness, principal: Principal): Promise<Principal> {
  const { AccessService } = await import('../src/identity/keys/access.service.js');
  const access = people.service.app.get(AccessService, { strict: false });
  const { env, accountId } = principal;
  const id = newId('key');
  const key = { id, accountId, name: 'First', scopes: [...SCOPES], secretBytes: randomBytes(32) };
  await inEnvironment(env, () => access.keep(key));
  return { ...principal, keyId: id, scopes: [...SCOPES] };
}

export async function startKeys(): Promise<KeyHarness> {
  const people = await startPeople();
  const invalidations = await collectMessages<KeyInvalidation>(people.harness.connection, 'keys.test.>');
  const owner = await withKey(people, people.school);
  return {
    ...people,
    owner,
    ownerOfFamily: await withKey(people, people.family),
    invalidations,
    stored: () => storedKeys(people),
    mint: (input, principal = owner, options = {}) =>
      people.harness.call(
        createKey,
        { account_id: principal.accountId, name: 'Shop', ...input },
        { principal, ...options },
      ),
    verify: (text) => people.harness.call(verifyKey, parseApiKey(text!)!),
  };
}
