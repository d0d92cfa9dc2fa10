import { Temporal } from 'temporal-polyfill';
import { z } from 'zod';
import { addsReasons, expects } from './formats.js';

/** Name as it was sent → the database's spelling of it. */
const ZONES = new Map<string, string>();
const MAX_ZONE_LENGTH = 64;

/**
 * The spelling that the IANA database has of a zone; null where Temporal, which computes all local times, knows none of that
 * name. Intl knows abbreviations besides, of which Temporal computes nothing.
 */
export function zoneNamed(name: string): string | null {
  const known = ZONES.get(name);
  if (known !== undefined) return known;
  if (name.length > MAX_ZONE_LENGTH || !/^[A-Za-z]/.test(name) || /^SystemV\//i.test(name)) return null;
  let spelling: string;
  try {
    spelling = new Temporal.ZonedDateTime(0n, name).timeZoneId;
  } catch {
    return null;
  }
  // Caches existing names only: otherwise clients could fill the memory.
  if (ZONES.size < 5000) ZONES.set(name, spelling);
  return spelling;
}

/** What to send in place of abbreviations, which several zones share or have for a part of the year. */
const MEANT: Readonly<Record<string, string>> = {
  IST: 'Asia/Kolkata, Europe/Dublin or Asia/Jerusalem',
  BST: 'Europe/London',
  CEST: 'Europe/Berlin',
  EDT: 'America/New_York',
  CST: 'America/Chicago or Asia/Shanghai',
  CDT: 'America/Chicago',
  MDT: 'America/Denver',
  PST: 'America/Los_Angeles',
  PDT: 'America/Los_Angeles',
  AST: 'America/Halifax',
  NST: 'America/St_Johns',
  JST: 'Asia/Tokyo',
  AEST: 'Australia/Sydney',
};
const A_ZONE = 'the name of a time zone of the IANA database, such as Europe/Berlin';

/** IANA time-zone name, in whatever case it was sent; the value has the database's. */
export const timezone = z
  .string()
  .max(MAX_ZONE_LENGTH, { error: 'unknown_timezone', abort: true })
  .superRefine((name, context) => {
    if (zoneNamed(name) !== null) return;
    const abbreviation = name.toUpperCase();
    const meant = Object.hasOwn(MEANT, abbreviation) ? `; for ${abbreviation} send ${MEANT[abbreviation]}` : '';
    const params = { expected: `${A_ZONE}${meant}` };
    context.addIssue({ code: 'custom', message: 'unknown_timezone', input: name, params });
  })
  .overwrite((name) => zoneNamed(name) ?? name)
  .meta({
    ...expects(A_ZONE),
    ...addsReasons('unknown_timezone'),
    maxLength: MAX_ZONE_LENGTH,
    pattern: '^[A-Za-z][A-Za-z0-9_+/-]*$',
    description: 'IANA time zone',
    examples: ['Europe/Berlin'],
  });
