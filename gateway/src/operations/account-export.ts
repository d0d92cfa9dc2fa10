import { setTimeout } from 'node:timers/promises';
import type { ErrorBody, Member, Operation, Pagination, Principal, Reason, Scope } from '@swim/contracts';
import * as api from '@swim/contracts';
import { type Answer, AppError, BUDGET_MS, Deadline, makeRequestContext, type RequestContext } from '@swim/platform';
import type { ServiceCalls } from '../calls/service-calls.js';
import type { Exchange } from '../exchange.js';
import type { Endpoint } from '../router.js';
import { actingPrincipal } from './acting.js';
import { authorize } from './operation-answer.js';
import { readRead } from './operation-input.js';

/** One list of an account's export: the operation that answers it and the scopes that it needs by itself. */
export interface ExportPart {
  readonly name: string;
  readonly operation: Operation;
  /** The scope that a key needs. */
  readonly scope: Scope;
  /** The scope that a user of the dashboard needs. */
  readonly userScope: Scope;
  /** Whether the list takes the account's id; the others are of the principal. */
  readonly byAccount: boolean;
}

const toPart = (name: string, operation: Operation, scope: Scope, byAccount = true): ExportPart => ({
  name,
  operation,
  scope,
  userScope: scope,
  byAccount,
});

// Users read their team as owner or admin alone: the roles that may change the account.
const ofTeam = (name: string, operation: Operation): ExportPart => ({
  ...toPart(name, operation, 'accounts:read'),
  userScope: 'accounts:write',
});

/** The lists of an export, in the order in which they are written. */
export const EXPORT_PARTS: readonly ExportPart[] = [
  toPart('keys', api.listKeys, 'keys:read'),
  toPart('members', api.listOwnMembers, 'members:read'),
  toPart('connections', api.listConnections, 'members:read', false),
  toPart('imports', api.listImports, 'members:read', false),
  toPart('instructors', api.listOwnInstructors, 'instructors:read'),
  toPart('reviews', api.listOwnReviews, 'instructors:read'),
  toPart('pools', api.listOwnPools, 'instructors:read'),
  toPart('classes', api.listClasses, 'sessions:read'),
  toPart('lessons', api.listLessons, 'sessions:read'),
  toPart('sessions', api.listSessions, 'sessions:read', false),
  toPart('holds', api.listHolds, 'bookings:read', false),
  toPart('waitlist', api.listWaitlist, 'bookings:read', false),
  toPart('bookings', api.listBookings, 'bookings:read'),
  toPart('enrollments', api.listEnrollments, 'bookings:read', false),
  toPart('credits', api.listCredits, 'payments:read'),
  toPart('payment_methods', api.listPaymentMethods, 'payments:read'),
  toPart('payments', api.listPayments, 'payments:read'),
  toPart('refunds', api.listOwnRefunds, 'payments:read'),
  toPart('access_log', api.listAccessLog, 'accounts:read'),
  ofTeam('users', api.listOwnUsers),
  ofTeam('invitations', api.listOwnInvitations),
  ofTeam('activity', api.listOwnActivity),
  toPart('events', api.listEvents, 'events:read', false),
  toPart('requests', api.listRequests, 'keys:read', false),
  toPart('messages', api.listMessages, 'accounts:read'),
  toPart('ended_subscriptions', api.listOwnEndedSubscriptions, 'accounts:read', false),
  toPart('webhook_endpoints', api.listWebhookEndpoints, 'webhooks:read', false),
  toPart('webhook_deliveries', api.listOwnWebhookDeliveries, 'webhooks:read', false),
];

const PAGE = 100;
const CLOSED = Buffer.from(']');
const COMMA = Buffer.from(',');
const END = Buffer.from('}');

/** The request of an export, and whose it is. */
interface Exporter {
  readonly calls: ServiceCalls;
  readonly accountId: string;
  /** The principal as its key or session is now; throws when it has ended, or no longer has the scopes of all parts. */
  readonly currentPrincipal: () => Promise<Principal>;
  readonly requestId: string;
  /** The client's network, for the access log. */
  readonly network: RequestContext['network'];
  readonly traceparent: RequestContext['traceparent'];
}

const opening = (name: string): Buffer => Buffer.from(`,${JSON.stringify(name)}:[`);
const isEmpty = ({ body }: Answer): boolean => body.length <= 2;
// Without the brackets of the list, or the closing brace of the object.
const insideOf = ({ body }: Answer): Uint8Array => body.subarray(1, -1);

async function request(
  { calls, currentPrincipal, requestId, network, traceparent }: Exporter,
  operation: Operation,
  input: object,
): Promise<Answer> {
  const principal = await currentPrincipal();
  const deadline = new Deadline(BUDGET_MS[operation.kind]);
  const context = makeRequestContext({ requestId, principal, deadline, network, traceparent });
  const { answer, error } = await calls.request(operation, JSON.stringify(input), context);
  if (error) throw AppError.fromBody(error as ErrorBody);
  return answer;
}

/** Rejections that pass by themselves. */
const PASSING: ReadonlySet<Reason> = new Set(['unavailable', 'overloaded', 'deadline_exceeded']);
/** How long the further tries of a page wait. An export of many pages has to outlast a busy moment: it cannot be resumed. */
const PAUSES_MS = [250, 1_000, 4_000];

/** The answer of a request that may be repeated; throws the error of its last try. */
async function persistently(exporter: Exporter, operation: Operation, input: object): Promise<Answer> {
  for (const pauseMs of PAUSES_MS) {
    try {
      return await request(exporter, operation, input);
    } catch (error) {
      if (!(error instanceof AppError && PASSING.has(error.reason))) throw error;
      await setTimeout(pauseMs);
    }
  }
  return request(exporter, operation, input);
}

/** The pages of a list, one at a time. */
async function* pagesOf(exporter: Exporter, { operation, byAccount }: ExportPart): AsyncGenerator<Answer> {
  const whose = byAccount ? { account_id: exporter.accountId } : {};
  let cursor: string | null = null;
  do {
    const page = await persistently(exporter, operation, {
      ...whose,
      limit: PAGE,
      ...(cursor === null ? {} : { cursor }),
    });
    yield page;
    cursor = (JSON.parse(page.pagination!) as Pagination).next_cursor;
  } while (cursor !== null);
}

/** The bytes of a list's items, joined; `onPage` receives each page as well. */
async function* listOf(
  exporter: Exporter,
  part: ExportPart,
  onPage: (page: Answer) => void,
): AsyncGenerator<Uint8Array> {
  yield opening(part.name);
  let isFirst = true;
  for await (const page of pagesOf(exporter, part)) {
    if (isEmpty(page)) continue;
    onPage(page);
    if (!isFirst) yield COMMA;
    isFirst = false;
    yield insideOf(page);
  }
  yield CLOSED;
}

async function* progressOf(exporter: Exporter, memberIds: readonly string[]): AsyncGenerator<Uint8Array> {
  yield opening('progress');
  let isFirst = true;
  for (const member_id of memberIds) {
    const progress = await persistently(exporter, api.getMemberProgress, { member_id }).catch(unlessGone);
    if (!progress) continue;
    if (!isFirst) yield COMMA;
    isFirst = false;
    yield progress.body;
  }
  yield CLOSED;
}

// The member was erased after it was listed.
function unlessGone(error: unknown): null {
  if (error instanceof AppError && error.reason === 'resource_not_found') return null;
  throw error;
}

const idsIn = ({ body }: Answer): string[] =>
  (JSON.parse(Buffer.from(body).toString()) as Member[]).map((member) => member.id);

/**
 * The bytes of `data` of an export, piece by piece: no more than a page is in memory, and each page is requested after the
 * client has read the one before. The account comes first: a rejected request is rejected before the first byte.
 */
async function* exportOf(exporter: Exporter, operation: Operation, input: object): AsyncGenerator<Uint8Array> {
  const head = await request(exporter, operation, input);
  yield head.body.subarray(0, -1);
  const memberIds: string[] = [];
  for (const part of EXPORT_PARTS) {
    const isMembers = part.name === 'members';
    yield* listOf(exporter, part, (page) => void (isMembers && memberIds.push(...idsIn(page))));
    if (isMembers) yield* progressOf(exporter, memberIds);
  }
  yield END;
}

/**
 * Answers with all data of the account. The key needs the scope of each part, as it would for a request of that list, and still at
 * each page: a client may read slowly, and its key be revoked meanwhile.
 */
export async function answerExport(exchange: Exchange, endpoint: Endpoint, values: readonly string[]): Promise<void> {
  const authorized = async (own: Principal): Promise<Principal> => {
    const principal = await actingPrincipal(exchange, endpoint, values, own);
    authorize(endpoint, values, principal);
    for (const { scope, userScope } of EXPORT_PARTS) {
      const needed = principal.userId === undefined ? scope : userScope;
      authorize({ ...endpoint, scope: needed }, values, principal);
    }
    return principal;
  };
  const { accountId } = await authorized(exchange.principal!);
  const { input } = readRead(exchange, endpoint, values);
  const { dependencies, requestId, network, traceparent } = exchange;
  const currentPrincipal = async () => authorized(await exchange.reauthenticate());
  const exporter = { calls: dependencies.calls, accountId, currentPrincipal, requestId, network, traceparent };
  await exchange.stream(exportOf(exporter, endpoint.operation, input));
}
