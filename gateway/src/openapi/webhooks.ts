import {
  accountEvent,
  EVENT_CATALOGUE,
  EVENT_TYPES,
  eventOfType,
  listEvents,
  objectKindOf,
  type PublicEventType,
} from '@swim/contracts';
import { convert, type JsonSchema, nameOfOutput, pascal, refTo } from './schemas.js';

/** The request by which an event of one type is delivered. */
export interface DocumentedWebhook {
  post: {
    operationId: string;
    summary: string;
    tags: string[];
    parameters: { name: string; in: 'header'; required: true; description: string; schema: JsonSchema }[];
    requestBody: { required: true; content: Record<string, { schema: JsonSchema }> };
    responses: Record<string, { description: string }>;
    security: [];
  };
}

const nameOfEvent = (type: PublicEventType): string => `${pascal(type)}Event`;

/** Types of one kind of object that share its schema: all of the kind, unless one has another. */
function nameOfObject(type: PublicEventType): string {
  const kind = objectKindOf(type);
  const first = EVENT_TYPES.find((each) => objectKindOf(each) === kind)!;
  const isShared = EVENT_CATALOGUE[first].object === EVENT_CATALOGUE[type].object;
  // Not `MemberErasedEventObject`: oapi-codegen gives that name to the type of the member `object` of `MemberErasedEvent`.
  return `${pascal(isShared ? kind : type.split('.').toReversed().join('.'))}EventObject`;
}

/** The schema of an event of one type. It is complete in itself: generators do not narrow a member that `allOf` repeats. */
function eventSchema(type: PublicEventType): JsonSchema {
  const schema = convert(eventOfType(type).extend({ data: accountEvent.shape.data }), true);
  schema.properties!.data!.properties!.object = refTo(nameOfObject(type));
  return schema;
}

function objectSchema(type: PublicEventType): JsonSchema {
  const { data } = eventOfType(type).shape;
  return convert((data as unknown as { shape: { object: Parameters<typeof convert>[0] } }).shape.object, true);
}

/** The schema of an event in the list: one of those types, as its `type` says. */
function listedEventSchema(types: readonly PublicEventType[]): JsonSchema {
  const refs = types.map((type) => refTo(nameOfEvent(type)));
  const mapping = Object.fromEntries(types.map((type, index) => [type, refs[index]!.$ref]));
  return {
    description: 'An event. Its `type` says which members `data.object` has.',
    oneOf: refs,
    discriminator: { propertyName: 'type', mapping },
  };
}

/** Schemas of the events and their objects, by their names in the components. */
export function webhookSchemas(): Record<string, JsonSchema> {
  // The only one without a sequence, which events of the list have.
  const listed = EVENT_TYPES.filter((type) => type !== 'ping');
  return Object.fromEntries([
    [nameOfOutput(listEvents), listedEventSchema(listed)] as const,
    ...EVENT_TYPES.map((type) => [nameOfObject(type), objectSchema(type)] as const),
    ...EVENT_TYPES.map((type) => [nameOfEvent(type), eventSchema(type)] as const),
  ]);
}

const header = (name: string, description: string, schema: JsonSchema) =>
  ({ name, in: 'header', required: true, description, schema }) as const;

const PARAMETERS = [
  header('webhook-id', 'The id of the event, the same on every try', { type: 'string' }),
  header('webhook-timestamp', 'Unix second of the try', { type: 'integer' }),
  header(
    'webhook-signature',
    'One or more of `v1,<base64>`, separated by spaces: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>`',
    { type: 'string' },
  ),
];
const RESPONSES = {
  '2XX': { description: 'The event is delivered.' },
  410: { description: 'The endpoint is disabled.' },
  default: { description: 'The try has failed; the event is delivered again.' },
};

/** The member `webhooks` of the document: the requests that endpoints receive (Standard Webhooks 1.0). */
export const webhooksOf = (): Record<string, DocumentedWebhook> =>
  Object.fromEntries(
    EVENT_TYPES.map((type) => {
      const schema = refTo(nameOfEvent(type));
      const post: DocumentedWebhook['post'] = {
        operationId: `receive${pascal(type)}`,
        summary: EVENT_CATALOGUE[type].summary,
        tags: ['webhooks'],
        parameters: [...PARAMETERS],
        requestBody: { required: true, content: { 'application/json': { schema } } },
        responses: RESPONSES,
        security: [],
      };
      return [type, { post }];
    }),
  );
