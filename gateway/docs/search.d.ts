import type MiniSearch from 'minisearch';

export interface Found {
  /** Its address. */
  readonly id: string;
}

export function indexOf<T extends object>(library: typeof MiniSearch<T>, entries: readonly T[]): MiniSearch<T>;

export function find<T>(
  index: MiniSearch<T>,
  query: string,
): { found: Found[]; isPartial: boolean; suggestion?: string | undefined };
