import type { Account, Policies } from '@swim/contracts';
import { metadataOf } from '@swim/mongo';
import type { AccountPolicies } from './account.rules.js';
import type { AccountDocument } from './account.schema.js';

const policiesOf = (policies: AccountPolicies): Policies => ({
  free_cancellation_hours: policies.freeCancellationHours,
  late_fee_percent: policies.lateFeePercent,
  no_show_fee_percent: policies.noShowFeePercent,
  require_prepayment: policies.requirePrepayment,
  enforce_availability: policies.enforceAvailability,
  makeup_credits: policies.makeupCredits,
  progress_visible: policies.progressVisible,
  offer_url_template: policies.offerUrlTemplate ?? null,
});

/** Maps an account to the API's JSON. */
export const accountOf = (document: AccountDocument): Account => ({
  id: document._id,
  name: document.name,
  email: document.email,
  pending_email: document.pendingEmail?.address ?? null,
  kind: document.kind,
  timezone: document.timezone,
  locale: document.locale ?? 'en',
  currency: document.currency,
  policies: document.policies && policiesOf(document.policies),
  metadata: metadataOf(document.metadata),
  created_at: document.createdAt.toISOString(),
});
