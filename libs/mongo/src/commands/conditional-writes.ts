const DUPLICATE = 11_000;

/** Whether a write failed because a unique value is taken; for a batch, whether it had no other error. */
export function isDuplicate(error: unknown): boolean {
  const { code, writeErrors } = (error ?? {}) as { code?: unknown; writeErrors?: { code?: unknown }[] };
  return code === DUPLICATE && (!Array.isArray(writeErrors) || writeErrors.every((each) => each.code === DUPLICATE));
}

/**
 * An update that sets fields only if the date in `field` has passed by the database's clock. Values are expressions; one of
 * them must differ from the stored value. Without a date in `field` it does nothing. The clock is read in the pipeline: some
 * engines do not support `$$NOW` in the filter of an update.
 */
export const oncePast = (field: string, set: Record<string, unknown>): object[] => setIf(hasPassed(field), set);

/** The condition that the date in `field` has passed by the database's clock. */
// Null and an absent field sort before all dates.
export const hasPassed = (field: string): object => ({
  $and: [{ $gt: [`$${field}`, null] }, { $lt: [`$${field}`, '$$NOW'] }],
});

/** The condition that this instant has not passed by the database's clock: a late commit changes nothing. */
export const hasNotPassed = (until: Date): object => ({ $gt: [until, '$$NOW'] });

/** An update that sets fields to the values of these expressions only if the condition holds. */
export function setIf(condition: object, set: Record<string, unknown>): object[] {
  const conditional = Object.entries(set).map(([key, value]) => [key, valueIf(condition, value, key)]);
  return [{ $set: Object.fromEntries(conditional) }];
}

/** This value if the condition holds, else that of the field as it is, or none. */
export const valueIf = (condition: object, value: unknown, field: string): object => ({
  $cond: [condition, value, { $cond: [{ $eq: [{ $type: `$${field}` }, 'missing'] }, '$$REMOVE', `$${field}`] }],
});
