import { z } from 'zod';
import { addsReasons, dateOrInstant, expects, notBlank } from '../formats/formats.js';
import { severalIds } from '../formats/list-query.js';
import { searchText } from '../formats/person.js';

/** A place in decimal degrees, and a radius in kilometres. */
export const coordinates = z.strictObject({
  latitude: z.number().min(-90, { error: 'out_of_range' }).max(90, { error: 'out_of_range' }),
  longitude: z.number().min(-180, { error: 'out_of_range' }).max(180, { error: 'out_of_range' }),
  radius: z.number().positive({ error: 'out_of_range' }).max(200, { error: 'out_of_range' }).meta({
    unit: 'kilometres',
    description:
      'Kilometres from the place to the centre of a service area, at most; the place lies within the `radius_km` of the area too',
  }),
});
/** A place to search around; `radius` in kilometres. */
export type SearchPlace = z.output<typeof coordinates>;

const { latitude, longitude, radius } = coordinates.shape;
const decimal = z
  .string()
  // With a negative exponent, as JavaScript and Python spell numbers next to 0.
  .regex(/^[+-]?\d{1,3}(?:\.\d{1,30})?(?:[eE]-\d{1,3})?$/, { error: 'invalid_format' })
  .transform(Number);

const parsedJson = z
  .string()
  .max(500)
  .transform((json, context): unknown => {
    try {
      return JSON.parse(json);
    } catch {
      context.addIssue({ code: 'custom', message: 'invalid_json', input: json });
      return z.NEVER;
    }
  })
  .meta({
    ...addsReasons('invalid_json'),
    ...expects(
      'coordinates, written as location[latitude]=51.5&location[longitude]=-0.12&location[radius]=10, or location={"latitude":51.5,"longitude":-0.12,"radius":10}',
    ),
  });

const PLACE_KEYS = ['location[latitude]', 'location[longitude]', 'location[radius]'] as const;

/**
 * Filters of a search for instructors (contract, Instructors). The place is spelled out or given as JSON in `location`;
 * `wholePlace` checks that it is complete.
 */
export const searchFilters = {
  account_id: severalIds('acct')
    .meta({ description: 'At most 100 identifiers of schools, comma-separated: only their instructors' })
    .optional(),
  search: searchText.optional(),
  certification: notBlank(100).optional(),
  available_date: dateOrInstant
    .meta({
      description:
        'A date: any free slot that day in the zone of the instructor. An instant: free from then. For 30 minutes, at `GET /availability` for `duration_minutes`.',
    })
    .optional(),
  location: parsedJson.pipe(coordinates).optional(),
  'location[latitude]': decimal.pipe(latitude).optional(),
  'location[longitude]': decimal.pipe(longitude).optional(),
  'location[radius]': decimal.pipe(radius).optional(),
};
type SearchFilters = z.output<z.ZodObject<typeof searchFilters>>;

/** Adds the issues of a place that is given in part, or twice: for `superRefine`. Its reasons are `PLACE_REASONS`. */
export const wholePlace = (query: SearchFilters, context: z.RefinementCtx): void => {
  const given = PLACE_KEYS.filter((key) => query[key] !== undefined);
  if (given.length === 0) return;
  const reject = (key: string, message: string, params = {}) =>
    context.addIssue({ code: 'custom', path: [key], message, params });
  if (query.location) reject('location', 'mutually_exclusive', { excludes: given[0] });
  for (const key of PLACE_KEYS) if (!given.includes(key)) reject(key, 'required');
};
export const PLACE_REASONS = ['mutually_exclusive', 'required'] as const;

/** The place to search around, in either spelling; undefined without one. */
export function placeOf(query: SearchFilters): SearchPlace | undefined {
  if (query.location) return query.location;
  const [lat, long, km] = PLACE_KEYS.map((key) => query[key]);
  return lat === undefined ? undefined : { latitude: lat, longitude: long!, radius: km! };
}
