const DIGITS = /^\d{1,9}(?:[.,](\d+))?$/;

const digitsOf = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;

/** An amount in minor units, as the text of a field: 2550 of EUR is `25.50`. */
export const amountText = (cents: number, currency: string): string => {
  const digits = digitsOf(currency);
  return (cents / 10 ** digits).toFixed(digits);
};

/** The minor units of what was typed, with a point or a comma; null where it is no amount of the currency. */
export function centsOf(text: string, currency: string): number | null {
  const digits = digitsOf(currency);
  const [, fraction = ''] = DIGITS.exec(text.trim()) ?? [];
  if (!DIGITS.test(text.trim()) || fraction.length > digits) return null;
  return Math.round(Number(text.trim().replace(',', '.')) * 10 ** digits);
}

/** An amount in minor units as people write it. */
export const money = (cents: number, currency: string, tag: string): string =>
  new Intl.NumberFormat(tag, { style: 'currency', currency }).format(cents / 10 ** digitsOf(currency));
