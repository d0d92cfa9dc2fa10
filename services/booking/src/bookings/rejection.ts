import { AppError } from '@swim/platform';
import type { Rejection } from './ledger.rules.js';

/** Throws what a rule has rejected. */
export function throwRejection({ reason, ...extras }: Rejection): never {
  throw new AppError(reason, extras);
}
