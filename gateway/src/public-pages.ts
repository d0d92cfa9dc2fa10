import { BASE_PATH } from './routes.js';

/** A page that needs no key. */
export interface Page {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly page:
    | 'health'
    | 'openapi'
    | 'openapi30'
    | 'docs'
    | 'dashboard'
    | 'security'
    | 'unsubscribe'
    | 'confirm-email';
}

/** Public without a key (contract, Versions). */
export const PAGES: readonly Page[] = [
  { method: 'GET', path: '/health', page: 'health' },
  { method: 'GET', path: `${BASE_PATH}/health`, page: 'health' },
  { method: 'GET', path: `${BASE_PATH}/openapi.json`, page: 'openapi' },
  { method: 'GET', path: `${BASE_PATH}/openapi-3.0.json`, page: 'openapi30' },
  { method: 'GET', path: '/docs', page: 'docs' },
  { method: 'GET', path: '/docs/{rest...}', page: 'docs' },
  { method: 'GET', path: '/llms.txt', page: 'docs' },
  { method: 'GET', path: '/dashboard/{rest...}', page: 'dashboard' },
  { method: 'GET', path: '/.well-known/security.txt', page: 'security' },
  // Pages of links in e-mails: their token is signed.
  { method: 'GET', path: '/unsubscribe', page: 'unsubscribe' },
  { method: 'POST', path: '/unsubscribe', page: 'unsubscribe' },
  { method: 'GET', path: '/confirm-email', page: 'confirm-email' },
  { method: 'POST', path: '/confirm-email', page: 'confirm-email' },
];
