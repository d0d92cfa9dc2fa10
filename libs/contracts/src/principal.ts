import { z } from 'zod';

/** What a key may do. `:write` includes `:read`. */
export const SCOPES = [
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
] as const;

/** One scope of an API key. */
export const scope = z.enum(SCOPES);
export type Scope = z.output<typeof scope>;

/** Kinds of account: a school owns instructors and pools; a family (or club) owns members. */
export const accountKind = z.enum(['family', 'school']);
export type AccountKind = z.output<typeof accountKind>;

/** Who a request speaks for: the account, environment and rights of its key. */
export const principal = z.strictObject({
  accountId: z.string(),
  kind: accountKind,
  env: z.enum(['live', 'test']),
  keyId: z.string(),
  scopes: z.array(scope),
});
export type Principal = z.output<typeof principal>;

/** Whether these scopes grant the one asked for; `x:write` grants `x:read`. */
export function grants(scopes: readonly Scope[], wanted: Scope): boolean {
  if (scopes.includes(wanted)) return true;
  return wanted.endsWith(':read') && scopes.includes(wanted.replace(/:read$/, ':write') as Scope);
}
