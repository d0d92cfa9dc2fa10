import { AppError } from '@swim/platform';
import type { Rejection } from '../../money/ledger.rules.js';

/** Throws the error of a rejection. */
export function throwRejection({ reason, ...extras }: Rejection): never {
  throw new AppError(reason, extras);
}
