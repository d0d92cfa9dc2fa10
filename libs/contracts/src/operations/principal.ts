import { z } from 'zod';

/** The rights of a key. `:write` includes `:read`. */
export const SCOPES = [
  'accounts:read',
  'accounts:write',
  'keys:read',
  'keys:write',
  'sessions:read',
  'sessions:write',
  'instructors:read',
  'instructors:write',
  'members:read',
  'members:write',
  'bookings:read',
  'bookings:write',
  'payments:read',
  'payments:write',
  'webhooks:read',
  'webhooks:write',
  'events:read',
  'members:medical',
  'accounts:erase',
] as const;

/** One scope of an API key. */
export const scope = z.enum(SCOPES);
export type Scope = z.output<typeof scope>;

const ON_REQUEST_ONLY: readonly Scope[] = ['members:medical', 'keys:write', 'accounts:erase'];

/** The default scopes of a new key: all but those that must be requested. */
export const DEFAULT_SCOPES: readonly Scope[] = SCOPES.filter((each) => !ON_REQUEST_ONLY.includes(each));

/** Kinds of account: a school owns instructors and pools; a family (or club) owns members. */
export const accountKind = z.enum(['family', 'school']);
export type AccountKind = z.output<typeof accountKind>;

/** The principal of a request: the account, environment and rights of its key. */
export const principal = z.strictObject({
  accountId: z.string(),
  kind: accountKind,
  env: z.enum(['live', 'test']),
  /** The key, or the user of the dashboard: the actor in events and logs. */
  keyId: z.string(),
  /** The user of the dashboard; absent for a key. */
  userId: z.string().optional(),
  scopes: z.array(scope),
  /** The key has ended by being rolled less than a minute ago: it may only repeat the request that rolled it. */
  mayOnlyRepeatRoll: z.literal(true).optional(),
  /** The instructor that a user of that role is: it may do what the table of routes grants to instructors, for its own lessons. */
  instructorId: z.string().optional(),
  /** The school whose key or user this is: it acts for the account, which it has made and nobody has claimed. */
  actingSchoolId: z.string().optional(),
  /** Until when the user of the dashboard counts as confirmed, ISO 8601 UTC; absent for a key, and for a cookie that was replaced. */
  confirmedUntil: z.string().optional(),
  /** When the account's erasure begins, ISO 8601 UTC; until then it is read-only. Absent unless it is closing. */
  closing: z.string().optional(),
});
export type Principal = z.output<typeof principal>;

/** Whether these scopes grant the required one; `x:write` grants `x:read`. */
export function grants(scopes: readonly Scope[], required: Scope): boolean {
  if (scopes.includes(required)) return true;
  return required.endsWith(':read') && scopes.includes(required.replace(/:read$/, ':write') as Scope);
}
