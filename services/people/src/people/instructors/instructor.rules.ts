import {
  type AvailabilitySchedule,
  availabilitySchedule,
  type Certification,
  type CertificationInput,
  type createInstructor,
  foldText,
  type InstructorChanges,
  type ParsedOf,
  type ServiceArea,
  searchWordsOf,
} from '@swim/contracts';
import { differing, given } from '../../identity/changes.rules.js';

type Held = Omit<Certification, 'issued_at' | 'expires_at'> & {
  typeKey: string;
  issuedAt: string | null;
  expiresAt: string | null;
};

/** The pools of service areas in their order, each once; one of them may no longer exist. */
export const poolIdsOf = (areas: readonly Pick<ServiceArea, 'pool_ids'>[]): string[] => [
  ...new Set(areas.flatMap((area) => area.pool_ids)),
];

/** The fields of an instructor that the rules depend on. */
interface Now {
  name: string;
  email: string;
  certifications: Held[];
  schedule: AvailabilitySchedule;
}

const held = ({ type, issuer, issued_at, expires_at }: CertificationInput): Omit<Held, 'verified'> => ({
  type,
  typeKey: foldText(type),
  issuer: issuer ?? null,
  issuedAt: issued_at ?? null,
  expiresAt: expires_at ?? null,
});

/**
 * Certifications as requested. A school cannot verify its own: one stays verified only if it was, and none of its fields
 * changed.
 */
export function heldCertifications(requested: CertificationInput[], known: Held[] = []): Held[] {
  const isSame = (a: Omit<Held, 'verified'>, b: Held) => Object.keys(differing(b, a)).length === 0;
  return requested
    .map(held)
    .map((one) => ({ ...one, verified: known.some((other) => other.verified && isSame(one, other)) }));
}

/** Fields derived from name and e-mail: the search words, and the key that makes the e-mail unique. */
const derivedOf = ({ name, email }: { name: string; email: string }): { emailKey: string; searchWords: string[] } => ({
  emailKey: email.toLowerCase(),
  searchWords: searchWordsOf(name, email),
});

/** The document fields of a new instructor without ratings. Time zone and currency default to the school's. */
export const newProfile = (
  input: ParsedOf<typeof createInstructor>,
  school: { timezone: string; currency: string },
) => ({
  name: input.name,
  email: input.email,
  ...derivedOf(input),
  phone: input.phone ?? null,
  bio: input.bio ?? null,
  photoUrl: input.photo_url ?? null,
  timezone: input.timezone ?? school.timezone,
  certifications: heldCertifications(input.certifications ?? []),
  schedule: input.availability_schedule ?? availabilitySchedule.parse({}),
  serviceAreas: input.service_areas ?? [],
  rating: { average: null, count: 0 },
  reviews: [],
  ratingRev: 0,
  hourlyRateCents: input.hourly_rate_cents,
  currency: input.currency ?? school.currency,
  maxGroupSize: input.max_group_size ?? 1,
  levelsTaught: input.levels_taught ?? [],
  languages: input.languages ?? [],
  status: input.status ?? ('active' as const),
});

/** The document fields that a PATCH changes, without metadata; empty when no value differs. */
export function changedFields(now: Now, { version: _, metadata: __, ...changes }: InstructorChanges) {
  const requested = given({
    name: changes.name,
    email: changes.email,
    phone: changes.phone,
    bio: changes.bio,
    photoUrl: changes.photo_url,
    timezone: changes.timezone,
    certifications: changes.certifications && heldCertifications(changes.certifications, now.certifications),
    schedule: changes.availability_schedule && { ...now.schedule, ...given(changes.availability_schedule) },
    serviceAreas: changes.service_areas,
    hourlyRateCents: changes.hourly_rate_cents,
    currency: changes.currency,
    maxGroupSize: changes.max_group_size,
    levelsTaught: changes.levels_taught,
    languages: changes.languages,
    status: changes.status,
  });
  const changed = differing(now, requested);
  if (changed.name === undefined && changed.email === undefined) return changed;
  return { ...changed, ...derivedOf({ name: changed.name ?? now.name, email: changed.email ?? now.email }) };
}

/** The remaining fields of an instructor whose school is erased. */
export const NO_TEACHER = {
  name: 'erased',
  email: 'erased',
  emailConfirmation: undefined,
  confirmationDueAt: undefined,
  searchWords: [],
  phone: null,
  bio: null,
  photoUrl: null,
  certifications: [],
  serviceAreas: [],
  languages: [],
  reviews: [],
  metadata: [],
  status: 'inactive' as const,
};
