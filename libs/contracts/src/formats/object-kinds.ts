import { z } from 'zod';

/**
 * Declares an object of the API: these fields, and `object`, which names its kind (contract, Events). Its TypeScript type lacks
 * `object`: services handle objects without it, and `withKinds` adds it where an answer or an event is made.
 */
export const apiObject = <S extends z.ZodRawShape>(kind: string, fields: S): z.ZodObject<S> =>
  z.object({ object: z.literal(kind), ...fields }) as z.ZodObject as z.ZodObject<S>;

/** The kind that a schema made by `apiObject`, or derived from one, declares; null for any other. */
export function kindOf(schema: z.ZodObject): string | null {
  const { object } = schema.shape;
  return object instanceof z.ZodLiteral ? String(object.value) : null;
}

type Naming = (value: unknown) => unknown;
type Fields = Record<string, unknown>;

/** How to name the objects in the values of a schema; null where there is none. Made once for each schema. */
const namings = new WeakMap<z.core.$ZodType, Naming | null>();

function namingOf(schema: z.core.$ZodType): Naming | null {
  const known = namings.get(schema);
  if (known !== undefined) return known;
  const naming = newNamingOf(schema);
  namings.set(schema, naming);
  return naming;
}

function newNamingOf(schema: z.core.$ZodType): Naming | null {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return namingOf(schema.unwrap());
  if (schema instanceof z.ZodArray) {
    const naming = namingOf(schema.element);
    return naming && ((items) => (items as unknown[]).map(naming));
  }
  return schema instanceof z.ZodObject ? namingOfObject(schema) : null;
}

function namingOfObject(schema: z.ZodObject): Naming | null {
  const kind = kindOf(schema);
  const namingsOfFields = Object.entries(schema.shape).flatMap(([name, field]) => {
    const naming = namingOf(field);
    return naming ? [[name, naming] as const] : [];
  });
  if (kind === null && namingsOfFields.length === 0) return null;
  return (value) => {
    // Null, or a field that the answer lacks.
    if (typeof value !== 'object' || value === null) return value;
    const named: Fields = kind === null ? { ...value } : { object: kind, ...value };
    for (const [name, naming] of namingsOfFields) if (name in named) named[name] = naming(named[name]);
    return named;
  };
}

/** The value with `object` in each object of the API that its schema declares, at whatever depth. The value is not changed. */
export function withKinds<T>(schema: z.ZodType, value: T): T {
  const naming = namingOf(schema);
  return naming ? (naming(value) as T) : value;
}
