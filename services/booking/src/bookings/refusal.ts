import { AppError } from '@swim/platform';
import type { Refusal } from './ledger.rules.js';

/** Throws what a rule has refused. */
export function refuse({ reason, ...extras }: Refusal): never {
  throw new AppError(reason, extras);
}
