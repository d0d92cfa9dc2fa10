import { Injectable } from '@nestjs/common';
import type { Environment } from '@swim/contracts';
import { DataKeys } from './data-keys.js';
import type { KeyOwner } from './key-wrapping.js';

/** Where a text belongs: moved to another member, field or document it does not open. */
export interface TextPlace {
  /** Whose key it is encrypted with. */
  owner: KeyOwner;
  field: string;
  documentId: string;
}

/** Something encrypted, as MongoDB answers it; text that a former release stored is a string. */
type Sealed = Buffer | { buffer: Uint8Array };

/** Whether a stored value is encrypted. */
export const isSealed = (stored: unknown): stored is Sealed =>
  stored !== null && typeof stored === 'object' && 'buffer' in stored;

const bytesOf = (sealed: Sealed): Buffer => (Buffer.isBuffer(sealed) ? sealed : Buffer.from(sealed.buffer));

/** What is stored encrypted, as text. */
export const base64Of = (sealed: Sealed): string => bytesOf(sealed).toString('base64');

const contextOf = ({ owner, field, documentId }: TextPlace): string =>
  `${owner.accountId}:${owner.id}:${field}:${documentId}`;

/** What people write about a member, encrypted with that member's key. */
@Injectable()
export class FreeTexts {
  constructor(private readonly keys: DataKeys) {}

  /** What is to be stored; null for no text, and when the key was destroyed: who is erased has nothing written about. */
  async seal(env: Environment, text: string | null, place: TextPlace): Promise<Buffer | null> {
    if (text === null) return null;
    const cipher = await this.keys.obtain(env, place.owner);
    return cipher?.seal(text, contextOf(place)) ?? null;
  }

  /** The text; null when there is none, or its key is gone. Text of a former release is as it was stored. */
  async open(env: Environment, stored: unknown, place: TextPlace): Promise<string | null> {
    if (typeof stored === 'string') return stored;
    if (!isSealed(stored)) return null;
    const cipher = await this.keys.find(env, place.owner);
    return cipher?.open(bytesOf(stored), contextOf(place)).toString() ?? null;
  }
}
