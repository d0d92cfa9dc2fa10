import type { OpenApiDocument } from '../openapi/document.js';
import { codeBlock, escaped, prose, table } from './html.js';
import { REFERENCE_PATH, type SchemaView } from './schema-view.js';

/** The page of all types of event. */
export const EVENTS_PATH = `${REFERENCE_PATH}/event-types`;

/** An event as an endpoint receives it. */
interface EventExample {
  data: { object: { object: string } };
}

/** An example of each type of event. */
export type EventExamples = Readonly<Record<string, EventExample>>;

/** A type of event: when it occurs, the name of the schema of its object, and an example. */
interface EventType {
  type: string;
  summary: string;
  object: string;
  example: EventExample | undefined;
}

const SCHEMA = '#/components/schemas/';

const INTRO = `<h1>Event types</h1>
<p>Every change is an event: listed by <a href="${REFERENCE_PATH}/events#listEvents"><code>GET /v1/events</code></a>, streamed by <a href="${REFERENCE_PATH}/events#openEventStream"><code>GET /v1/events/stream</code></a>, posted to <a href="/docs/webhooks">webhook endpoints</a>. <code>data.object</code> is the object as GET answers it, without names, notes and contacts; <code>previous_attributes</code> has the former values of what an update changed. New types and fields may be added: ignore those that you do not know.</p>`;

/** The types of event in the order of the document. */
function typesOf({ webhooks }: OpenApiDocument, schemas: SchemaView, examples: EventExamples): EventType[] {
  return Object.entries(webhooks).map(([type, { post }]) => {
    const { schema } = post.requestBody.content['application/json']!;
    const { data } = schemas.follow(String(schema.$ref)).properties!;
    const object = String(data!.properties!.object!.$ref).replace(SCHEMA, '');
    return { type, summary: post.summary, object, example: examples[type] };
  });
}

function articleOf({ type, summary, example }: EventType): string {
  return `<article id="${type}"><h3><a href="#${type}"><code>${type}</code></a></h3><p>${prose(summary)}</p>
<details class="answer"><summary>Example</summary>${codeBlock('JSON', JSON.stringify(example, null, 2))}</details></article>`;
}

/** Each type of event with an example, below the schema of its object. */
export function eventTypesPage(document: OpenApiDocument, schemas: SchemaView, examples: EventExamples): string {
  const types = typesOf(document, schemas, examples);
  const rows = types.map(({ type, summary }) => [`<a href="#${type}"><code>${type}</code></a>`, prose(summary)]);
  const groups = [...Map.groupBy(types, ({ object, type }) => object || type)].map(([name, own]) => {
    const schema = document.components.schemas[name];
    // Types without a schema of their own are named by their type.
    const kind = String((schema && own[0]!.example?.data.object.object) ?? name);
    const members = schema?.properties
      ? `<p><code>data.object</code> of these events, <a href="${REFERENCE_PATH}/objects#${name}">${name}</a>:</p><details><summary>Fields</summary>${schemas.members(schema)}</details>`
      : '';
    return `<h2 id="of-${name}">${escaped(kind.replaceAll('_', ' '))}</h2>${members}${own.map(articleOf).join('')}`;
  });
  return `${INTRO}${table(['Type', 'When'], rows)}${groups.join('')}`;
}
