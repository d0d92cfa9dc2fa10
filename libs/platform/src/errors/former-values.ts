const ALWAYS_CHANGED = new Set(['version', 'updated_at']);

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/**
 * Former values of the changed fields of an API object, for an event's `previous_attributes`; without version and time of change.
 */
export const formerValues = (before: object, after: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(before).filter(
      ([key, value]) => !ALWAYS_CHANGED.has(key) && !same(value, (after as Record<string, unknown>)[key]),
    ),
  );
