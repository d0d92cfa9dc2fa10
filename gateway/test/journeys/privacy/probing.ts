import { newId } from '@swim/platform';
import type { Customer } from '../fixtures/customer.js';
import {
  forEach,
  ID,
  type Means,
  type Operation,
  ofPrefix,
  READINGS,
  type Request,
  requestsOf,
  requestsWith,
  send,
  urlOf,
  WRITINGS,
} from './reading.js';

type Prefix = Parameters<typeof newId>[0];
const prefixOf = (id: string) => id.slice(0, id.indexOf('_')) as Prefix;

// These parameters take ids of any kind as texts.
const TEXTS = ['object_id', 'request_id'];

/** Every GET of the document with an id in each parameter that takes one of its kind. */
function readsOf(id: string, means: Means): Request[] {
  const ofTexts = READINGS.flatMap((operation) =>
    operation.parameters
      .filter(({ name }) => TEXTS.includes(name))
      .map(({ name }) => ({ operation, values: { [name]: id } })),
  );
  return [...requestsWith({ ...means, ids: [id, ...means.ids] }), ...ofTexts];
}

/** Every write of the document with an id in each place that takes one of its kind; other ids are the client's own. */
function writesOf(id: string, means: Means): Request[] {
  const own = new Map(means.ids.toReversed().map((each): [string, string] => [prefixOf(each), each]));
  // An example is of another account, whose ids nobody has here.
  const bodyWith = (operation: Operation, ids: ReadonlyMap<string, string>): unknown => {
    if (operation.body === undefined) return undefined;
    const text = JSON.stringify(operation.body);
    return JSON.parse(text.replace(ID, (found) => ids.get(prefixOf(found)) ?? found));
  };
  return WRITINGS.flatMap((operation) => {
    const inPath = requestsOf(operation, { ...means, ids: [id, ...means.ids] });
    const inBody = requestsOf(operation, { ...means, ids: [...own.values()] });
    return [
      ...inPath.map((request) => ({ ...request, body: bodyWith(operation, own) })),
      ...inBody.map((request) => ({ ...request, body: bodyWith(operation, new Map([...own, [prefixOf(id), id]])) })),
    ];
  });
}

/**
 * Requests every operation of the document with foreign ids of each kind, and each time with one that does not exist. Returns what is answered
 * otherwise than that, and how many pairs of answers were compared.
 */
export async function probe(reader: Customer, means: Means, foreign: string[], which: 'reads' | 'writes') {
  const leaked: string[] = [];
  let compared = 0;
  const ofEachKind = [...new Set(foreign.map(prefixOf))].flatMap((prefix) => ofPrefix(foreign, prefix));
  await forEach(ofEachKind, async (id) => {
    const unknown = newId(prefixOf(id));
    for (const request of which === 'reads' ? readsOf(id, means) : writesOf(id, means)) {
      const { operation, ...filled } = request;
      const text = JSON.stringify(filled);
      if (!text.includes(id)) continue;
      const absent = { operation, ...JSON.parse(text.replaceAll(id, unknown)) };
      const [ofForeign, ofUnknown] = [await send(reader, request), await send(reader, absent)].map((each) =>
        JSON.stringify(each),
      );
      const name = `${operation.method} ${urlOf(request)} ${text}`;
      if (ofForeign!.replaceAll(id, unknown) !== ofUnknown) leaked.push(`${name} ${ofForeign} ${ofUnknown}`);
      compared += 1;
    }
  });
  return { leaked, compared };
}
