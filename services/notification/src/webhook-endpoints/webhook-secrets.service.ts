import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { DataKeys } from '@swim/mongo';
import { AppError, type Cipher, isOwnWork, LOGGER, type Logger, type RequestContext } from '@swim/platform';
import type { WebhookEndpointDocument, WebhookSecret } from './webhook-endpoint.schema.js';

const SECRET_BYTES = 32;
const SECRET_PREFIX = 'whsec_';
/** For so long a replaced secret signs beside its successor (contract, Events and webhooks). */
const OVERLAP_MS = 24 * 3_600_000;
// After several rotations within a day, only so many former secrets still sign.
const MOST_FORMER = 4;

type OfEndpoint = Pick<WebhookEndpointDocument, '_id' | 'accountId'>;

/** A new secret: its text, and as it is stored. */
export interface MadeSecret {
  text: string;
  stored: WebhookSecret;
}

const contextOf = ({ _id, accountId }: OfEndpoint) => `${accountId}:${_id}:webhook-secret`;
// MongoDB returns its own type for bytes.
const bytesOf = ({ sealed }: Pick<WebhookSecret, 'sealed'>): Buffer =>
  Buffer.isBuffer(sealed) ? sealed : Buffer.from((sealed as { buffer: Uint8Array }).buffer);

/** Makes, encrypts and decrypts signing secrets: `whsec_` and 32 random bytes in base64 (Standard Webhooks 1.0). */
@Injectable()
export class WebhookSecretsService {
  constructor(
    private readonly keys: DataKeys,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** A new secret for an endpoint. `resource_not_found` once the account is erased. */
  async make(endpoint: OfEndpoint, { opId, opSeed }: RequestContext): Promise<MadeSecret> {
    const cipher = await this.keys.obtain(ownerOf(endpoint));
    if (!cipher) throw new AppError('resource_not_found');
    const text = `${SECRET_PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`;
    return { text, stored: { sealed: cipher.seal(text, contextOf(endpoint)), until: null, op: opId, seed: opSeed } };
  }

  /**
   * The text of the secret that the request has made, which may be replaced by now: by default the current one. Null once it signs no
   * more, or the account is erased.
   */
  async madeBy(context: RequestContext, endpoint: WebhookEndpointDocument): Promise<string | null> {
    const isOwn = ({ op, seed }: WebhookSecret) => isOwnWork(context, { opId: op, opSeed: seed });
    const made = context.opId === null ? endpoint.secrets[0] : endpoint.secrets.find(isOwn);
    const cipher = await this.keys.find(ownerOf(endpoint));
    return made && cipher ? textOf(cipher, endpoint, made) : null;
  }

  /** The keys of all secrets that sign at an instant, the current one first; none once the account is erased. */
  async signingKeys(endpoint: WebhookEndpointDocument, now: Date): Promise<KeyObject[]> {
    const cipher = await this.keys.find(ownerOf(endpoint));
    if (!cipher) return [];
    const valid = endpoint.secrets.filter(({ until }) => !until || until > now);
    return valid.map((secret) => signingKeyOf(textOf(cipher, endpoint, secret)));
  }

  /** Encrypts what a receiver answered to a delivery; null once the account is erased. */
  async sealResponse(delivery: { id: string; accountId: string }, text: string): Promise<Buffer | null> {
    const cipher = await this.keys.find(ownerOf(delivery));
    return cipher?.seal(text, placeOf(delivery)) ?? null;
  }

  /** Decrypts what receivers answered to a delivery; null for what cannot be decrypted, so that the rest is shown. */
  async openerOf({
    _id: id,
    accountId,
  }: {
    _id: string;
    accountId: string;
  }): Promise<(sealed: Buffer | null) => string | null> {
    const cipher = await this.keys.find(ownerOf({ accountId }));
    return (sealed) => {
      if (!sealed || !cipher) return null;
      try {
        return cipher.open(bytesOf({ sealed }), placeOf({ id, accountId })).toString();
      } catch (error) {
        this.logger.error({ err: error, objectId: id }, 'what a receiver answered cannot be decrypted');
        return null;
      }
    };
  }
}

const placeOf = ({ accountId, id }: { accountId: string; id: string }) => `${accountId}:${id}:webhook-response`;

const ownerOf = ({ accountId }: Pick<OfEndpoint, 'accountId'>) => ({ id: accountId, accountId });

// The import of a key takes longer than a signature by it: targets keep the keys.
const signingKeyOf = (secret: string): KeyObject =>
  createSecretKey(Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64'));

const textOf = (cipher: Cipher, endpoint: OfEndpoint, secret: WebhookSecret): string =>
  cipher.open(bytesOf(secret), contextOf(endpoint)).toString();

/** An endpoint's secrets after a rotation: the new one first, the former ones until their overlap ends. */
export function rotated(secrets: readonly WebhookSecret[], next: WebhookSecret, now: Date): WebhookSecret[] {
  const until = new Date(now.getTime() + OVERLAP_MS);
  const former = secrets.map((secret) => (secret.until ? secret : { ...secret, until }));
  return [next, ...former.filter((secret) => secret.until! > now).slice(0, MOST_FORMER)];
}
