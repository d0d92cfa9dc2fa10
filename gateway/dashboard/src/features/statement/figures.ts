import type { Statement } from '@swim/sdk';

/** The figures of a day, or of all days. */
export type Figures = Omit<Statement['days'][number], 'date'>;

export const AMOUNTS = ['charged', 'refunded', 'fees', 'credits_issued', 'credits_spent'] as const;
const METHODS = ['card', 'cash', 'transfer', 'terminal', 'voucher'] as const;

/** Whether anything happened on a day. */
export const hasAny = (figures: Figures): boolean =>
  figures.lessons !== 0 || AMOUNTS.some((name) => figures[`${name}_cents`] !== 0);

/** What was charged by each method; nothing where all of it was by cards. */
export function methodsOf({ charged_by_method: charged }: Figures) {
  const used = METHODS.filter((method) => charged[method] !== 0).map((method) => ({ method, cents: charged[method] }));
  return used.some(({ method }) => method !== 'card') ? used : [];
}
