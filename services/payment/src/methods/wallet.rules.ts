/** A payment method in a wallet. */
export interface WalletMethod {
  /** `pm_…`, ours. */
  id: string;
  /** The processor's own name of it. */
  token: string;
  /** Name of the processor. */
  processor: string;
  brand: string;
  last4: string;
  /** 1 to 12. */
  expMonth: number;
  expYear: number;
}

/** What a wallet holds. */
export interface WalletContents {
  /** Newest first. */
  methods: WalletMethod[];
  /** Id of the default; null exactly when there are no methods. */
  defaultId: string | null;
}

/** The most methods that one account keeps. */
export const MOST_METHODS = 50;

export const isFull = ({ methods }: WalletContents): boolean => methods.length >= MOST_METHODS;

export const findMethod = ({ methods }: WalletContents, id: string): WalletMethod | null =>
  methods.find((method) => method.id === id) ?? null;

const newestFirst = (methods: WalletMethod[]): WalletMethod[] => [...methods].sort((a, b) => (a.id < b.id ? 1 : -1));

/** The wallet with one method more; the first becomes the default, whatever is asked. */
export function withMethod(
  { methods, defaultId }: WalletContents,
  added: WalletMethod,
  asDefault: boolean,
): WalletContents {
  return { methods: newestFirst([...methods, added]), defaultId: asDefault ? added.id : (defaultId ?? added.id) };
}

/** The wallet with one method less; the newest left takes the place of a default that goes. */
export function withoutMethod({ methods, defaultId }: WalletContents, id: string): WalletContents {
  const left = methods.filter((method) => method.id !== id);
  return { methods: left, defaultId: defaultId === id ? (left[0]?.id ?? null) : defaultId };
}

/**
 * Which method is the default once this one is, or is not: a default that steps down hands over to the newest other one.
 * Null when there is no other.
 */
export function defaultAfter({ methods, defaultId }: WalletContents, id: string, isDefault: boolean): string | null {
  if (isDefault) return id;
  if (defaultId !== id) return defaultId;
  return methods.find((method) => method.id !== id)?.id ?? null;
}

/** Part of a wallet's methods: those older than `afterId`, or those from `offset` on, at most `limit`; and whether more follow. */
export function sliceOf(
  methods: WalletMethod[],
  { afterId, offset = 0, limit }: { afterId?: string | undefined; offset?: number | undefined; limit: number },
): { items: WalletMethod[]; hasMore: boolean } {
  const from = afterId === undefined ? methods : methods.filter((method) => method.id < afterId);
  return { items: from.slice(offset, offset + limit), hasMore: from.length > offset + limit };
}
