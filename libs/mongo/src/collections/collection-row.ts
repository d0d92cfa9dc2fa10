import type { IdPrefix } from '@swim/contracts';

/**
 * What an erasure of an account does with the documents of a collection.
 * - `remove`: removes those that name the account in this field.
 * - `clear`: replaces personal fields by these values in those that name the account in one of these fields. `left` matches
 *   a document that still has personal data, `among` those that may have some, where an index needs that.
 * - `by_service`: code of the service, since events or other documents depend on it.
 * - `keep`: contains no personal data.
 */
export type CollectionErasure =
  | { readonly how: 'remove'; readonly of: string }
  | {
      readonly how: 'clear';
      readonly of: readonly string[];
      readonly among?: Readonly<Record<string, unknown>>;
      readonly left: readonly Readonly<Record<string, unknown>>[];
      readonly set: Readonly<Record<string, unknown>>;
    }
  | { readonly how: 'by_service' }
  | { readonly how: 'keep' };

/**
 * What a reset of a test account does with the documents of a collection that were made before it
 * (`docs/adr/0015-sandbox-resets.md`).
 * - `remove`: removes those that name the account in the field `of`, but those that match `unless` at that time.
 * - `detach`: the account ceases to be a reader; other accounts keep theirs.
 * - `by_service`: code of the service.
 * - `keep`: nothing that a client sees as the account's.
 */
export type CollectionReset =
  | {
      readonly how: 'remove';
      readonly of: string;
      readonly madeBy?: MadeBy;
      readonly unless?: (now: Date) => Readonly<Record<string, unknown>>;
    }
  | { readonly how: 'detach'; readonly madeBy?: MadeBy }
  | { readonly how: 'by_service' }
  | { readonly how: 'keep' };

/** The field of a document whose id has the time that decides: of the document, or of the object to which it belongs; by default `createdAt` decides. */
interface MadeBy {
  readonly field: string;
  readonly ids: IdPrefix;
}

/** Injection token of a service's `Collections`. */
export const COLLECTIONS = Symbol('collections');

/** The rows of a service's collections by their names; erasures and resets go through them in this order. */
export type Collections = Readonly<Record<string, CollectionRow>>;

/** How erasure, reset and export of an account treat a collection, and why. */
export interface CollectionRow {
  readonly erase: CollectionErasure;
  readonly reset: CollectionReset;
  /** The part of an export that contains it; null: none. */
  readonly exportedAs: string | null;
  /** The reason. */
  readonly why: string;
}
