import { readFileSync } from 'node:fs';
import type { Content, DocumentedOperation, DocumentedResponse } from './documented-operation.js';

/** One operation in the file of recorded examples; `gateway/test/journeys/examples` makes it. */
interface RecordedOperation {
  /** The request that led to the first answer of success. */
  request: {
    path?: Record<string, string>;
    query?: Record<string, string>;
    header?: Record<string, string>;
    body?: object;
  };
  /** Bodies of further requests that succeed, by the member in which they differ. */
  variants?: Record<string, object>;
  /** Answers of success by status; a text where the answer is not JSON, empty without a body. */
  responses: Record<string, object | string>;
  /** The answer of success in further media types. */
  representations?: Record<string, string>;
  /** Errors by reason. */
  errors: Record<string, { status: number; answer: object }>;
}

const FILE = new URL('../../../docs/api-examples.json', import.meta.url);
/** The recorded examples by the ids of their operations; `npm run examples` writes them. */
const RECORDED = JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, RecordedOperation>;

/** The value of a parameter in an example: `location[radius]` is a member of `location`, which is a text of JSON. */
function exampleOf(name: string, type: unknown, values: Record<string, string>): unknown {
  const parts = Object.entries(values).filter(([each]) => each.startsWith(`${name}[`));
  if (parts.length > 0)
    return JSON.stringify(
      Object.fromEntries(parts.map(([each, value]) => [each.slice(name.length + 1, -1), Number(value)])),
    );
  const text = values[name];
  if (text === undefined) return undefined;
  if (type === 'integer' || type === 'number') return Number(text);
  return type === 'boolean' ? text === 'true' : text;
}

function parametersWith({ path, query, header }: RecordedOperation['request'], operation: DocumentedOperation) {
  return operation.parameters?.map((parameter) => {
    if ('$ref' in parameter) return parameter;
    const example = exampleOf(parameter.name, parameter.schema.type, { ...path, ...query, ...header });
    return example === undefined ? parameter : { ...parameter, example };
  });
}

function contentWith(
  content: Content,
  status: string,
  { responses, errors, representations = {} }: RecordedOperation,
): Content {
  const recorded = responses[status];
  const ofStatus = Object.entries(errors).filter(([, each]) => String(each.status) === status);
  const examples = Object.fromEntries(ofStatus.map(([reason, { answer }]) => [reason, { value: answer }]));
  const shown = recorded === undefined ? { examples } : { example: recorded };
  const isEmpty = recorded === undefined ? ofStatus.length === 0 : recorded === '';
  const [[type, media] = [], ...others] = Object.entries(content);
  const further = others.map(([each, own]) => {
    const example = recorded === undefined ? undefined : representations[each];
    return [each, example === undefined ? own : { ...own, example }];
  });
  return isEmpty || !type || !media ? content : { [type]: { ...media, ...shown }, ...Object.fromEntries(further) };
}

/** The operation with an example of its request, of each answer of success, and of each error that was recorded. */
export function withExamples(operation: DocumentedOperation): DocumentedOperation {
  const recorded = RECORDED[operation.operationId];
  if (!recorded) return operation;
  const { request, variants = {} } = recorded;
  const parameters = parametersWith(request, operation);
  const body = operation.requestBody;
  const responses = Object.entries(operation.responses).map(([status, response]): [string, DocumentedResponse] => {
    const { content } = response as DocumentedResponse;
    const isShown = content && !('$ref' in response);
    return [
      status,
      (isShown ? { ...response, content: contentWith(content, status, recorded) } : response) as DocumentedResponse,
    ];
  });
  return {
    ...operation,
    ...(parameters ? { parameters } : {}),
    ...(body ? { requestBody: { ...body, content: withBody(body.content, request.body, variants) } } : {}),
    responses: Object.fromEntries(responses),
  };
}

function withBody(content: Content, example: object | undefined, variants: Record<string, object>): Content {
  if (example === undefined) return content;
  const named = Object.entries({ usual: example, ...variants }).map(([name, value]) => [name, { value }]);
  const shown = named.length === 1 ? { example } : { examples: Object.fromEntries(named) };
  return Object.fromEntries(Object.entries(content).map(([type, media]) => [type, { ...media, ...shown }]));
}

/** Shared responses with an example of each reason that any operation has answered. */
export function withSharedExamples<R extends Record<string, unknown>>(responses: R): R {
  const recorded = Object.values(RECORDED).flatMap(({ errors }) => Object.entries(errors));
  return Object.fromEntries(
    Object.entries(responses as Record<string, DocumentedResponse>).map(([name, response]) => {
      const own = recorded.filter(([reason]) => response['x-reasons']?.includes(reason));
      const errors = Object.fromEntries(own.toReversed());
      const status = String(own[0]?.[1].status);
      return [
        name,
        { ...response, content: contentWith(response.content!, status, { request: {}, responses: {}, errors }) },
      ];
    }),
  ) as R;
}
