import { waitUntil } from '../../system/processes/ports.ts';

/**
 * Looks until it sees what is wanted, or for so long.
 * @returns what it saw last.
 */
export async function lookUntil<T>(look: () => Promise<T>, isWanted: (seen: T) => boolean, withinMs: number) {
  let seen = await look();
  const lookAgain = async () => {
    if (!isWanted(seen)) seen = await look();
    return isWanted(seen);
  };
  await waitUntil(lookAgain, withinMs);
  return seen;
}
