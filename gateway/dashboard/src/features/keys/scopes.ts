/** The resources to which a key can be given access, in the order in which the form offers them. */
export const RESOURCES = [
  'sessions',
  'bookings',
  'instructors',
  'members',
  'payments',
  'webhooks',
  'accounts',
  'keys',
] as const;
export type ScopedResource = (typeof RESOURCES)[number];

/** Access to one resource; writing includes reading. */
export const ACCESS = ['none', 'read', 'write'] as const;
export type Access = (typeof ACCESS)[number];

/** Scopes that stand for themselves. */
export const SINGLE_SCOPES = ['events:read', 'members:medical', 'accounts:erase'] as const;

/** The scopes that are selected for a new key: the default of the API, which leaves out those that can do most harm. */
export const DEFAULT_SCOPES: readonly string[] = [
  ...RESOURCES.filter((each) => each !== 'keys').map((each) => `${each}:write`),
  'keys:read',
  'events:read',
];

/** The access that scopes give to a resource. */
export function accessOf(scopes: readonly string[], resource: ScopedResource): Access {
  if (scopes.includes(`${resource}:write`)) return 'write';
  return scopes.includes(`${resource}:read`) ? 'read' : 'none';
}

/** Scopes with another access to a resource. */
export function withAccess(scopes: readonly string[], resource: ScopedResource, access: Access): string[] {
  const others = scopes.filter((each) => each !== `${resource}:read` && each !== `${resource}:write`);
  return access === 'none' ? others : [...others, `${resource}:${access}`];
}

/** Scopes with, or without, one that stands for itself. */
export const withScope = (scopes: readonly string[], scope: string, isIn: boolean): string[] => [
  ...scopes.filter((each) => each !== scope),
  ...(isIn ? [scope] : []),
];

/** The scopes of those that a maker may give who has `own`: nobody gives what they lack. */
export function grantable(scopes: readonly string[], own: readonly string[]): string[] {
  return scopes.flatMap((scope) => {
    const [resource, action] = scope.split(':') as [string, string];
    if (own.includes(scope) || (action === 'read' && own.includes(`${resource}:write`))) return [scope];
    return action === 'write' && own.includes(`${resource}:read`) ? [`${resource}:read`] : [];
  });
}

/** Lines, or a list with commas, as a list of addresses. */
export const addressesOf = (text: string): string[] => text.split(/[\s,;]+/).filter((each) => each !== '');
