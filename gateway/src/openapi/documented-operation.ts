import type { JsonSchema } from './schemas.js';

/** Bodies by their types, with examples: one of success, or one of each reason. */
export type Content = Record<
  string,
  { schema: JsonSchema; example?: unknown; examples?: Record<string, { value: unknown }> }
>;

/** A response of the document. */
export interface DocumentedResponse {
  description: string;
  headers?: Record<string, object>;
  content?: Content;
  'x-reasons'?: string[];
}

/** An operation of the document, with the members that the docs page reads. */
export interface DocumentedOperation {
  operationId: string;
  summary: string;
  tags: string[];
  description?: string;
  parameters?: (
    | {
        name: string;
        in: string;
        required?: boolean;
        description?: string;
        schema: JsonSchema;
        example?: unknown;
      }
    | { $ref: string }
  )[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, DocumentedResponse | { $ref: string }>;
  /** Present where the operation needs no key. */
  security?: never[];
}

/** The examples of a body by their names, the usual one first. */
export function bodiesOf({ requestBody }: Pick<DocumentedOperation, 'requestBody'>): [name: string, body: unknown][] {
  const { example, examples } = requestBody?.content['application/json'] ?? {};
  if (examples) return Object.entries(examples).map(([name, { value }]) => [name, value]);
  return example === undefined ? [] : [['usual', example]];
}
