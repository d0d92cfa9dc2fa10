import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AppError } from '@swim/platform';
import { UserTextsService } from '../privacy/user-texts.service.js';
import { untilUndisturbed } from '../undisturbed-changes.js';
import { FactorsRepository } from './factors.repository.js';
import type { FactorsDocument } from './factors.schema.js';
import { newTotpSecret, stepOfCode, totpUrl } from './otpauth.adapter.js';
import { normalizedCode, RECOVERY_CODE_BYTES, RECOVERY_CODES, recoveryCodeOf } from './recovery-codes.rules.js';

const TOTP = 'totp';

/** Whose factors these are. */
export interface FactorOwner {
  _id: string;
  accountId: string;
}

/** Which second factors a user has. */
export interface FactorCounts {
  totp: boolean;
  passkeys: number;
  recovery_codes_left: number;
}

/** Authenticator apps and recovery codes of users. Each code counts once, on all replicas. */
@Injectable()
export class FactorsService {
  constructor(
    private readonly factors: FactorsRepository,
    private readonly texts: UserTextsService,
  ) {}

  async countsOf(userId: string): Promise<FactorCounts> {
    const known = await this.factors.find(userId);
    if (!known || !isRequired(known)) return { totp: false, passkeys: 0, recovery_codes_left: 0 };
    return { totp: true, passkeys: 0, recovery_codes_left: known.recoveryCodes.length };
  }

  /** A new secret, which counts once a code confirms it. Throws `invalid_state` when there is one already. */
  beginTotp(owner: FactorOwner, email: string): Promise<{ secret: string; otpauth_url: string }> {
    const secret = newTotpSecret();
    return this.change(owner, async (known) => {
      if (isRequired(known)) throw new AppError('invalid_state');
      const sealed = await this.texts.seal(secret, ownerOf(owner), TOTP);
      const totp = { secret: sealed, confirmedAt: null, lastStep: 0 };
      return [
        { ...known, totp },
        { secret, otpauth_url: totpUrl(secret, email) },
      ];
    });
  }

  /** Confirms the secret by a code; returns recovery codes. Throws `wrong_code`, `invalid_state`. */
  confirmTotp(owner: FactorOwner, code: string): Promise<string[]> {
    const codes = newCodes();
    return this.change(owner, async (known) => {
      if (!known.totp || known.totp.confirmedAt) throw new AppError('invalid_state');
      const lastStep = await this.requireStep(owner, known, code);
      const totp = { ...known.totp, confirmedAt: this.factors.now(), lastStep };
      return [{ ...known, totp, recoveryCodes: await this.hashesOf(owner, codes) }, codes];
    });
  }

  /** Accepts a code of the app, once. Throws `wrong_code`. */
  useTotp(owner: FactorOwner, code: string): Promise<void> {
    return this.change(owner, async (known) => {
      if (!isRequired(known)) throw new AppError('wrong_code');
      return [{ ...known, totp: { ...known.totp!, lastStep: await this.requireStep(owner, known, code) } }, undefined];
    });
  }

  /** Accepts a recovery code, once. Throws `wrong_code`. */
  useRecoveryCode(owner: FactorOwner, code: string): Promise<void> {
    return this.change(owner, async (known) => {
      const [hash] = await this.hashesOf(owner, [code]);
      if (!isRequired(known) || !known.recoveryCodes.includes(hash!)) throw new AppError('wrong_code');
      return [{ ...known, recoveryCodes: known.recoveryCodes.filter((each) => each !== hash) }, undefined];
    });
  }

  /** New recovery codes in place of all former ones. Throws `invalid_state` without a second factor. */
  replaceRecoveryCodes(owner: FactorOwner): Promise<string[]> {
    const codes = newCodes();
    return this.change(owner, async (known) => {
      if (!isRequired(known)) throw new AppError('invalid_state');
      return [{ ...known, recoveryCodes: await this.hashesOf(owner, codes) }, codes];
    });
  }

  /** Removes the app and the recovery codes. Idempotent. */
  removeTotp(owner: FactorOwner): Promise<void> {
    return this.change(owner, async (known) => [{ ...known, totp: null, recoveryCodes: [] }, undefined]);
  }

  /** Forgets the factors of a removed user. Idempotent. */
  forget(userId: string): Promise<void> {
    return this.factors.removeOne(userId);
  }

  /** Decides on the stored factors, and again if they have changed before the result was stored. */
  private change<T>(
    { _id, accountId }: FactorOwner,
    decide: (known: FactorsDocument) => Promise<[FactorsDocument, T]>,
  ): Promise<T> {
    return untilUndisturbed(async () => {
      const known = await this.factors.find(_id);
      const none = { _id, accountId, readers: [accountId], totp: null, recoveryCodes: [], rev: 0 };
      const [changed, result] = await decide(known ?? none);
      return (await this.factors.store(changed, known === null)) ? { result } : null;
    }).then(({ result }) => result);
  }

  private async requireStep(owner: FactorOwner, { totp }: FactorsDocument, code: string): Promise<number> {
    const secret = await this.texts.open(totp!.secret, ownerOf(owner), TOTP);
    const step = secret === null ? null : stepOfCode(secret, code, this.factors.now());
    // A code that was seen by somebody else is of no use to them.
    if (step === null || step <= totp!.lastStep) throw new AppError('wrong_code', { field: 'code' });
    return step;
  }

  private hashesOf({ _id }: FactorOwner, codes: readonly string[]): Promise<string[]> {
    return Promise.all(codes.map((code) => this.texts.tokenOf('recovery_code', `${_id}|${normalizedCode(code)}`)));
  }
}

const ownerOf = ({ _id: userId, accountId }: FactorOwner) => ({ userId, accountId });

const newCodes = (): string[] =>
  Array.from({ length: RECOVERY_CODES }, () => recoveryCodeOf(randomBytes(RECOVERY_CODE_BYTES)));

const isRequired = ({ totp }: FactorsDocument): boolean => totp?.confirmedAt instanceof Date;
