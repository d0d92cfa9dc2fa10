import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { boxAround, distanceKm, nearestKm } from './geo.rules.js';

const BERLIN = { latitude: 52.52, longitude: 13.405 };
const PARIS = { latitude: 48.8566, longitude: 2.3522 };
const latitude = fc.double({ min: -90, max: 90, noNaN: true });
const longitude = fc.double({ min: -180, max: 180, noNaN: true });

describe('distance', () => {
  it('is 878 km from Berlin to Paris, zero from a point to itself, and symmetric', () => {
    expect(distanceKm(BERLIN, PARIS)).toBeCloseTo(877.5, 0);
    expect(distanceKm(BERLIN, BERLIN)).toBe(0);
    expect(distanceKm(PARIS, BERLIN)).toBe(distanceKm(BERLIN, PARIS));
  });

  it('crosses the antimeridian by the short way', () => {
    expect(distanceKm({ latitude: 0, longitude: 179.9 }, { latitude: 0, longitude: -179.9 })).toBeCloseTo(22.24, 1);
  });

  it('is to the nearest centre, and null beyond the radius that is asked for or that of the area', () => {
    const near = { latitude: 52.53, longitude: 13.405, radius_km: 15 };
    const paris = { ...PARIS, radius_km: 500 };
    const place = { ...BERLIN, radius: 200 };
    expect(nearestKm(place, [paris, near])).toBeCloseTo(1.112, 2);
    expect(nearestKm({ ...place, radius: 1 }, [near])).toBeNull();
    expect(nearestKm({ ...place, latitude: 52.77 }, [near])).toBeNull();
    expect(nearestKm({ ...place, latitude: 52.77 }, [near, { ...near, radius_km: 30 }])).toBeCloseTo(26.7, 1);
    expect(nearestKm(place, [paris])).toBeNull();
    expect(nearestKm(place, [])).toBeNull();
  });
});

describe('the box around a place', () => {
  it('contains every point within the radius, also at the poles and the antimeridian', () => {
    const place = fc.record({ latitude, longitude, radius: fc.double({ min: 0.001, max: 200, noNaN: true }) });
    const near = fc.record({
      north: fc.double({ min: -2, max: 2, noNaN: true }),
      east: fc.double({ min: -180, max: 180, noNaN: true }),
    });
    fc.assert(
      fc.property(place, near, ({ radius, ...centre }, { north, east }) => {
        const point = {
          latitude: Math.max(-90, Math.min(90, centre.latitude + north)),
          longitude: ((centre.longitude + east * Math.abs(north) + 540) % 360) - 180,
        };
        fc.pre(distanceKm(centre, point) <= radius);
        const box = boxAround({ ...centre, radius });
        expect(point.latitude).toBeGreaterThanOrEqual(box.latitude[0]);
        expect(point.latitude).toBeLessThanOrEqual(box.latitude[1]);
        expect(box.longitudes.some(([west, east]) => point.longitude >= west && point.longitude <= east)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});
