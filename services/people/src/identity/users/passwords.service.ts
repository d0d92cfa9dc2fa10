import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { hash, verify } from '@node-rs/argon2';
import { AppError, Bulkhead } from '@swim/platform';

// Each run takes a thread and 19 MiB: sign-ins wait for each other, and not the rest of the service for them.
const TURNS = { maxInFlight: 2, maxQueued: 64, maxWaitMs: 2_000 };

/** Hashes and compares passwords with argon2id. */
@Injectable()
export class PasswordsService {
  /** The first parameters that OWASP recommends for argon2id (Password Storage Cheat Sheet): memory in KiB. */
  readonly cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
  private readonly turns = new Bulkhead(TURNS);
  private nobody: Promise<string> | undefined;

  /** The hash of a password to set, in PHC format, with a salt of its own. Throws `common_password`, `overloaded`. */
  async hash(password: string): Promise<string> {
    // With the first password that is set: its list takes some megabytes of a process.
    const { dictionary } = await import('@zxcvbn-ts/language-common');
    if (dictionary['passwords-common'].includes(password.toLowerCase()))
      throw new AppError('common_password', { field: 'password' });
    return this.inTurn(() => hash(password, this.cost));
  }

  /** Whether it is the password of this hash. Without a hash it takes the same time, and is not. Throws `overloaded`. */
  async matches(password: string, stored: string | null): Promise<boolean> {
    this.nobody ??= this.inTurn(() => hash(randomBytes(32), this.cost));
    const compared = stored ?? (await this.nobody);
    return (await this.inTurn(() => verify(compared, password))) && stored !== null;
  }

  private async inTurn<T>(work: () => Promise<T>): Promise<T> {
    const leave = await this.turns.enter();
    try {
      return await work();
    } finally {
      leave();
    }
  }
}
