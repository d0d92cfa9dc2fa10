/** Handles items, so many at once. After a failure no other one is begun, and it is thrown once those that were begun have ended. */
export async function inTurns<T>(
  items: readonly T[],
  atOnce: number,
  handle: (item: T) => Promise<void>,
): Promise<void> {
  const rest = items.values();
  const failures: unknown[] = [];
  const handleRest = async () => {
    for (const item of rest) {
      await handle(item).catch((error: unknown) => failures.push(error));
      if (failures.length > 0) return;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, handleRest));
  if (failures.length > 0) throw failures[0];
}
