import { Schema } from 'mongoose';

/** The codes of an authenticator app (RFC 6238). */
export interface TotpFactor {
  /** Encrypted, base64. */
  secret: string;
  /** Null until a code has confirmed it: then it is required at sign-ins. */
  confirmedAt: Date | null;
  /** The time step of the latest accepted code: it and earlier ones are not accepted any more. */
  lastStep: number;
}

/** A passkey (Web Authentication Level 3): its public key only. */
export interface PasskeyFactor {
  /** `psk_…` */
  id: string;
  /** Encrypted, base64. */
  name: string;
  /** Base64url. */
  credentialId: string;
  /** COSE key, base64url. */
  publicKey: string;
  /** Counter of the latest accepted signature: a copy of the authenticator would repeat it. */
  counter: number;
  transports: string[];
  createdAt: Date;
  lastUsedAt: Date | null;
}

/** What a browser has to sign; it counts once. */
export interface Challenge {
  value: string;
  expiresAt: Date;
}

/** When a factor was added or removed, and in which session, which goes on. */
export interface FactorChange {
  at: Date;
  sessionId: string;
}

/** The second factors of a user. */
export interface FactorsDocument {
  /** `usr_…` */
  _id: string;
  /** None: factors belong to the user, whatever its accounts. */
  readers: string[];
  totp: TotpFactor | null;
  passkeys: PasskeyFactor[];
  /** Challenge for a passkey that is being added. */
  challenge: Challenge | null;
  /** Keyed hashes of the recovery codes that are left. */
  recoveryCodes: string[];
  /** The latest addition or removal of a factor. Absent where there was none. */
  changed?: FactorChange;
  /** Counts changes: one that was decided on an earlier revision changes nothing. */
  rev: number;
}

const text = { type: String, required: true };
const count = { type: Number, required: true };

export const factorsSchema = new Schema<FactorsDocument>(
  {
    _id: text,
    readers: { type: [String], required: true },
    totp: {
      type: new Schema<TotpFactor>({ secret: text, confirmedAt: Date, lastStep: count }, { _id: false }),
      default: null,
    },
    passkeys: [
      new Schema<PasskeyFactor>(
        {
          id: text,
          name: text,
          credentialId: text,
          publicKey: text,
          counter: count,
          transports: [String],
          createdAt: { type: Date, required: true },
          lastUsedAt: { type: Date, default: null },
        },
        { _id: false, id: false },
      ),
    ],
    challenge: {
      type: new Schema<Challenge>({ value: text, expiresAt: { type: Date, required: true } }, { _id: false }),
      default: null,
    },
    recoveryCodes: { type: [String], required: true },
    changed: new Schema<FactorChange>({ at: { type: Date, required: true }, sessionId: text }, { _id: false }),
    rev: count,
  },
  { versionKey: false },
);
// A signature by one passkey must not speak for two users.
// For one user per passkey.
factorsSchema.index(
  { 'passkeys.credentialId': 1 },
  { unique: true, partialFilterExpression: { 'passkeys.credentialId': { $type: 'string' } } },
);
