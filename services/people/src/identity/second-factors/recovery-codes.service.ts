import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { UserTextsService } from '../privacy/user-texts.service.js';
import type { FactorOwner } from './factors.repository.js';
import { normalizedCode, RECOVERY_CODE_BYTES, RECOVERY_CODES, recoveryCodeOf } from './recovery-codes.rules.js';

/** Makes recovery codes, of which keyed hashes are stored. */
@Injectable()
export class RecoveryCodesService {
  constructor(private readonly texts: UserTextsService) {}

  /** New codes, and what is stored of them. */
  async make(owner: FactorOwner): Promise<{ codes: string[]; hashes: string[] }> {
    const codes = Array.from({ length: RECOVERY_CODES }, () => recoveryCodeOf(randomBytes(RECOVERY_CODE_BYTES)));
    return { codes, hashes: await Promise.all(codes.map((code) => this.hashOf(owner, code))) };
  }

  /** What is stored of a code of the owner, in whatever spelling. */
  hashOf({ _id }: FactorOwner, code: string): Promise<string> {
    return this.texts.tokenOf('recovery_code', `${_id}|${normalizedCode(code)}`);
  }
}
