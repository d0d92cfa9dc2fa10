import type { ApiKey } from '@swim/contracts';
import { statusOfKey } from './key.rules.js';
import type { KeyDocument } from './key.schema.js';

/** Maps a key to the API's JSON at this time. */
export const apiKeyOf = (document: KeyDocument, now: Date): ApiKey => ({
  id: document._id,
  name: document.name,
  scopes: document.scopes,
  ip_allowlist: document.ipAllowlist,
  last4: document.last4,
  status: statusOfKey(document, now),
  expires_at: document.expiresAt?.toISOString() ?? null,
  last_used_at: document.lastUsedAt?.toISOString() ?? null,
  revoked_at: document.revokedAt?.toISOString() ?? null,
  replaced_by: document.rolledTo ?? null,
  created_at: document.createdAt.toISOString(),
  updated_at: (document.updatedAt ?? document.createdAt).toISOString(),
});
