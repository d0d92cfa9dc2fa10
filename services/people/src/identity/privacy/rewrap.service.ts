import { Injectable } from '@nestjs/common';
import { currentEnvironment, MasterKeys } from '@swim/platform';
import { dataKeyContext } from './account-keys.service.js';
import { PrivacyRepository } from './privacy.repository.js';

const BATCH = 100;

/** The result of a run. */
export interface Rewrapped {
  rewrapped: number;
  /** Accounts whose key no known master key decrypts; it stays unchanged. */
  unreadable: string[];
}

/**
 * Wraps every data key with the current master key, so that older ones can be removed from the settings. The encrypted data
 * stay unchanged.
 */
@Injectable()
export class RewrapService {
  constructor(
    private readonly keys: PrivacyRepository,
    private readonly masters: MasterKeys,
  ) {}

  /** Each key is one write, readable before and after; the next run continues an interrupted one. */
  async rewrapAll(): Promise<Rewrapped> {
    const env = currentEnvironment();
    const result: Rewrapped = { rewrapped: 0, unreadable: [] };
    let after = '';
    for (;;) {
      const batch = await this.keys.findOtherwiseWrapped(this.masters.current, after, BATCH);
      for (const document of batch) {
        const context = dataKeyContext(env, document._id);
        const key = this.tryUnwrap(document, context);
        if (key === null) result.unreadable.push(document._id);
        else {
          await this.keys.replaceWrapping(document, this.masters.wrap(key, context));
          result.rewrapped++;
        }
      }
      if (batch.length < BATCH) return result;
      after = batch.at(-1)!._id;
    }
  }

  private tryUnwrap(document: Parameters<MasterKeys['unwrap']>[0], context: string): Buffer | null {
    try {
      return this.masters.unwrap(document, context);
    } catch {
      return null;
    }
  }
}
