import type { BusEvent } from '@swim/contracts';

const DAY_MS = 24 * 3_600_000;
const ACCOUNT = /^acct_/;
const UNLISTED: ReadonlySet<string> = new Set(['ping']);

/** The accounts that get a copy, each once. `public` among an object's readers is not an account. */
export function audienceOf(event: Pick<BusEvent, 'type' | 'audience'>): string[] {
  if (UNLISTED.has(event.type)) return [];
  return [...new Set(event.audience)].filter((account) => ACCOUNT.test(account));
}

/** Whether every account of an event's audience has its copy, according to the copies found. */
export function areAllStored(found: readonly { copies: number }[]): boolean {
  return found.length > 0 && found.length >= found[0]!.copies;
}

/** The events of each object in order, split where one is missing or repeated. */
export function chainsOf<E extends Pick<BusEvent, 'objectId' | 'n'>>(events: readonly E[]): E[][] {
  const chains: E[][] = [];
  for (const own of Map.groupBy(events, ({ objectId }) => objectId).values()) {
    for (const event of own.toSorted((a, b) => a.n - b.n)) {
      const last = chains.at(-1)?.at(-1);
      if (last?.objectId === event.objectId && last.n === event.n - 1) chains.at(-1)!.push(event);
      else chains.push([event]);
    }
  }
  return chains;
}

/** The start of the retention period: older events are purged. */
export function retentionStart(now: Date, days: number): Date {
  return new Date(now.getTime() - days * DAY_MS);
}
