import { AppError } from '@swim/platform';
import type { Exchange } from './exchange.js';
import { answerOperation } from './operations/operation-answer.js';
import type { Page } from './routes.js';

const HTML_HEADERS = [
  'Content-Security-Policy',
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'",
];

function servePage(exchange: Exchange, page: Page['page']): void {
  const { pages } = exchange.parts;
  if (page === 'docs') exchange.serve('text/html; charset=utf-8', pages.docs, HTML_HEADERS);
  else if (page === 'openapi') exchange.serve('application/json; charset=utf-8', pages.openapi);
  else exchange.succeed(200, pages.health(), null);
}

/** Answers an admitted request; a promise where that takes a service. Throws what the answer shall be. */
export function serve(exchange: Exchange): Promise<void> | undefined {
  const { match } = exchange;
  if (match.kind === 'operation') return answerOperation(exchange, match.endpoint, match.values);
  if (match.kind === 'unknown') throw new AppError('unknown_route');
  if (match.kind === 'method') throw new AppError('method_not_allowed');
  servePage(exchange, match.page.page);
  return undefined;
}
