import type { FactorsDocument } from './factors.schema.js';

/** Whether a code of an app is required at sign-ins. */
export const hasTotp = ({ totp }: Pick<FactorsDocument, 'totp'>): boolean => totp?.confirmedAt instanceof Date;

/** Whether sign-ins have a second step. */
export const hasFactor = (factors: Pick<FactorsDocument, 'totp' | 'passkeys'>): boolean =>
  hasTotp(factors) || factors.passkeys.length > 0;
