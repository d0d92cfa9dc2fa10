/** @param values - at least one value. */
export function spreadOf(values: number[]): { min: number; median: number; max: number } {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  const median = (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2;
  return { min: sorted[0]!, median, max: sorted.at(-1)! };
}

/** Returns the time that `percent` of the times do not exceed; 0 without any times. */
export function percentileOf(times: number[], percent: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.max(Math.ceil((sorted.length * percent) / 100) - 1, 0)] ?? 0;
}
