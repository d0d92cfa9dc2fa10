import { z } from 'zod';
import { locale } from '../accounts/accounts.js';
import { currency, id, notBlank } from '../formats/formats.js';
import { email } from '../formats/person.js';
import { type AccountKind, accountKind, SCOPES, type Scope, scope } from '../operations/principal.js';

/** What a user of the dashboard may do (contract, Accounts), from most to least. */
export const ROLES = ['owner', 'admin', 'developer', 'viewer', 'guardian', 'instructor'] as const;
export const role = z.enum(ROLES);
export type Role = z.output<typeof role>;

const OF_EACH = ['owner', 'admin', 'developer', 'viewer'] as const;
/** The roles that a kind of account has. */
export const ROLES_OF_KIND: Readonly<Record<AccountKind, readonly Role[]>> = {
  family: [...OF_EACH, 'guardian'],
  school: [...OF_EACH, 'instructor'],
};

const NOT_READ: readonly Scope[] = ['members:medical'];
const READS = SCOPES.filter((each) => each.endsWith(':read') && !NOT_READ.includes(each));

/** The scopes of each role. Roles, which no scope covers, are the owners'. */
export const SCOPES_OF_ROLE: Readonly<Record<Role, readonly Scope[]>> = {
  owner: SCOPES,
  admin: SCOPES.filter((each) => each !== 'accounts:erase'),
  developer: [...READS, 'keys:write', 'webhooks:write'],
  viewer: READS,
  // Books, pays and reads.
  guardian: [
    'accounts:read',
    'sessions:write',
    'instructors:read',
    'members:read',
    'members:medical',
    'bookings:write',
    'payments:write',
    'events:read',
  ],
  // What an instructor may do depends on whom it teaches: no scope says that (`instructorId` of a principal).
  instructor: [],
};

/** The ways to complete a sign-in after the password. */
export const SECOND_FACTORS = ['totp', 'passkey', 'recovery_code'] as const;

/** Keyboards compose the same characters differently (NIST SP 800-63B, section 3.1.1.2). */
const passwordText = z.string().normalize('NFKC');

/** A password as somebody chooses it: 10 to 200 characters (section 3.1.1.2), none of them excluded. */
export const newPassword = passwordText
  .min(10, { error: 'too_short' })
  .max(200, { error: 'too_long', abort: true })
  .refine((value) => value.isWellFormed(), { error: 'forbidden_characters' });

/** A password to compare: whatever was sent, within the longest that could have been chosen. */
export const presentedPassword = passwordText
  .min(1, { error: 'too_short' })
  .max(200, { error: 'too_long', abort: true });

/** The token of a link in an e-mail. */
export const linkToken = z.string().min(1, { error: 'too_short' }).max(500, { error: 'too_long', abort: true });

/** The signed-in user, the account, and what the user may do there: the answer of `/dashboard/api/me`. */
export const dashboardMe = z.object({
  user: z.object({
    id: z.string(),
    name: z.string(),
    email: z.string(),
    locale,
    role,
    /** The instructor that a user of that role is. */
    instructor_id: z.string().nullable(),
    second_factors: z.object({ totp: z.boolean(), passkeys: z.int(), recovery_codes_left: z.int() }),
  }),
  account: z.object({
    id: z.string(),
    name: z.string(),
    kind: accountKind,
    timezone: z.string(),
    currency,
    locale,
    /** How far its clock in the sandbox is ahead, which no role needs a scope to know. */
    clock_offset_seconds: z.int().optional(),
  }),
  /** Those that the account has, as values of the header `Swim-Environment`. */
  environments: z.array(z.enum(['live', 'sandbox'])),
  scopes: z.array(scope),
});
export type DashboardMe = z.output<typeof dashboardMe>;

/** Cookies that an answer sets; the gateway writes them, and answers `data` alone. Null removes one. */
export const cookieChanges = z.object({
  session: z
    .object({
      token: z.string(),
      /** For how long the browser keeps it; null: until it is closed. */
      keptSeconds: z.int().nullable(),
    })
    .nullish(),
  secondFactor: z.object({ token: z.string(), keptSeconds: z.int() }).nullish(),
  /** The token by which the browser is known at the next sign-in of the user. */
  device: z.string().optional(),
});
export type CookieChanges = z.output<typeof cookieChanges>;

/** An answer with cookies. */
export const withCookies = <S extends z.ZodType>(data: S) => z.object({ cookies: cookieChanges, data });

/** SHA-256 of the secret of a cookie, base64url: sufficient to verify it, but not to use it. */
export const secretDigest = z.string().regex(/^[A-Za-z0-9_-]{43}$/, { error: 'invalid_format' });

/** Users of one browser whose sign-ins it is known by. */
export const MOST_DEVICES = 8;
/** The tokens of `CookieChanges.device` that a browser presents. */
export const presentedDevices = z
  .array(z.string().max(300, { error: 'too_long' }))
  .max(MOST_DEVICES, { error: 'too_many' })
  .default([]);

/** A cookie as the gateway passes it on: the id in it, and the digest of its secret. */
export const presentedCookie = z.strictObject({ id: z.string(), digest: secretDigest });
export type PresentedCookie = z.output<typeof presentedCookie>;

/** Fields that a sign-up, an invitation and a user have in common. */
export const userFields = {
  name: notBlank(200),
  email: email.transform((address) => address.toLowerCase()),
};

/** The session of the request, which the gateway names. */
export const ofSession = { sessionId: id('uss') };
