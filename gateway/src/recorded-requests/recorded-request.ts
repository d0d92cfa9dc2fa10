import { getRequest, listRequests } from '@swim/contracts';
import { inputShapeOf, type Match } from '../router.js';
import { MCP_PATH } from '../routes.js';

const ID = /^[a-z]{2,5}_[0-7][0-9a-hjkmnp-tv-z]{25}$/;
const PARAM = /\{\w+\}/g;
const REDACTED = '[redacted]';

/** Parameters whose values are ids, instants, numbers or words of ours. All others may be texts about somebody. */
const KEPT = new Set([
  'after_sequence',
  'available_date',
  'date_from',
  'date_to',
  'dry_run',
  'duration_minutes',
  'expand',
  'first_only',
  'limit',
  'method',
  'month',
  'offset',
  'status',
  'swimming_level',
  'timezone',
  'type',
  'updated_from',
  'updated_to',
]);
const HAS_IDS = /^(?:ids|\w+_ids?)$/;
const WORDS = /^[\w.,:+/-]{1,200}$/;
const MOST_QUERY_LENGTH = 4_096;
const MOST_PARAMETERS = 20;

/** Whether a request is in the log. The dashboard's own routes have the activity; reads of the log would lengthen it. */
export function isRecorded(match: Match): boolean {
  if (match.kind !== 'operation') return match.kind !== 'dashboard';
  const { operation } = match.endpoint;
  return operation !== listRequests && operation !== getRequest;
}

/**
 * The path of a request as the log of the account has it: ids as they are, the name of the parameter instead of any other
 * value. Null where no route has the path, which may then contain anything.
 */
export function recordedPath(match: Match): string | null {
  if (match.kind === 'mcp') return MCP_PATH;
  if (match.kind === 'method') return match.path;
  if (match.kind !== 'operation') return null;
  const { endpoint, values } = match;
  if (values.length === 0) return endpoint.path;
  let index = 0;
  return endpoint.path.replace(PARAM, (name) => {
    const value = values[index++]!;
    return ID.test(value) ? value : name;
  });
}

/** The change that a request made: method and pattern of its route, and the id of its object; null for a request that only reads. */
export function recordedAction(
  match: Match,
  createdId: string | null,
): { action: string; object: string | null } | null {
  if (match.kind !== 'operation' || match.endpoint.operation.kind !== 'write') return null;
  const { endpoint, values } = match;
  // The lease of an event stream is stored; nothing of the account changes.
  if (endpoint.method === 'GET') return null;
  const object = createdId ?? values.findLast((value) => ID.test(value)) ?? null;
  return { action: `${endpoint.method} ${endpoint.path}`, object };
}

const isKept = (name: string, value: string): boolean =>
  HAS_IDS.test(name) ? value.split(',').every((part) => ID.test(part)) : KEPT.has(name) && WORDS.test(value);

/** The name and the value of a parameter, undecoded where its encoding is broken. */
function readPair(pair: string): [string, string] {
  const equals = pair.indexOf('=');
  const [name, value] = equals < 0 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)];
  try {
    return [decodeURIComponent(name), decodeURIComponent(value)];
  } catch {
    return [name, value];
  }
}

/**
 * The parameters of a query as the log of the account has them: those that the operation knows, with values that cannot be
 * personal; other values are replaced, other parameters left out. `query` is the undecoded text.
 */
export function recordedQuery(match: Match, query: string): Record<string, string> {
  const recorded: Record<string, string> = {};
  if (query === '' || match.kind !== 'operation' || query.length > MOST_QUERY_LENGTH) return recorded;
  const known = inputShapeOf(match.endpoint.operation);
  for (const pair of query.split('&', MOST_PARAMETERS)) {
    const [given, value] = readPair(pair);
    const name = given.split('[', 1)[0]!;
    if (!Object.hasOwn(known, name) && name !== 'dry_run') continue;
    recorded[name] = given === name && isKept(name, value) ? value : REDACTED;
  }
  return recorded;
}
