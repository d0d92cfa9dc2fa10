import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, SignedTokens } from '@swim/platform';
import type { Config } from '../../config.js';
import type { User } from '../users/users.service.js';

const PURPOSE = 'device';

/**
 * The browsers in which users have signed in, each known by a signed token in a cookie: what others try does not count there (OWASP:
 * Device Cookies). It gives no rights: the password, and a second factor, are needed as ever.
 */
@Injectable()
export class DevicesService {
  private readonly tokens: SignedTokens;

  constructor(@Inject(CONFIG) config: Config) {
    this.tokens = new SignedTokens('device of a user', config);
  }

  /** The token of the browser in which a user has signed in just now. */
  newToken({ _id: userId }: User): string {
    return this.tokens.sign(PURPOSE, userId, randomBytes(16).toString('base64url'));
  }

  /** The id of the browser that presents these tokens; null where the user has not signed in. */
  find(presented: readonly string[], user: User | null): string | null {
    const read = presented.map((token) => this.tokens.read(token) ?? []);
    return read.find(([purpose, userId]) => purpose === PURPOSE && userId === user?._id)?.[2] ?? null;
  }
}
