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

/** The second factors of a user. */
export interface FactorsDocument {
  /** `usr_…` */
  _id: string;
  accountId: string;
  readers: string[];
  totp: TotpFactor | null;
  /** Keyed hashes of the recovery codes that are left. */
  recoveryCodes: string[];
  /** Counts changes: one that was decided on an earlier revision changes nothing. */
  rev: number;
}

export const factorsSchema = new Schema<FactorsDocument>(
  {
    _id: { type: String, required: true },
    accountId: { type: String, required: true },
    readers: { type: [String], required: true },
    totp: {
      type: new Schema<TotpFactor>(
        { secret: { type: String, required: true }, confirmedAt: Date, lastStep: { type: Number, required: true } },
        { _id: false },
      ),
      default: null,
    },
    recoveryCodes: { type: [String], required: true },
    rev: { type: Number, required: true },
  },
  { versionKey: false },
);
