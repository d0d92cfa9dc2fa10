import { Injectable } from '@nestjs/common';
import { base64Of, DataKeys, FreeTexts } from '@swim/mongo';
import { AppError, type Cipher, inEnvironment } from '@swim/platform';

// Users belong to neither environment; their keys are among those of live.
const ENV = 'live';
/** Owner of the key for what is stored before there is a user, and for tokens by which users are found. It stands for an account, and wraps the keys of users. */
const DIRECTORY = { id: 'users', accountId: 'users' };

const placeOf = (userId: string, field: string) => ({
  owner: { ...DIRECTORY, id: userId },
  field,
  documentId: userId,
});

/**
 * Encrypts what users of the dashboard entered: with a key per user, which outlives each of the user's accounts, and what has no user
 * yet with the key of the directory. That key also makes the tokens by which users and cookies are found.
 */
@Injectable()
export class UserTextsService {
  constructor(
    private readonly texts: FreeTexts,
    private readonly keys: DataKeys,
  ) {}

  /** A text of a user as stored, base64. Throws `resource_not_found` once the user's key is destroyed. */
  async seal(text: string, userId: string, field: string): Promise<string> {
    const sealed = await inEnvironment(ENV, () => this.texts.seal(text, placeOf(userId, field)));
    if (!sealed) throw new AppError('resource_not_found');
    return base64Of(sealed);
  }

  /** The text; null once the user's key is destroyed. */
  open(sealed: string, userId: string, field: string): Promise<string | null> {
    return inEnvironment(ENV, () => this.texts.open(Buffer.from(sealed, 'base64'), placeOf(userId, field)));
  }

  /** Destroys the key of a user: what it encrypted is unreadable, in older backups too. Idempotent. */
  forget(userId: string): Promise<void> {
    return inEnvironment(ENV, () => this.keys.destroy(userId));
  }

  /** A text without a user as stored, base64; `context` binds it to its document. */
  async sealUnowned(text: string, context: string): Promise<string> {
    return (await this.directory()).seal(text, context).toString('base64');
  }

  async openUnowned(sealed: string, context: string): Promise<string> {
    return (await this.directory()).open(Buffer.from(sealed, 'base64'), context).toString();
  }

  /** A token that is equal for equal texts of a purpose, and reveals nothing else of them. */
  async tokenOf(purpose: 'email' | 'cookie' | 'network' | 'recovery_code', text: string): Promise<string> {
    return (await this.directory()).token(`${purpose}|${text}`);
  }

  private async directory(): Promise<Cipher> {
    const cipher = await inEnvironment(ENV, () => this.keys.obtain(DIRECTORY));
    if (!cipher) throw new Error('The key of the directory of users is destroyed.');
    return cipher;
  }
}
