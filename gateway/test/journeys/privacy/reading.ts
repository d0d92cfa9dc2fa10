import { readFileSync } from 'node:fs';
import { newId } from '@swim/platform';
import { until } from '@swim/testing';
import type { OpenApiDocument } from '../../../src/openapi/document.js';
import type { Customer } from '../fixtures/customer.js';

const document = JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8')) as OpenApiDocument;

const ID = /\b[a-z]{2,4}_[0-9a-hjkmnp-tv-z]{26}\b/g;
/** Every id in a text. */
export const idsIn = (text: string): string[] => [...new Set(text.match(ID) ?? [])];

/** One GET operation of the OpenAPI document. */
interface Reading {
  path: string;
  /** The name under which assistants call it. */
  tool: string;
  parameters: Parameter[];
}

interface Parameter {
  name: string;
  in: 'path' | 'query';
  required: boolean;
  /** The prefix of the ids that it takes; null for other values. */
  prefix: string | null;
}

const PREFIX = /^(?:#.*\/id_|\^\([?]:)([a-z]+)(?:_\[|$)/;
const snakeCase = (name: string): string => name.replace(/([A-Z])/g, (letter) => `_${letter.toLowerCase()}`);

/** Every read of the document that needs a key or a token. */
const READINGS: Reading[] = Object.entries(document.paths)
  .filter(([path, { get }]) => get !== undefined && path !== '/health' && path !== '/openapi.json')
  .map(([path, { get }]) => ({
    path,
    tool: snakeCase(get!.operationId),
    parameters: (get!.parameters ?? [])
      .filter((each) => 'name' in each)
      .map(({ name, in: place, required, schema }) => ({
        name,
        in: place as 'path' | 'query',
        required: required === true,
        prefix: PREFIX.exec(String(schema?.$ref ?? schema?.pattern ?? ''))?.[1] ?? null,
      })),
  }));

/** What an account uses to read: ids that it knows, and values of the parameters that are no ids. */
export interface Means {
  ids: string[];
  values: Record<string, string>;
}

/** One request: an operation, with the values of its parameters. */
interface Request {
  reading: Reading;
  values: Record<string, string>;
}

// Free time begins at the instant of the request unless the request says otherwise.
const isFreeTime = ({ path }: Reading) => path.endsWith('/availability');

// A few requests, events, deliveries and mails stand for all.
const MOST_OF_A_KIND = 3;
const ofPrefix = (ids: string[], prefix: string | null) =>
  ids.filter((id) => id.startsWith(`${prefix}_`)).slice(0, MOST_OF_A_KIND);

/** Requests with each known id in each parameter of the path, and in each of the query. */
function requestsOf(reading: Reading, { ids, values }: Means): Request[] {
  const inPath = reading.parameters.filter((each) => each.in === 'path');
  const query = reading.parameters.filter((each) => each.in === 'query');
  const fixed = Object.fromEntries(
    query
      .filter(({ name, required }) => required || (isFreeTime(reading) && name.startsWith('date_')))
      .map(({ name }) => [name, values[name]!]),
  );
  const filled = inPath.reduce<Record<string, string>[]>(
    (all, { name, prefix }) =>
      all.flatMap((each) => ofPrefix(ids, prefix).map((id): Record<string, string> => ({ ...each, [name]: id }))),
    [fixed],
  );
  const narrowed = filled.flatMap((each) =>
    query.flatMap(({ name, prefix }) => {
      const given = prefix === null ? [values[name]].filter((value) => value !== undefined) : ofPrefix(ids, prefix);
      return given.map((value) => ({ reading, values: { ...each, [name]: value } }));
    }),
  );
  return [...filled.map((each) => ({ reading, values: each })), ...narrowed];
}

function urlOf({ reading, values }: Request): string {
  const rest = { ...values };
  const path = reading.path.replace(/{(\w+)}/g, (_, name: string) => {
    const value = rest[name]!;
    delete rest[name];
    return value;
  });
  const query = new URLSearchParams(rest).toString();
  return query === '' ? path : `${path}?${query}`;
}

const bodyOf = (text: string): unknown => {
  try {
    const { meta, ...body } = JSON.parse(text);
    return body;
  } catch {
    return text;
  }
};

/** The answer to a request, which is repeated as long as a busy machine rejects it. */
function get({ baseUrl, key }: Customer, request: Request): Promise<{ status: number; body: unknown }> {
  const attempt = async () => {
    const response = await fetch(baseUrl + urlOf(request), { headers: { authorization: `Bearer ${key}` } });
    const answer = { status: response.status, body: bodyOf(await response.text()) };
    return answer.status >= 500 ? null : answer;
  };
  return until(attempt, `GET ${urlOf(request)} is answered in time`);
}

/** What an assistant gets by the tool of an operation. */
async function call({ baseUrl, key }: Customer, { reading, values }: Request): Promise<unknown> {
  const { account_id, ...given } = values;
  const response = await fetch(baseUrl.replace(/v1$/, 'mcp'), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: reading.tool, arguments: given },
    }),
  });
  const { result, error } = (await response.json()) as { result?: { content: { text: string }[] }; error?: unknown };
  return result?.content.map(({ text }) => bodyOf(text)) ?? error;
}

/** Answers by request. */
export type Answers = Record<string, unknown>;

const AT_ONCE = 8;
/** Does the work for each item, several at once. */
async function forEach<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const rest = [...items];
  const worker = async () => {
    for (let next = rest.pop(); next !== undefined; next = rest.pop()) await work(next);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

const requestsWith = (means: Means): Request[] =>
  READINGS.filter(({ path }) => path !== '/events/stream').flatMap((reading) => requestsOf(reading, means));

/** All that an account reads by every GET of the document, with each known id in each parameter; as a tool too, if asked. */
export async function readAll(reader: Customer, means: Means, withTools = false): Promise<Answers> {
  const requests = requestsWith(means);
  // The answers are compared in this order.
  const answers: Answers = Object.fromEntries(requests.map((request) => [urlOf(request), null]));
  await forEach(requests, async (request) => {
    answers[urlOf(request)] = await get(reader, request);
    if (withTools) answers[`tool ${urlOf(request)}`] = await call(reader, request);
  });
  return answers;
}

/**
 * Requests every GET of the document with foreign ids of each kind, and each time with one that does not exist. Returns what is answered otherwise
 * than that, and how many pairs of answers were compared.
 */
export async function probe(reader: Customer, means: Means, foreign: string[]) {
  const leaked: string[] = [];
  let compared = 0;
  const texts = ['object_id', 'request_id'];
  const ofText = (id: string): Request[] =>
    READINGS.flatMap((reading) =>
      reading.parameters
        .filter(({ name }) => texts.includes(name))
        .map(({ name }) => ({ reading, values: { [name]: id } })),
    );
  const prefixes = [...new Set(foreign.map((id) => id.slice(0, id.indexOf('_'))))];
  const ofEachKind = prefixes.flatMap((prefix) => ofPrefix(foreign, prefix));
  await forEach(ofEachKind, async (id) => {
    const unknown = newId(id.slice(0, id.indexOf('_')) as Parameters<typeof newId>[0]);
    const requests = [...requestsWith({ ...means, ids: [id, ...means.ids] }), ...ofText(id)];
    for (const request of requests.filter(({ values }) => Object.values(values).includes(id))) {
      const absent = Object.entries(request.values).map(([name, value]) => [name, value === id ? unknown : value]);
      const answers = [
        await get(reader, request),
        await get(reader, { reading: request.reading, values: Object.fromEntries(absent) }),
      ];
      const [ofForeign, ofUnknown] = answers.map((each) => JSON.stringify(each));
      if (ofForeign!.replaceAll(id, unknown) !== ofUnknown) leaked.push(`${urlOf(request)} ${ofForeign} ${ofUnknown}`);
      compared += 1;
    }
  });
  return { leaked, compared };
}
