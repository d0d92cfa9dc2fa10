import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { grants, type Operation } from '@swim/contracts';
import { type MasterKeySettings, masterKeysOf, type RequestContext } from '@swim/platform';

/** The identity of a request under one master key. */
export interface Identity {
  key: KeyObject;
  /** Id of the record: derived from environment, account, operation and write key. */
  id: string;
  /** Digest of the content: a key is not used again with another one. */
  fingerprint: string;
}

/** The identities of a request, one for each master key; the first is that of the current key. */
export function identitiesOf(
  operation: Operation,
  context: RequestContext,
  settings: MasterKeySettings,
): [Identity, ...Identity[]] {
  const { env, accountId, scopes } = context.principal;
  // Some answers contain more with a certain scope: they are not replayed to a key without it, nor the other way round.
  const { reveals } = operation;
  const revealed = reveals && grants(scopes, reveals) ? [reveals] : [];
  const identityUnder = (secret: Buffer): Identity => {
    const key = keyOf(secret);
    const digest = (text: string) => createHmac('sha256', key).update(text).digest('base64url');
    return {
      key,
      id: digest(`${env}|${accountId}|${operation.name}|${context.writeKey}`),
      fingerprint: digest([operation.name, context.fingerprint, ...revealed].join('|')),
    };
  };
  const [current, ...alsoRead] = masterKeysOf(settings);
  return [identityUnder(current), ...alsoRead.map(identityUnder)];
}

const keys = new WeakMap<Buffer, KeyObject>();

// Node takes longer to import a key than to use it.
function keyOf(secret: Buffer): KeyObject {
  const key = keys.get(secret) ?? createSecretKey(secret);
  keys.set(secret, key);
  return key;
}
