import { AppError, missingScope, type RequestContext } from '@swim/platform';
import { type Excess, MOST_ACTIVE_KEYS } from './key.rules.js';

const WITHIN = {
  expires_at: 'no later than the end of the key of this request',
  ip_allowlist: 'addresses within the ip_allowlist of the key of this request',
  key_id: 'the id of a key that allows no more than the key of this request',
};

/** Throws `missing_scope` or `out_of_range` for rights that the requesting key does not have. */
export function rejectExcess(excess: Excess | null, { principal }: RequestContext, field?: 'key_id'): void {
  if (excess === null) return;
  if (excess.term !== 'scopes') {
    const at = field ?? excess.term;
    throw new AppError('out_of_range', { field: at, bounds: { expected: WITHIN[at] } });
  }
  throw missingScope(excess.scope, principal);
}

export const noScopes = (): AppError =>
  new AppError('required', {
    field: 'scopes',
    message: 'scopes is required: the key of this request has none of the default scopes.',
    bounds: { expected: 'scopes of the key of this request' },
  });

export const tooManyKeys = (): AppError =>
  new AppError('limit_reached', {
    message: `An account may have ${MOST_ACTIVE_KEYS} active API keys. Revoke one first.`,
    details: { maximum: MOST_ACTIVE_KEYS },
  });
