import type { Match } from '../router.js';
import { BASE_PATH } from '../routes.js';

/** Whether the request needs an API key: everything below the base path does, except the public pages. */
export function needsKey(match: Match, path: string): boolean {
  if (match.kind === 'operation') return true;
  if (match.kind === 'page' || (match.kind === 'method' && match.isPage)) return false;
  return path === BASE_PATH || path.startsWith(`${BASE_PATH}/`);
}
