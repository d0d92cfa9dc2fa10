type Fields = Record<string, unknown>;

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The fields that a request contains, without absent ones. */
export const given = <T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };

/** The requested values that differ from the current ones. */
export const differing = <T extends object>(now: object, requested: T): Partial<T> =>
  Object.fromEntries(
    Object.entries(requested).filter(([key, value]) => !same((now as Fields)[key], value)),
  ) as Partial<T>;
