import type { Document, Parameter, Schema } from './operations.ts';

/** Name of the type of an instant that is sent: a text or a `Date`. */
export const INSTANT = 'SentInstant';
const TIMESTAMP = '#/components/schemas/Timestamp';
const isInstant = ({ $ref, format, 'x-formats': formats }: Schema): boolean =>
  $ref === TIMESTAMP || format === 'date-time' || formats?.includes('date-time') === true;

/** A schema of what is sent, in which each instant is the type of one. */
function sent<S>(value: S): S {
  if (Array.isArray(value)) return value.map(sent) as S;
  if (typeof value !== 'object' || value === null) return value;
  const schema = value as Schema;
  if (isInstant(schema)) {
    const instant = { $ref: `#/components/schemas/${INSTANT}` };
    const text = Array.isArray(schema.type) ? { anyOf: [instant, { type: 'null' }] } : instant;
    const { description } = value as { description?: string };
    return { ...text, ...(description ? { description } : {}) } as S;
  }
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, sent(member)])) as S;
}

/** A parameter as the client takes it: an object instead of its JSON, and an array instead of items that commas separate. */
function taken(parameter: Parameter): Parameter {
  if (!parameter.schema) return parameter;
  const { contentSchema, 'x-items': items } = parameter.schema;
  const schema = contentSchema ?? (items ? { type: 'array', items } : sent(parameter.schema));
  return { ...parameter, schema };
}

/** The document with the types that the client takes in queries and bodies, which are more than those that the API answers. */
export function withSentTypes(document: Document): Document {
  const schemas = Object.entries(document.components.schemas).map(([name, schema]) => [
    name,
    name.endsWith('Body') ? sent(schema) : schema,
  ]);
  for (const operation of Object.values(document.paths).flatMap((verbs) => Object.values(verbs)))
    if (operation.parameters) operation.parameters = operation.parameters.map(taken);
  return {
    ...document,
    components: {
      ...document.components,
      schemas: { ...Object.fromEntries(schemas), [INSTANT]: { type: 'string', description: 'An instant' } },
    },
  };
}
