/** A payment method in a wallet. */
export interface WalletMethod {
  /** `pm_…`, our own id. */
  id: string;
  /** The processor's id. */
  token: string;
  /** Name of the processor. */
  processor: string;
  brand: string;
  last4: string;
  /** 1 to 12. */
  expMonth: number;
  expYear: number;
  /** When it became or ceased to be the default; absent: not since it was added. */
  updatedAt?: Date;
}

/** The content of a wallet. */
export interface WalletContents {
  /** Newest first. */
  methods: WalletMethod[];
  /** Id of the default; null exactly when there are no methods. */
  defaultId: string | null;
  /** The processor's id of the account; null before the first method, and where the processor keeps no customers. */
  customerId?: string | null;
  /** Methods that payments are charging by consent: they are not removed meanwhile. */
  charging?: { methodId: string; paymentId: string }[];
  /** Tokens of removed methods that the processor still keeps. */
  detaching?: string[];
}

/** Maximum number of methods per account. */
export const MOST_METHODS = 50;

export const isFull = ({ methods }: WalletContents): boolean => methods.length >= MOST_METHODS;

export const findMethod = ({ methods }: WalletContents, id: string): WalletMethod | null =>
  methods.find((method) => method.id === id) ?? null;

const newestFirst = (methods: WalletMethod[]): WalletMethod[] => [...methods].sort((a, b) => (a.id < b.id ? 1 : -1));

/** The wallet with one method more; the first becomes the default, whatever is requested. */
export function withMethod(
  { methods, defaultId }: WalletContents,
  added: WalletMethod,
  asDefault: boolean,
): WalletContents {
  return { methods: newestFirst([...methods, added]), defaultId: asDefault ? added.id : (defaultId ?? added.id) };
}

/** The wallet without a method; the newest remaining one becomes the default when the default is removed. */
export function withoutMethod(now: WalletContents, id: string): WalletContents {
  const { methods, defaultId, detaching = [] } = now;
  const left = methods.filter((method) => method.id !== id);
  const after = { methods: left, defaultId: defaultId === id ? (left[0]?.id ?? null) : defaultId };
  const token = findMethod(now, id)?.token;
  const isKept = !now.customerId || token === undefined || left.some((method) => method.token === token);
  return isKept ? after : { ...after, detaching: [...detaching, token] };
}

/** Whether the processor is about to remove this method, which then can never be attached again. */
export const isDetaching = ({ detaching = [] }: WalletContents, token: string): boolean => detaching.includes(token);

/** The methods of a wallet after a change of it: those whose being the default differs from `before` are changed now. */
export const withTimes = (before: WalletContents, { methods, defaultId }: WalletContents, now: Date): WalletMethod[] =>
  methods.map((method) => {
    const isMoved = defaultId !== before.defaultId && [defaultId, before.defaultId].includes(method.id);
    return isMoved && findMethod(before, method.id) ? { ...method, updatedAt: now } : method;
  });

/**
 * The default once this method is, or is not, the default: when it is unset, the newest other one. Null when there is no
 * other.
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
