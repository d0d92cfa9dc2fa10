import type { OpenApiDocument } from '../openapi/document.js';
import type { DocumentedOperation } from '../openapi/documented-operation.js';
import type { JsonSchema } from '../openapi/schemas.js';
import type { Guide } from './content.js';
import { EVENTS_PATH } from './events-view.js';
import { unescaped } from './html.js';
import { operationsOf, titleOf } from './operation-view.js';
import { REFERENCE_PATH, type SchemaView } from './schema-view.js';

/** What the search of the docs finds: `names` and `text` are searched, the rest is shown. */
export interface SearchEntry {
  url: string;
  title: string;
  kind: string;
  /** Names of fields and reasons, and paths. */
  names: string;
  text: string;
}

/** The text of HTML, without its examples of code. */
const textOf = (html: string): string =>
  unescaped(html.replace(/<figure>.*?<\/figure>/gs, ' ').replace(/<[^>]+>/g, ' '))
    .replace(/\s+/g, ' ')
    .trim();

const SECTION = /^<h2 id="([^"]+)">(.*?)<\/h2>/;

/** A guide has an entry for its beginning and one for each section. */
const guideEntries = ({ slug, title, html }: Guide): SearchEntry[] =>
  html.split(/(?=<h2 id=)/).map((part) => {
    const [heading, anchor, name] = SECTION.exec(part) ?? [];
    const page = `/docs/${slug}`;
    return {
      url: anchor ? `${page}#${anchor}` : page,
      title: name ? `${title}: ${textOf(name)}` : title,
      kind: 'guide',
      names: '',
      text: textOf(heading ? part.slice(heading.length) : part),
    };
  });

/** Names and descriptions of all members of a schema, but for those of shared schemas, which have entries of their own. */
function membersOf(schema: JsonSchema): { names: string[]; texts: string[] } {
  const own = Object.entries(schema.properties ?? {});
  const inner = [
    ...own.map(([, member]) => member),
    ...([schema.items, schema.anyOf, schema.oneOf].flat().filter(Boolean) as JsonSchema[]),
  ].map(membersOf);
  return {
    names: [...own.map(([name]) => name), ...inner.flatMap(({ names }) => names)],
    texts: [...own.map(([, { description }]) => String(description ?? '')), ...inner.flatMap(({ texts }) => texts)],
  };
}

function inputOf({ parameters = [], requestBody }: DocumentedOperation, schemas: SchemaView) {
  const given = parameters.map((each) =>
    '$ref' in each ? schemas.follow<{ name: string; description?: string }>(each.$ref) : each,
  );
  const schema = requestBody?.content['application/json']?.schema ?? {};
  const { names, texts } = membersOf(typeof schema.$ref === 'string' ? schemas.follow(schema.$ref) : schema);
  return {
    names: [...given.map(({ name }) => name), ...names].join(' '),
    text: [...given.map(({ description = '' }) => description), ...texts].join(' '),
  };
}

/** A page of the reference, and each of its operations. */
const groupEntries = (document: OpenApiDocument, group: string, schemas: SchemaView): SearchEntry[] => [
  {
    url: `${REFERENCE_PATH}/${group}`,
    title: titleOf(group),
    kind: 'group',
    names: '',
    text: document.tags.find(({ name }) => name === group)?.description ?? '',
  },
  ...operationsOf(document, group).map(({ method, path, operation }) => {
    const { names, text } = inputOf(operation, schemas);
    return {
      url: `${REFERENCE_PATH}/${group}#${operation.operationId}`,
      title: operation.summary,
      kind: `${method} ${path}`,
      names: `${operation.operationId} ${names}`,
      text: `${operation.description ?? ''} ${text}`,
    };
  }),
];

function objectEntry(name: string, schema: JsonSchema): SearchEntry {
  const { names, texts } = membersOf(schema);
  return {
    url: `${REFERENCE_PATH}/objects#${name}`,
    title: name,
    kind: 'object',
    names: names.join(' '),
    text: `${schema.description ?? ''} ${texts.join(' ')}`,
  };
}

/** All entries of the search: sections of guides, operations, objects, types of event and reasons of errors. */
export function searchEntries(
  document: OpenApiDocument,
  schemas: SchemaView,
  { guides, groups, objects }: { guides: readonly Guide[]; groups: readonly string[]; objects: readonly string[] },
): SearchEntry[] {
  const events = Object.entries(document.webhooks).map(([type, { post }]) => ({
    url: `${EVENTS_PATH}#${type}`,
    title: type,
    kind: 'event',
    names: '',
    text: post.summary,
  }));
  const reasons = Object.entries(document['x-reasons']).map(([reason, { status, message }]) => ({
    url: `/docs/errors#${reason}`,
    title: reason,
    kind: `error ${status}`,
    names: '',
    text: message,
  }));
  return [
    ...guides.flatMap(guideEntries),
    ...groups.flatMap((group) => groupEntries(document, group, schemas)),
    ...objects.map((name) => objectEntry(name, document.components.schemas[name]!)),
    ...events,
    ...reasons,
  ];
}
