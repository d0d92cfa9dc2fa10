import type { AvailabilitySchedule, Instructor, ServiceArea, SwimmingLevel } from '@swim/contracts';
import { type Aggregate, aggregateSchema, indexDue, metadataField, type StoredMetadata } from '@swim/mongo';
import { Schema } from 'mongoose';

/** A certificate an instructor holds; dates are `YYYY-MM-DD`, null where there is none. */
export interface HeldCertification {
  type: string;
  /** The type without case and accents, which searches compare. */
  typeKey: string;
  issuer: string | null;
  issuedAt: string | null;
  expiresAt: string | null;
  verified: boolean;
}

/** The fields of an instructor that its school sets. */
export interface Profile {
  name: string;
  email: string;
  /** E.164 */
  phone: string | null;
  bio: string | null;
  photoUrl: string | null;
  timezone: string;
  certifications: HeldCertification[];
  schedule: AvailabilitySchedule;
  serviceAreas: ServiceArea[];
  hourlyRateCents: number;
  currency: string;
  maxGroupSize: number;
  levelsTaught: SwimmingLevel[];
  languages: string[];
  status: Instructor['status'];
  /** Absent where there is none. */
  metadata?: StoredMetadata;
}

/** The confirmation of an instructor's address by its owner. Each address has another one. */
export interface EmailConfirmation {
  /** `req_…`; names the link. */
  id: string;
  /** When its link was sent, from which it is valid for three days. */
  sentAt?: Date;
  confirmedAt?: Date;
}

export interface InstructorDocument extends Aggregate, Profile {
  schoolId: string;
  /** The e-mail in lower case: unique within the school. */
  emailKey: string;
  /** Confirmation of `email`; absent in the sandbox, where nobody confirms. */
  emailConfirmation?: EmailConfirmation | undefined;
  /** When the link is to be sent, until it is. */
  confirmationDueAt?: Date | undefined;
  /** Folded words of name and e-mail. */
  searchWords: string[];
  rating: Instructor['rating'];
  /** The newest, at most 10. Stored with encrypted comments. */
  reviews: Instructor['reviews'];
  /** Counts the writes of rating and reviews; the precondition of each write. */
  ratingRev: number;
  /** Counts changes of the profile; clients send it back as `version`. */
  version: number;
}

const { Mixed } = Schema.Types;
const text = { type: String, required: true };
const orNull = { type: String, default: null };

export const instructorSchema = aggregateSchema<InstructorDocument>({
  schoolId: text,
  name: text,
  email: text,
  emailKey: text,
  emailConfirmation: Mixed,
  confirmationDueAt: Date,
  searchWords: { type: [String], required: true },
  phone: orNull,
  bio: orNull,
  photoUrl: orNull,
  timezone: text,
  certifications: [
    {
      _id: false,
      type: { type: String },
      typeKey: String,
      issuer: orNull,
      issuedAt: orNull,
      expiresAt: orNull,
      verified: Boolean,
    },
  ],
  schedule: { type: Mixed, required: true },
  serviceAreas: [
    { _id: false, name: String, latitude: Number, longitude: Number, radius_km: Number, pool_ids: [String] },
  ],
  rating: { type: Mixed, required: true },
  reviews: { type: [Mixed], required: true },
  ratingRev: { type: Number, default: 0 },
  hourlyRateCents: { type: Number, required: true },
  currency: text,
  maxGroupSize: { type: Number, required: true },
  levelsTaught: { type: [String], required: true },
  languages: { type: [String], required: true },
  status: text,
  metadata: metadataField,
  version: { type: Number, required: true },
});
// For one instructor per e-mail address and school; `GET /instructors?account_id=`.
instructorSchema.index({ schoolId: 1, emailKey: 1 }, { unique: true });
// For `GET /instructors?search=`.
instructorSchema.index({ searchWords: 1 });
// For `GET /instructors?certification=`.
instructorSchema.index({ 'certifications.typeKey': 1 });
// For `GET /instructors?latitude=`.
instructorSchema.index({ 'serviceAreas.latitude': 1 });
// For links to confirm addresses, each second.
indexDue(instructorSchema, 'confirmationDueAt');
