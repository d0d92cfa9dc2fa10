const DUPLICATE = 11_000;

/** Whether a write failed because a unique value is taken; of a batch, whether nothing else went wrong. */
export function isDuplicate(error: unknown): boolean {
  const { code, writeErrors } = (error ?? {}) as { code?: unknown; writeErrors?: { code?: unknown }[] };
  return code === DUPLICATE && (!Array.isArray(writeErrors) || writeErrors.every((each) => each.code === DUPLICATE));
}

/** At which of the documents a batch of inserts failed that was done one after the other. */
export const indexOfFailure = (error: unknown): number =>
  (error as { writeErrors?: { index: number }[] }).writeErrors?.[0]?.index ?? 0;

/**
 * An update that sets fields only if the date in `field` has passed by the database's own clock. Values are expressions; one
 * of them has to differ from what is stored. Without a date in `field` nothing has passed.
 * The clock is asked in the pipeline: some engines do not know `$$NOW` in the filter of an update.
 */
export function oncePast(field: string, set: Record<string, unknown>): object[] {
  // Null and an absent field sort before all dates.
  return setIf({ $and: [{ $gt: [`$${field}`, null] }, { $lt: [`$${field}`, '$$NOW'] }] }, set);
}

/** The same, only if this instant has not passed: a commit that comes too late changes nothing. */
export const notPast = (until: Date, set: Record<string, unknown>): object[] => setIf({ $gt: [until, '$$NOW'] }, set);

function setIf(condition: object, set: Record<string, unknown>): object[] {
  const asItIs = (key: string) => ({ $cond: [{ $eq: [{ $type: `$${key}` }, 'missing'] }, '$$REMOVE', `$${key}`] });
  const conditional = Object.entries(set).map(([key, value]) => [key, { $cond: [condition, value, asItIs(key)] }]);
  return [{ $set: Object.fromEntries(conditional) }];
}
