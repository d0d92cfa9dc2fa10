import { AppError } from '@swim/platform';
import type { Exchange } from './exchange.js';
import { answerExport } from './exports/export-answer.js';
import { answerOperation } from './operations/operation-answer.js';
import type { CachedDocument } from './pages.js';
import type { Page } from './routes.js';

/** Documents change with a release; five minutes later everybody has the new one. */
const DOCUMENT_CACHING = 'public, max-age=300';
const SECURITY_TXT_CACHING = 'public, max-age=86400';

function serveDocument(exchange: Exchange, document: CachedDocument): void {
  const { body, headers } = document.representation(exchange.request.headers);
  if (body === null) exchange.serveUnchanged(DOCUMENT_CACHING, headers);
  else exchange.serve(document.type, body, DOCUMENT_CACHING, headers);
}

function servePage(exchange: Exchange, page: Page['page']): void {
  const { pages } = exchange.dependencies;
  if (page === 'health') exchange.succeed(200, pages.health(), null);
  else if (page === 'security') exchange.serve('text/plain; charset=utf-8', pages.securityTxt(), SECURITY_TXT_CACHING);
  else serveDocument(exchange, pages.documents[page]);
}

/** Answers an admitted request; a promise where that takes a service. Throws what the answer shall be. */
export function serve(exchange: Exchange): Promise<void> | undefined {
  const { match } = exchange;
  if (match.kind === 'operation') {
    const answer = match.endpoint.isExport ? answerExport : answerOperation;
    return answer(exchange, match.endpoint, match.values);
  }
  if (match.kind === 'unknown') throw new AppError('unknown_route');
  if (match.kind === 'method') throw new AppError('method_not_allowed');
  servePage(exchange, match.page.page);
  return undefined;
}
