import { type Metadata, type MetadataPatch, mergeMetadata, metadata } from '@swim/contracts';
import { AppError } from '@swim/platform';

/** Metadata as a document stores it: as names of fields, its keys could be operators or paths. */
export type StoredMetadata = { k: string; v: string }[];

/** Definition of a field with metadata in a mongoose schema; absent where there is none. */
export const metadataField = { type: [{ _id: false, k: String, v: String }], default: undefined };

export const storedMetadata = (given: Metadata): StoredMetadata => Object.entries(given).map(([k, v]) => ({ k, v }));

/** Metadata as the API returns it. */
export const metadataOf = (stored: StoredMetadata | undefined): Metadata =>
  Object.fromEntries((stored ?? []).map(({ k, v }) => [k, v]));

/** Metadata after a change. Throws `too_long` when it would have too many keys. */
export function changedMetadata(now: Metadata, changes: MetadataPatch): Metadata {
  const merged = mergeMetadata(now, changes);
  if (metadata.safeParse(merged).success) return merged;
  throw new AppError('too_long', {
    field: 'metadata',
    message: 'metadata must have at most 50 keys after the change; null removes a key.',
    details: { max_items: 50 },
  });
}

/** The field of a document that a change of metadata sets; none where nothing differs. Throws as `changedMetadata`. */
export function metadataChange(
  stored: StoredMetadata | undefined,
  changes: MetadataPatch | undefined,
): { metadata?: StoredMetadata } {
  if (changes === undefined) return {};
  const [before, after] = [stored ?? [], storedMetadata(changedMetadata(metadataOf(stored), changes))];
  return JSON.stringify(before) === JSON.stringify(after) ? {} : { metadata: after };
}
