import { Injectable } from '@nestjs/common';
import { DataKeys } from './data-keys.js';
import type { KeyOwner } from './key-wrapping.js';

/** The place that a ciphertext is bound to: with another member, field or document it does not decrypt. */
export interface TextPlace {
  /** The owner of the key. */
  owner: KeyOwner;
  field: string;
  documentId: string;
}

/** A ciphertext as MongoDB returns it. */
type Sealed = Buffer | { buffer: Uint8Array };

/** Whether a stored value is encrypted. */
export const isSealed = (stored: unknown): stored is Sealed =>
  stored !== null && typeof stored === 'object' && 'buffer' in stored;

const bytesOf = (sealed: Sealed): Buffer => (Buffer.isBuffer(sealed) ? sealed : Buffer.from(sealed.buffer));

/** A stored ciphertext as text. */
export const base64Of = (sealed: Sealed): string => bytesOf(sealed).toString('base64');

const contextOf = ({ owner, field, documentId }: TextPlace): string =>
  `${owner.accountId}:${owner.id}:${field}:${documentId}`;

/** Texts about members, encrypted with the member's key. */
@Injectable()
export class FreeTexts {
  constructor(private readonly keys: DataKeys) {}

  /** The ciphertext to store; null for no text, and when the key was destroyed: no texts about erased members. */
  async seal(text: string | null, place: TextPlace): Promise<Buffer | null> {
    if (text === null) return null;
    const cipher = await this.keys.obtain(place.owner);
    return cipher?.seal(text, contextOf(place)) ?? null;
  }

  /** The text; null without one, or when its key is destroyed. */
  async open(stored: unknown, place: TextPlace): Promise<string | null> {
    if (!isSealed(stored)) return null;
    const cipher = await this.keys.find(place.owner);
    return cipher?.open(bytesOf(stored), contextOf(place)).toString() ?? null;
  }
}
