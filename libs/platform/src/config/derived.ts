/**
 * Returns what `make` makes of the values that `read` reads, and makes it anew once one of them is another: what is derived from a
 * secret follows its setting, which `readConfig` changes when its file changes.
 */
export function derived<V extends [] | unknown[], R>(read: () => V, make: (...values: V) => R): () => R {
  let known: { values: V; made: R } | undefined;
  return () => {
    const values = read();
    if (!known || values.length !== known.values.length || values.some((each, index) => each !== known!.values[index]))
      known = { values, made: make(...values) };
    return known.made;
  };
}

/** The master keys among the settings of a service. */
export interface MasterKeySettings {
  readonly DATA_KEY: Buffer;
  readonly DATA_KEYS_ALSO_READ?: readonly Buffer[] | undefined;
}

/** All master keys as they are now, each once, the current one first: during a rotation it is among those that are also read. */
export const masterKeysOf = ({ DATA_KEY, DATA_KEYS_ALSO_READ = [] }: MasterKeySettings): [Buffer, ...Buffer[]] => [
  DATA_KEY,
  ...DATA_KEYS_ALSO_READ.filter((key) => !key.equals(DATA_KEY)),
];
