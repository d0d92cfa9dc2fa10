/** The update that sets these fields. One that is undefined is removed: mongoose would ignore it, and the stored document differ. */
export function setOrUnset(fields: object): object {
  const isGone = ([, value]: [string, unknown]) => value === undefined;
  const gone = Object.entries(fields).filter(isGone);
  if (gone.length === 0) return { $set: fields };
  const rest = Object.entries(fields).filter((field) => !isGone(field));
  return { $set: Object.fromEntries(rest), $unset: Object.fromEntries(gone.map(([key]) => [key, 1])) };
}

/** The update that appends to arrays; without the operator when nothing is appended. */
export function pushing(arrays: Record<string, { $each: readonly unknown[]; $slice?: number }>): { $push?: object } {
  const some = Object.entries(arrays).filter(([, { $each }]) => $each.length > 0);
  return some.length === 0 ? {} : { $push: Object.fromEntries(some) };
}
