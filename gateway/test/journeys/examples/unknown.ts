import type { IdPrefix } from '@swim/contracts';
import { operationIdOf } from '../../../src/openapi/document.js';
import { paramsOf } from '../../../src/router.js';
import { BASE_PATH, ROUTES } from '../../../src/routes.js';
import { newId, rejected, type Scene } from './scene.js';

/**
 * Every operation on an object answers the same for one that does not exist, and every one below an account for another account:
 * each request that has succeeded is sent once more, to such a path.
 */
export async function missUnknown({ recording, neighbours }: Scene): Promise<void> {
  for (const route of ROUTES) {
    const sent = recording.sent.get(operationIdOf(route));
    const names = paramsOf(route.path);
    if (!sent || names.length === 0) continue;
    const { customer, method, body } = sent;
    const [path = '', query] = sent.url.split('?');
    const send = (to: string) =>
      customer.send(method, query ? `${to}?${query}` : to, body === undefined ? {} : { body });
    const { errors } = route.operation;
    if (names.at(-1) !== 'account_id' && errors.includes('resource_not_found'))
      await rejected('resource_not_found', send(withUnknown(route.path, path)));
    if (names[0] === 'account_id' && errors.includes('foreign_account'))
      await rejected('foreign_account', send(path.replace(/acct_\w+/, neighbours.id)));
  }
}

/** The path with an id that does not exist in place of its last. */
function withUnknown(pattern: string, path: string): string {
  const at = pattern
    .slice(BASE_PATH.length)
    .split('/')
    .findLastIndex((segment) => segment.startsWith('{'));
  const segments = path.split('/');
  const [prefix] = segments[at]!.split('_') as [IdPrefix];
  return segments.map((segment, index) => (index === at ? newId(prefix) : segment)).join('/');
}
