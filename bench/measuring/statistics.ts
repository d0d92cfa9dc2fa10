/** @param values - at least one. */
export function spreadOf(values: number[]): { min: number; median: number; max: number } {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  const median = (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2;
  return { min: sorted[0]!, median, max: sorted.at(-1)! };
}

/** @returns so many percent of the times are no longer; 0 without any. */
export function percentileOf(times: number[], percent: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.max(Math.ceil((sorted.length * percent) / 100) - 1, 0)] ?? 0;
}
