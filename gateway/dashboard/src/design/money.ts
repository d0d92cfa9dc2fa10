/** An amount in minor units as people write it. */
export function money(cents: number, currency: string, tag: string): string {
  const format = new Intl.NumberFormat(tag, { style: 'currency', currency });
  return format.format(cents / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}
