const DUPLICATE = 11_000;

/** Whether a write failed because a unique value is taken; for a batch, whether it had no other error. */
export function isDuplicate(error: unknown): boolean {
  const { code, writeErrors } = (error ?? {}) as { code?: unknown; writeErrors?: { code?: unknown }[] };
  return code === DUPLICATE && (!Array.isArray(writeErrors) || writeErrors.every((each) => each.code === DUPLICATE));
}

/** Index of the document at which an ordered batch of inserts failed. */
export const indexOfFailure = (error: unknown): number =>
  (error as { writeErrors?: { index: number }[] }).writeErrors?.[0]?.index ?? 0;

/**
 * An update that sets fields only if the date in `field` has passed by the database's clock. Values are expressions; one of
 * them must differ from the stored value. Without a date in `field` it does nothing. The clock is read in the pipeline: some
 * engines do not support `$$NOW` in the filter of an update.
 */
export function oncePast(field: string, set: Record<string, unknown>): object[] {
  // Null and an absent field sort before all dates.
  return setIf({ $and: [{ $gt: [`$${field}`, null] }, { $lt: [`$${field}`, '$$NOW'] }] }, set);
}

/** As `oncePast`, but only if this instant has not passed: a late commit changes nothing. */
export const notPast = (until: Date, set: Record<string, unknown>): object[] => setIf({ $gt: [until, '$$NOW'] }, set);

function setIf(condition: object, set: Record<string, unknown>): object[] {
  const asItIs = (key: string) => ({ $cond: [{ $eq: [{ $type: `$${key}` }, 'missing'] }, '$$REMOVE', `$${key}`] });
  const conditional = Object.entries(set).map(([key, value]) => [key, { $cond: [condition, value, asItIs(key)] }]);
  return [{ $set: Object.fromEntries(conditional) }];
}
