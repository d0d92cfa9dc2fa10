import {
  type Instructor,
  type InstructorObject,
  instructorCreated,
  type Participants,
  withKinds,
} from '@swim/contracts';
import { type Aggregate, type Managed, metadataOf } from '@swim/mongo';
import { poolIdsOf } from './instructor.rules.js';
import type { InstructorDocument } from './instructor.schema.js';

/** An instructor's document, or one that a dry run would have stored. */
export type InstructorView = Omit<InstructorDocument, Managed | 'readers'> & Pick<Aggregate, 'createdAt' | 'updatedAt'>;

/** Maps an instructor to the API's JSON. */
export const instructorOf = (document: InstructorView): Instructor => ({
  id: document._id,
  account_id: document.schoolId,
  name: document.name,
  email: document.email,
  phone: document.phone,
  bio: document.bio,
  photo_url: document.photoUrl,
  timezone: document.timezone,
  certifications: document.certifications.map(({ type, issuer, issuedAt, expiresAt, verified }) => ({
    type,
    issuer,
    issued_at: issuedAt,
    expires_at: expiresAt,
    verified,
  })),
  availability_schedule: document.schedule,
  service_areas: document.serviceAreas,
  rating: document.rating,
  reviews: document.reviews,
  hourly_rate_cents: document.hourlyRateCents,
  currency: document.currency,
  max_group_size: document.maxGroupSize,
  levels_taught: document.levelsTaught,
  languages: document.languages,
  status: document.status,
  metadata: metadataOf(document.metadata),
  version: document.version,
  created_at: document.createdAt.toISOString(),
  updated_at: document.updatedAt.toISOString(),
});

/** Maps an instructor to its events: the contract's event schema removes personal data. */
export const instructorObjectOf = (document: InstructorView): InstructorObject =>
  instructorCreated.object.parse(withKinds(instructorCreated.object, instructorOf(document)));

/** The fields of an instructor that a booking needs. */
export function teacherOf(document: InstructorDocument): NonNullable<Participants['instructor']> {
  const poolIds = poolIdsOf(document.serviceAreas);
  return {
    id: document._id,
    schoolId: document.schoolId,
    name: document.name,
    status: document.status,
    timezone: document.timezone,
    schedule: document.schedule,
    hourlyRateCents: document.hourlyRateCents,
    currency: document.currency,
    maxGroupSize: document.maxGroupSize,
    certifiedUntil: lastDayOf(document.certifications),
    levelsTaught: document.levelsTaught,
    defaultPoolId: poolIds[0] ?? null,
    poolIds,
    version: document.version,
  };
}

const lastDayOf = (certifications: InstructorDocument['certifications']): string | null => {
  const ends = certifications.map(({ expiresAt }) => expiresAt);
  return ends.includes(null) ? null : (ends.sort().at(-1) ?? null);
};
