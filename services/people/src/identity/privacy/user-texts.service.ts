import { Injectable } from '@nestjs/common';
import { base64Of, DataKeys, FreeTexts } from '@swim/mongo';
import { AppError, type Cipher, inEnvironment } from '@swim/platform';

// Users belong to neither environment; their keys are among those of live.
const ENV = 'live';
/** Owner of the key for what is stored before there is a user, and for tokens by which users are found. */
const DIRECTORY = { id: 'users', accountId: 'users' };

/** The owner of a user's key. */
export interface UserOwner {
  userId: string;
  accountId: string;
}

/**
 * Encrypts what users of the dashboard entered: with a key per user, wrapped by the key of the account, and what has no user
 * yet with the key of the directory. That key also makes the tokens by which users and cookies are found.
 */
@Injectable()
export class UserTextsService {
  constructor(
    private readonly texts: FreeTexts,
    private readonly keys: DataKeys,
  ) {}

  /** A text of a user as stored, base64. Throws `resource_not_found` once the user's key is destroyed. */
  async seal(text: string, { userId, accountId }: UserOwner, field: string): Promise<string> {
    const sealed = await inEnvironment(ENV, () =>
      this.texts.seal(text, { owner: { id: userId, accountId }, field, documentId: userId }),
    );
    if (!sealed) throw new AppError('resource_not_found');
    return base64Of(sealed);
  }

  /** The text; null once the user's key is destroyed. */
  open(sealed: string, { userId, accountId }: UserOwner, field: string): Promise<string | null> {
    const place = { owner: { id: userId, accountId }, field, documentId: userId };
    return inEnvironment(ENV, () => this.texts.open(Buffer.from(sealed, 'base64'), place));
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
