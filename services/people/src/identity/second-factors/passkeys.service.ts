import { Inject, Injectable } from '@nestjs/common';
import { MOST_PASSKEYS, type Passkey, type PasskeyAssertion, type PasskeyRegistration } from '@swim/contracts';
import { AppError, CONFIG, newId } from '@swim/platform';
import type { Config } from '../../config.js';
import { UserTextsService } from '../privacy/user-texts.service.js';
import { type FactorOwner, FactorsRepository } from './factors.repository.js';
import { hasFactor, hasTotp } from './factors.rules.js';
import type { Challenge, FactorsDocument, PasskeyFactor } from './factors.schema.js';
import { RecoveryCodesService } from './recovery-codes.service.js';
import { type RelyingParty, relyingPartyOf } from './relying-party.rules.js';
import {
  CHALLENGE_VALID_MS,
  creationOptions,
  readRegistration,
  readSignature,
  signatureOptions,
} from './webauthn.adapter.js';

export type { Challenge };

type Options = { challenge: string } & Record<string, unknown>;

/** Passkeys of users. Each challenge counts once, on all replicas, whatever the outcome. */
@Injectable()
export class PasskeysService {
  private readonly relyingParty: RelyingParty;

  constructor(
    private readonly factors: FactorsRepository,
    private readonly codes: RecoveryCodesService,
    private readonly texts: UserTextsService,
    @Inject(CONFIG) { PUBLIC_URL }: Config,
  ) {
    this.relyingParty = relyingPartyOf(PUBLIC_URL);
  }

  /** Options for a new passkey. Throws `limit_reached`. */
  begin(owner: FactorOwner, email: string): Promise<Options> {
    return this.factors.change(owner, async (known) => {
      requireRoom(known);
      const options = await creationOptions(this.relyingParty, { userId: owner._id, email, known: known.passkeys });
      return [{ ...known, challenge: this.challengeOf(options) }, { ...options }];
    });
  }

  /**
   * Stores the passkey of a response to the latest options, in a session; returns it, and recovery codes with the first second
   * factor. Throws `wrong_passkey`, `limit_reached`.
   */
  async add(
    owner: FactorOwner,
    { name, response, sessionId }: { name: string; response: PasskeyRegistration; sessionId: string },
  ): Promise<{ passkey: Passkey; recoveryCodes: string[] | null }> {
    const challenge = await this.factors.change(owner, (known) => [{ ...known, challenge: null }, known.challenge]);
    const isValid = challenge !== null && challenge.expiresAt > this.factors.now();
    const credential = isValid ? await readRegistration(this.relyingParty, challenge.value, response) : null;
    if (!credential) throw new AppError('wrong_passkey');
    const id = newId('psk');
    const sealed = await this.sealName(owner, id, name);
    const stored = { ...credential, id, name: sealed, createdAt: this.factors.now(), lastUsedAt: null };
    const { codes, hashes } = await this.codes.make(owner);
    const recoveryCodes = await this.factors.change(owner, (known) => {
      requireRoom(known);
      if (known.passkeys.some(({ credentialId }) => credentialId === stored.credentialId))
        throw new AppError('wrong_passkey');
      const added = { ...known, passkeys: [...known.passkeys, stored], changed: this.factors.changeIn(sessionId) };
      return hasFactor(known) ? [added, null] : [{ ...added, recoveryCodes: hashes }, codes];
    });
    return { passkey: toPasskey(stored, name), recoveryCodes };
  }

  /** The passkeys of a user, oldest first. */
  async list(owner: FactorOwner): Promise<Passkey[]> {
    const known = await this.factors.find(owner._id);
    return Promise.all((known?.passkeys ?? []).map(async (each) => toPasskey(each, await this.nameOf(owner, each))));
  }

  /** Renames a passkey. Throws `resource_not_found`. */
  async rename(owner: FactorOwner, id: string, name: string): Promise<Passkey> {
    const sealed = await this.sealName(owner, id, name);
    const renamed = await this.factors.change(owner, (known) => {
      const found = { ...requirePasskey(known, id), name: sealed };
      return [{ ...known, passkeys: known.passkeys.map((each) => (each.id === id ? found : each)) }, found];
    });
    return toPasskey(renamed, name);
  }

  /** Removes a passkey, in a session, and with the last second factor the recovery codes. Throws `resource_not_found`. */
  remove(owner: FactorOwner, id: string, sessionId: string): Promise<void> {
    return this.factors.change(owner, (known) => {
      requirePasskey(known, id);
      const passkeys = known.passkeys.filter((each) => each.id !== id);
      const isLast = passkeys.length === 0 && !hasTotp(known);
      const recoveryCodes = isLast ? [] : known.recoveryCodes;
      return [{ ...known, passkeys, recoveryCodes, changed: this.factors.changeIn(sessionId) }, undefined];
    });
  }

  /** Options for a signature, and their challenge; null for a user without passkeys. */
  async beginSignature(userId: string): Promise<{ options: Options; challenge: Challenge } | null> {
    const known = await this.factors.find(userId);
    if (!known || known.passkeys.length === 0) return null;
    const options = await signatureOptions(this.relyingParty, known.passkeys);
    return { options: { ...options }, challenge: this.challengeOf(options) };
  }

  /** Accepts the signature of a challenge, which the caller has made sure counts once. Throws `wrong_passkey`. */
  useSignature(owner: FactorOwner, challenge: Challenge, response: PasskeyAssertion): Promise<void> {
    return this.factors.change(owner, async (known) => {
      const found = known.passkeys.find(({ credentialId }) => credentialId === response.id);
      const isValid = challenge.expiresAt > this.factors.now();
      const counter =
        found && isValid ? await readSignature(this.relyingParty, challenge.value, response, found) : null;
      if (!found || counter === null) throw new AppError('wrong_passkey');
      const used = { ...found, counter, lastUsedAt: this.factors.now() };
      return [{ ...known, passkeys: known.passkeys.map((each) => (each === found ? used : each)) }, undefined];
    });
  }

  private challengeOf({ challenge: value }: { challenge: string }): Challenge {
    return { value, expiresAt: new Date(this.factors.now().getTime() + CHALLENGE_VALID_MS) };
  }

  private sealName({ _id }: FactorOwner, id: string, name: string): Promise<string> {
    return this.texts.seal(name, _id, id);
  }

  private async nameOf({ _id }: FactorOwner, { id, name }: PasskeyFactor): Promise<string> {
    return (await this.texts.open(name, _id, id)) ?? '';
  }
}

function requireRoom({ passkeys }: FactorsDocument): void {
  if (passkeys.length < MOST_PASSKEYS) return;
  const message = `You have ${MOST_PASSKEYS} passkeys, the most that a user may have. Remove one first.`;
  throw new AppError('limit_reached', { field: 'response', message, details: { maximum: MOST_PASSKEYS } });
}

function requirePasskey({ passkeys }: FactorsDocument, id: string): PasskeyFactor {
  const found = passkeys.find((each) => each.id === id);
  if (!found) throw new AppError('resource_not_found');
  return found;
}

const toPasskey = ({ id, createdAt, lastUsedAt }: PasskeyFactor, name: string): Passkey => ({
  id,
  name,
  created_at: createdAt.toISOString(),
  last_used_at: lastUsedAt?.toISOString() ?? null,
});
