import type { CookieChanges } from '@swim/contracts';
import { AppError } from '@swim/platform';
import type { Exchange } from '../exchange.js';
import { requestOperation } from '../operations/operation-answer.js';
import { checkedInput, queryFields, unknownField } from '../operations/operation-input.js';
import { readJsonBody } from '../requests/json-body.js';
import { hasBody, readRawBody } from '../requests/raw-body.js';
import { readQuery } from '../requests/request-target.js';
import type { DashboardEndpoint } from '../router.js';
import { cookieHeaders, presentedDevices, presentedSession, presentedSignIn } from './cookies.js';
import type { GivenInput } from './routes.js';

type Fields = Record<string, unknown>;

function givenTo({ request }: Exchange, name: GivenInput): unknown {
  switch (name) {
    case 'sessionId':
      return presentedSession(request)!.id;
    case 'session':
      return presentedSession(request)!;
    case 'pending':
      return presentedSignIn(request) ?? undefined;
    case 'devices':
      return presentedDevices(request);
  }
}

async function fieldsOf({ request, target }: Exchange, { method }: DashboardEndpoint): Promise<Fields> {
  const query = queryFields(readQuery(target.query));
  if (method === 'GET') return query;
  for (const name of Object.keys(query)) throw unknownField(name);
  return hasBody(request) ? readJsonBody(await readRawBody(request)) : {};
}

/** Answers a request of the dashboard's own routes. Throws the error to answer otherwise. */
export async function answerDashboard(
  exchange: Exchange,
  endpoint: DashboardEndpoint,
  values: readonly string[],
): Promise<void> {
  const fields = await fieldsOf(exchange, endpoint);
  for (const name of endpoint.gives) {
    if (Object.hasOwn(fields, name)) throw unknownField(name);
    fields[name] = givenTo(exchange, name);
  }
  const input = checkedInput(endpoint, values, fields);
  const request = { input, dryRun: false, idempotencyKey: null, writeKey: null, fingerprint: null };
  const { answer, error } = await requestOperation(exchange, endpoint, request);
  if (error) exchange.reject(error, answer.retryAfterSeconds, headersOfError(error.details.reason));
  else if (endpoint.setsCookies) {
    const { cookies, data } = JSON.parse(Buffer.from(answer.body).toString()) as {
      cookies: CookieChanges;
      data: object;
    };
    exchange.succeed(
      endpoint.status,
      Buffer.from(JSON.stringify(data)),
      null,
      cookieHeaders(cookies, presentedDevices(exchange.request)),
    );
  } else exchange.succeed(endpoint.status, answer.body, answer.pagination);
}

// The browser forgets a cookie that is of no use any more.
const headersOfError = (reason: string): string[] =>
  reason === 'session_ended' ? cookieHeaders({ session: null }) : [];

/** Rejects a request of the dashboard whose session has ended. */
export function failSession(exchange: Exchange, error: unknown): void {
  if (error instanceof AppError && error.reason === 'session_ended')
    exchange.reject(error.toBody(), null, cookieHeaders({ session: null }));
  else exchange.fail(error);
}
