import { metrics } from '@swim/platform';

/** The value of a metric of this process with these labels; 0 while it has none. */
export async function metricValue(name: string, labels: Readonly<Record<string, string>> = {}): Promise<number> {
  const { values = [] } = (await metrics.getSingleMetric(name)?.get()) ?? {};
  return values.find((each) => Object.entries(labels).every(([key, value]) => each.labels[key] === value))?.value ?? 0;
}
