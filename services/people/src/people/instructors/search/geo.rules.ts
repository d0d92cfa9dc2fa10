import type { SearchPlace } from '@swim/contracts';

/** Degrees, north and east positive. */
export interface Point {
  latitude: number;
  longitude: number;
}

/** Ranges of degrees that contain every point within a distance; two of longitude where it crosses the antimeridian. */
export interface Box {
  latitude: [number, number];
  longitudes: [number, number][];
}

// Mean radius of the earth, IUGG: great-circle distances are within 0.5 % of the true ones.
const EARTH_RADIUS_KM = 6371.0088;
const radians = (degrees: number): number => (degrees * Math.PI) / 180;
const degrees = (angle: number): number => (angle * 180) / Math.PI;

/** Great-circle distance in kilometres, by the haversine formula. */
export function distanceKm(a: Point, b: Point): number {
  const north = Math.sin(radians(b.latitude - a.latitude) / 2) ** 2;
  const east = Math.sin(radians(b.longitude - a.longitude) / 2) ** 2;
  const chord = north + Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude)) * east;
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(chord)));
}

/** A box around all points within `radius` kilometres, a little wider than needed. */
export function boxAround({ latitude, longitude, radius }: SearchPlace): Box {
  const angle = (radius / EARTH_RADIUS_KM) * 1.001;
  const south = latitude - degrees(angle);
  const north = latitude + degrees(angle);
  if (south <= -90 || north >= 90) return { latitude: [south, north], longitudes: [[-180, 180]] };
  const half = degrees(Math.asin(Math.min(1, Math.sin(angle) / Math.cos(radians(latitude)))));
  const [west, east] = [longitude - half, longitude + half];
  if (west < -180)
    return {
      latitude: [south, north],
      longitudes: [
        [west + 360, 180],
        [-180, east],
      ],
    };
  if (east > 180)
    return {
      latitude: [south, north],
      longitudes: [
        [west, 180],
        [-180, east - 360],
      ],
    };
  return { latitude: [south, north], longitudes: [[west, east]] };
}

/**
 * Kilometres to the nearest centre of an area that serves a place, to the metre; null without one. The centre lies within the radius of the
 * place, and the place within that of the area.
 */
export function nearestKm(place: SearchPlace, areas: readonly (Point & { radius_km: number })[]): number | null {
  const serving = areas.flatMap((area) => {
    const km = distanceKm(place, area);
    return km <= Math.min(place.radius, area.radius_km) ? [km] : [];
  });
  return serving.length > 0 ? Math.round(Math.min(...serving) * 1_000) / 1_000 : null;
}
