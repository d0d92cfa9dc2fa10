import { Injectable } from '@nestjs/common';
import { AppError } from '@swim/platform';
import { UserTextsService } from '../privacy/user-texts.service.js';
import { type FactorOwner, FactorsRepository } from './factors.repository.js';
import { hasFactor, hasTotp } from './factors.rules.js';
import type { FactorChange, FactorsDocument } from './factors.schema.js';
import { newTotpSecret, stepOfCode, totpUrl } from './otpauth.adapter.js';
import { RecoveryCodesService } from './recovery-codes.service.js';

const TOTP = 'totp';

/** Which second factors a user has. */
export interface FactorCounts {
  totp: boolean;
  passkeys: number;
  recovery_codes_left: number;
}

/** Authenticator apps of users, and recovery codes. Each code counts once, on all replicas. */
@Injectable()
export class FactorsService {
  constructor(
    private readonly factors: FactorsRepository,
    private readonly codes: RecoveryCodesService,
    private readonly texts: UserTextsService,
  ) {}

  async countsOf(userId: string): Promise<FactorCounts> {
    const known = await this.factors.find(userId);
    if (!known || !hasFactor(known)) return { totp: false, passkeys: 0, recovery_codes_left: 0 };
    return { totp: hasTotp(known), passkeys: known.passkeys.length, recovery_codes_left: known.recoveryCodes.length };
  }

  /** A new secret, which counts once a code confirms it. Throws `invalid_state` when there is one already. */
  beginTotp(owner: FactorOwner, email: string): Promise<{ secret: string; otpauth_url: string }> {
    const secret = newTotpSecret();
    return this.factors.change(owner, async (known) => {
      if (hasTotp(known)) throw new AppError('invalid_state');
      const sealed = await this.texts.seal(secret, owner._id, TOTP);
      const totp = { secret: sealed, confirmedAt: null, lastStep: 0 };
      return [
        { ...known, totp },
        { secret, otpauth_url: totpUrl(secret, email) },
      ];
    });
  }

  /** The latest addition or removal of a factor; null where there was none. */
  async latestChangeOf(userId: string): Promise<FactorChange | null> {
    return (await this.factors.find(userId))?.changed ?? null;
  }

  /** Confirms the secret by a code, in a session; returns recovery codes. Throws `wrong_code`, `invalid_state`. */
  async confirmTotp(owner: FactorOwner, code: string, sessionId: string): Promise<string[]> {
    const { codes, hashes } = await this.codes.make(owner);
    return this.factors.change(owner, async (known) => {
      if (!known.totp || known.totp.confirmedAt) throw new AppError('invalid_state');
      const lastStep = await this.requireStep(owner, known, code);
      const totp = { ...known.totp, confirmedAt: this.factors.now(), lastStep };
      return [{ ...known, totp, recoveryCodes: hashes, changed: this.factors.changeIn(sessionId) }, codes];
    });
  }

  /** Accepts a code of the app, once. Throws `wrong_code`. */
  useTotp(owner: FactorOwner, code: string): Promise<void> {
    return this.factors.change(owner, async (known) => {
      if (!hasTotp(known)) throw new AppError('wrong_code');
      return [{ ...known, totp: { ...known.totp!, lastStep: await this.requireStep(owner, known, code) } }, undefined];
    });
  }

  /** Accepts a recovery code, once. Throws `wrong_code`. */
  async useRecoveryCode(owner: FactorOwner, code: string): Promise<void> {
    const hash = await this.codes.hashOf(owner, code);
    return this.factors.change(owner, (known) => {
      if (!hasFactor(known) || !known.recoveryCodes.includes(hash)) throw new AppError('wrong_code');
      return [{ ...known, recoveryCodes: known.recoveryCodes.filter((each) => each !== hash) }, undefined];
    });
  }

  /** New recovery codes in place of all former ones. Throws `invalid_state` without a second factor. */
  async replaceRecoveryCodes(owner: FactorOwner): Promise<string[]> {
    const { codes, hashes } = await this.codes.make(owner);
    return this.factors.change(owner, (known) => {
      if (!hasFactor(known)) throw new AppError('invalid_state');
      return [{ ...known, recoveryCodes: hashes }, codes];
    });
  }

  /** Removes the app, in a session, and the recovery codes unless there are passkeys. Idempotent. */
  removeTotp(owner: FactorOwner, sessionId: string): Promise<void> {
    return this.factors.change(owner, (known) => {
      const recoveryCodes = known.passkeys.length > 0 ? known.recoveryCodes : [];
      return [{ ...known, totp: null, recoveryCodes, changed: this.factors.changeIn(sessionId) }, undefined];
    });
  }

  /** Forgets the factors of a removed user. Idempotent. */
  forget(userId: string): Promise<void> {
    return this.factors.removeOne(userId);
  }

  private async requireStep(owner: FactorOwner, { totp }: FactorsDocument, code: string): Promise<number> {
    const secret = await this.texts.open(totp!.secret, owner._id, TOTP);
    const step = secret === null ? null : stepOfCode(secret, code, this.factors.now());
    // A code that was seen by somebody else is of no use to them.
    if (step === null || step <= totp!.lastStep) throw new AppError('wrong_code', { field: 'code' });
    return step;
  }
}
