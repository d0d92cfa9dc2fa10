import { paramsOf } from '../router.js';
import { ROUTES, type Route } from '../routes.js';
import { answerSchema, inputSchemas, type JsonSchema } from './schemas.js';

/** A Link of OpenAPI: an operation that takes what an answer contains. */
interface Link {
  operationId: string;
  description: string;
  /** Values of the operation's parameters, as expressions about the answer. */
  parameters: Record<string, string>;
}

/** Names the operation of a route. */
type OperationIdOf = (route: Route) => string;

/** The parameter of an object's id, where it is not that of its kind. */
const PARAMETERS: Readonly<Record<string, string>> = {
  api_key: 'key_id',
  request_log_entry: 'request_log_id',
  waitlist_entry: 'waitlist_id',
};

/** The parameter that takes the id in a field: `booking_id` for `booking_id`, and for the `id` of a booking. */
function parameterOf(field: string, properties: Record<string, JsonSchema>): string | undefined {
  if (field !== 'id') return field.endsWith('_id') ? field : undefined;
  const kind = properties.object?.const;
  return typeof kind === 'string' ? (PARAMETERS[kind] ?? `${kind}_id`) : undefined;
}

const LINKS = new Map<string, Link>();

/** The links of all answers documented so far, by their names in the components. */
export const sharedLinks = (): Record<string, Link> => Object.fromEntries([...LINKS].sort());

/** The values of a route's parameters, if the answer has the one and all others; null otherwise. */
function parametersFor({ method, path, operation }: Route, own: string, { at, field, properties }: Source) {
  const params = paramsOf(path);
  const value = (name: string) => `$response.body#/data/${at}${name}`;
  const others = params.filter((name) => name !== own);
  if (params.includes(own))
    return others.every((name) => properties[name])
      ? { ...Object.fromEntries(others.map((name) => [name, value(name)])), [own]: value(field) }
      : null;
  // A list that the id filters: the payments of a booking.
  const isFiltered = method === 'GET' && operation.kind === 'list' && params.length === 0 && field === 'id';
  return isFiltered && inputSchemas(operation)[own] ? { [own]: value(field) } : null;
}

/** A member of an answer that contains an id. */
interface Source {
  /** Where the object is, below `data`. */
  at: string;
  field: string;
  properties: Record<string, JsonSchema>;
}

/** The link of a list to its next page. */
function nextPage(route: Route, operationIdOf: OperationIdOf): Record<string, { $ref: string }> {
  const operationId = operationIdOf(route);
  const ofPath = paramsOf(route.path).map((name) => [name, `$request.path.${name}`]);
  const parameters = { ...Object.fromEntries(ofPath), cursor: '$response.body#/pagination/next_cursor' };
  const name = `${operationId}.next`;
  const description = 'The next page, with the same filters, unless `next_cursor` is null.';
  LINKS.set(name, { operationId, description, parameters });
  return { [name]: { $ref: `#/components/links/${name}` } };
}

/**
 * The links of a route's answer: by its own id to every operation that takes it, by other ids to what they name. Of a list, by the
 * first object, to the operation that reads it, and by its cursor to its next page.
 */
export function linksOf(ofRoute: Route, operationIdOf: OperationIdOf) {
  const { operation, status, isStream, isFeed } = ofRoute;
  if (status === 204 || isStream || isFeed) return {};
  const { properties = {} } = answerSchema(operation);
  const isList = operation.kind === 'list';
  const at = isList ? '0/' : '';
  const links: Record<string, { $ref: string }> =
    isList && inputSchemas(operation).cursor ? nextPage(ofRoute, operationIdOf) : {};
  for (const field of Object.keys(properties)) {
    const own = parameterOf(field, properties);
    if (!own) continue;
    for (const route of ROUTES.filter((each) => !each.isFeed)) {
      const isRead = route.method === 'GET' && route.path.endsWith(`{${own}}`);
      if (!isRead && (isList || field !== 'id')) continue;
      const parameters = parametersFor(route, own, { at, field, properties });
      if (!parameters) continue;
      const operationId = operationIdOf(route);
      // `getBooking.booking` takes the id of a booking, `getBooking.booking_id` that of the booking of a session.
      const source = field === 'id' ? own.replace(/_id$/, '') : field;
      const name = `${operationId}.${at.replace('/', '.')}${source}`;
      LINKS.set(name, { operationId, description: `${route.operation.summary}.`, parameters });
      links[name] = { $ref: `#/components/links/${name}` };
    }
  }
  return Object.keys(links).length === 0 ? {} : { links };
}
