import { createCipheriv, createDecipheriv, createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { nextRandomBytes } from './random-bytes.js';

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** AES-256-GCM under one key. The context (AAD) binds a ciphertext to its place: elsewhere it does not decrypt. */
export class Cipher {
  // Node imports a key of bytes for each use, which takes longer than the encryption of a short text.
  private readonly key: KeyObject;

  constructor(key: Buffer) {
    this.key = createSecretKey(key);
  }

  /**
   * The key for a purpose and account, derived by HKDF-SHA256 (RFC 5869) from a master key. With a second secret, both are
   * needed to derive it.
   */
  static derived(masterKey: Buffer | KeyObject, purpose: string, secondSecret = ''): Cipher {
    return new Cipher(Buffer.from(hkdfSync('sha256', masterKey, secondSecret, purpose, 32)));
  }

  /** A token that is equal for equal texts and reveals nothing else of them: HMAC-SHA256 under a key derived from this one. */
  token(text: string): string {
    const key = Buffer.from(hkdfSync('sha256', this.key, '', 'equality tokens', 32));
    return createHmac('sha256', key).update(text).digest('base64url');
  }

  /** iv, tag and ciphertext in one buffer. */
  seal(plaintext: string | Buffer, context: string): Buffer {
    const iv = nextRandomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.key, iv).setAAD(Buffer.from(context));
    const body = Buffer.concat([cipher.update(plaintext), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), body]);
  }

  /** The plaintext; throws for a wrong key or context, or changed bits. */
  open(sealed: Buffer, context: string): Buffer {
    // An explicit length rejects shorter tags; by default Node accepts one of four bytes.
    const whole = { authTagLength: TAG_BYTES };
    const decipher = createDecipheriv('aes-256-gcm', this.key, sealed.subarray(0, IV_BYTES), whole).setAAD(
      Buffer.from(context),
    );
    decipher.setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
  }
}
