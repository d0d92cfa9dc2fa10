import type { DocumentedOperation } from '../openapi/documented-operation.js';
import type { ClientCall } from './content.js';

/** The request of an example. */
export interface SampleRequest {
  readonly method: string;
  /** With the base path. */
  readonly path: string;
  readonly operation: DocumentedOperation;
  /** undefined for none. */
  readonly body: unknown;
}

const PATH_PARAM = /\{(\w+)\}/g;
const SAMPLE_HOST = '$API';

const variable = (name: string): string => `$${name.toUpperCase()}`;

const exampleQueryOf = ({ parameters = [] }: DocumentedOperation): [string, unknown][] =>
  parameters.flatMap((parameter) =>
    '$ref' in parameter || parameter.in !== 'query' || parameter.example === undefined
      ? []
      : [[parameter.name, parameter.schema.contentSchema ? JSON.parse(String(parameter.example)) : parameter.example]],
  );

/** The query of the example, as a URL has it. */
const flatQueryOf = (operation: DocumentedOperation): [string, unknown][] =>
  exampleQueryOf(operation).flatMap(([name, example]): [string, unknown][] =>
    typeof example === 'object'
      ? Object.entries(example as object).map(([part, value]) => [`${name}[${part}]`, value])
      : [[name, example]],
  );

/** Only what a query cannot contain as it is. */
const encodedValue = (value: unknown): string => String(value).replace(/[&#+% "$]/g, encodeURIComponent);

export function curlOf({ method, path, operation, body }: SampleRequest): string {
  const place = path.replace(/^\/v1/, SAMPLE_HOST).replace(PATH_PARAM, (_, name: string) => variable(name));
  const query = flatQueryOf(operation).map(([name, value]) => `${name}=${encodedValue(value)}`);
  const url = query.length === 0 ? place : `${place}?${query.join('&')}`;
  const lines = [
    `curl${url.includes('[') ? ' -g' : ''}${method === 'GET' ? '' : ` -X ${method}`} "${url}"`,
    '-H "Authorization: Bearer $KEY"',
    ...(body === undefined
      ? []
      : [
          '-H "Content-Type: application/json"',
          ...(method === 'DELETE' ? [] : ['-H "Idempotency-Key: $(uuidgen)"']),
          `-d '${JSON.stringify(body, null, 2).replaceAll("'", "'\\''")}'`,
        ]),
  ];
  return lines.join(' \\\n  ');
}

const camelCase = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The names of the values that a sample for the client takes as given: the parameters of its path. */
export const givenNames = (path: string): string[] =>
  [...path.matchAll(PATH_PARAM)].map(([, name]) => camelCase(name!));

export function typeScriptOf({ method: verb, path, operation, body }: SampleRequest, call: ClientCall): string {
  // The client takes the query of a write among its options.
  const query = verb === 'GET' ? Object.fromEntries(exampleQueryOf(operation)) : {};
  const given = body ?? (Object.keys(query).length > 0 ? query : undefined);
  const values = [...givenNames(path), ...(given === undefined ? [] : [literal(given)])].join(', ');
  return call.isList
    ? `for await (const each of client.${call.method}(${values})) {\n  console.log(each);\n}`
    : `const answer = await client.${call.method}(${values});`;
}

/** A value as TypeScript writes it: JSON without the quotes that names do not need. */
const literal = (value: unknown): string =>
  JSON.stringify(value, null, 2).replace(/^(\s*)"([A-Za-z_]\w*)":/gm, '$1$2:');

const NAMES: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' };

/** A value as Python writes it, within lines that are `depth` levels deep. */
function pythonLiteral(value: unknown, depth: number): string {
  const text = JSON.stringify(value);
  if (typeof value !== 'object' || value === null) return NAMES[text] ?? text;
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((each) => pythonLiteral(each, depth + 1))
    : Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${pythonLiteral(each, depth + 1)}`);
  if (parts.length === 0) return text;
  const lines = parts.map((part) => `${'    '.repeat(depth + 1)}${part},\n`).join('');
  const [open, close] = isList ? '[]' : '{}';
  return `${open}\n${lines}${'    '.repeat(depth)}${close}`;
}

const PRINTED: Readonly<Record<string, string>> = {
  'application/json': 'print(answer.json()["data"])',
  'text/event-stream': 'for line in answer.iter_lines():\n    print(line.decode())',
};

/** The lines that print an answer of the first type that a success has. */
function printed({ responses }: DocumentedOperation): string[] {
  const good = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  const [type] = good.flatMap(([, response]) => Object.keys(('content' in response && response.content) || {}));
  return type === undefined ? [] : [PRINTED[type] ?? 'print(answer.text)'];
}

/** The request with Python's `requests`. */
export function pythonOf({ method, path, operation, body }: SampleRequest): string {
  const place = path.replace(/^\/v1/, '');
  const query = flatQueryOf(operation).map(([name, value]) => [name, String(value)]);
  const shown = printed(operation);
  const isKeyed = body !== undefined && method !== 'DELETE';
  const key = isKeyed ? ', "Idempotency-Key": str(uuid.uuid4())' : '';
  const given = [
    `f"{os.environ['API']}${place}"`,
    `headers={"Authorization": f"Bearer {os.environ['KEY']}"${key}}`,
    ...(query.length === 0 ? [] : [`params=${pythonLiteral(Object.fromEntries(query), 1)}`]),
    ...(body === undefined ? [] : [`json=${pythonLiteral(body, 1)}`]),
    shown[0] === PRINTED['text/event-stream'] ? 'stream=True' : 'timeout=30',
  ];
  return [
    'import os',
    ...(isKeyed ? ['import uuid'] : []),
    '',
    'import requests',
    '',
    `answer = requests.${method.toLowerCase()}(`,
    ...given.map((line) => `    ${line},`),
    ')',
    'answer.raise_for_status()',
    ...shown,
  ].join('\n');
}
