import type { Instructor, Pool, UpdateInstructorBody } from '@swim/sdk';

/** The fields of the form of a profile, as typed. */
export interface ProfileValues {
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly bio: string;
  readonly languages: string;
  readonly levels: readonly Instructor['levels_taught'][number][];
  readonly pools: readonly string[];
}

type Area = Instructor['service_areas'][number];
export type Place = Pick<Pool, 'id' | 'name' | 'latitude' | 'longitude'>;

/** Kilometres from which a search by place finds the instructors of a pool. */
const REACH_KM = 50;

/** The pools in which an instructor teaches. */
export const poolIdsOf = (areas: readonly Area[]): string[] => areas.flatMap(({ pool_ids: ids }) => ids ?? []);

/** The areas of an instructor who teaches in the chosen ones of some pools: a new pool makes an area, and other areas and pools stay. */
export function areasWith(areas: readonly Area[], chosen: readonly string[], pools: readonly Place[]): Area[] {
  const isLeft = (id: string) => pools.some((pool) => pool.id === id) && !chosen.includes(id);
  const known = poolIdsOf(areas);
  const added = pools.filter(({ id }) => chosen.includes(id) && !known.includes(id));
  return [
    ...areas
      .filter(({ pool_ids: ids = [] }) => ids.length === 0 || !ids.every(isLeft))
      .map((area) => ({ ...area, pool_ids: poolIdsOf([area]).filter((id) => !isLeft(id)) })),
    ...added.map(({ id, name, latitude, longitude }) => ({
      name,
      latitude,
      longitude,
      radius_km: REACH_KM,
      pool_ids: [id],
    })),
  ];
}

/** The form of an instructor as it is stored. */
export const valuesOf = (instructor: Instructor): ProfileValues => ({
  name: instructor.name,
  email: instructor.email,
  phone: instructor.phone ?? '',
  bio: instructor.bio ?? '',
  languages: instructor.languages.join(', '),
  levels: instructor.levels_taught,
  pools: poolIdsOf(instructor.service_areas),
});

/** The body of a request for the form. Languages are separated by commas; each counts once. */
export const bodyOf = (
  { name, email, phone, bio, languages, levels, pools: chosen }: ProfileValues,
  areas: readonly Area[],
  pools: readonly Place[],
): UpdateInstructorBody => ({
  name: name.trim(),
  email: email.trim(),
  phone: phone.trim() || null,
  bio: bio.trim() || null,
  languages: [...new Set(languages.split(',').map((each) => each.trim()))].filter((each) => each !== ''),
  levels_taught: [...levels],
  service_areas: areasWith(areas, chosen, pools),
});
