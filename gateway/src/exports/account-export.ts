import {
  type ErrorBody,
  getMemberProgress,
  type Member,
  type Operation,
  type Pagination,
  type Principal,
} from '@swim/contracts';
import { type Answer, AppError, BUDGET_MS, Deadline, makeRequestContext, type RequestContext } from '@swim/platform';
import type { ServiceCalls } from '../calls/service-calls.js';
import { EXPORT_PARTS, type ExportPart } from './export-parts.js';

const PAGE = 100;
const CLOSED = Buffer.from(']');
const COMMA = Buffer.from(',');
const END = Buffer.from('}');

/** Who exports, on behalf of which request. */
export interface Exporter {
  readonly calls: ServiceCalls;
  readonly principal: Principal;
  readonly requestId: string;
  /** The client's network, which the access log keeps. */
  readonly network: RequestContext['network'];
}

const opening = (name: string): Buffer => Buffer.from(`,${JSON.stringify(name)}:[`);
const isEmpty = ({ body }: Answer): boolean => body.length <= 2;
// Without the brackets of the list, or the closing brace of the object.
const insideOf = ({ body }: Answer): Uint8Array => body.subarray(1, -1);

async function request(
  { calls, principal, requestId, network }: Exporter,
  operation: Operation,
  input: object,
): Promise<Answer> {
  const deadline = new Deadline(BUDGET_MS[operation.kind]);
  const context = makeRequestContext({ requestId, principal, deadline, network });
  const { answer, error } = await calls.request(operation, JSON.stringify(input), context);
  if (error) throw AppError.fromBody(error as ErrorBody);
  return answer;
}

/** The pages of a list, one at a time. */
async function* pagesOf(exporter: Exporter, { operation, byAccount }: ExportPart): AsyncGenerator<Answer> {
  const whose = byAccount ? { account_id: exporter.principal.accountId } : {};
  let cursor: string | null = null;
  do {
    const page = await request(exporter, operation, { ...whose, limit: PAGE, ...(cursor === null ? {} : { cursor }) });
    yield page;
    cursor = (JSON.parse(page.pagination!) as Pagination).next_cursor;
  } while (cursor !== null);
}

/** The bytes of a list's items, joined; each page is handed to `see` as well. */
async function* listOf(exporter: Exporter, part: ExportPart, see: (page: Answer) => void): AsyncGenerator<Uint8Array> {
  yield opening(part.name);
  let isFirst = true;
  for await (const page of pagesOf(exporter, part)) {
    if (isEmpty(page)) continue;
    see(page);
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
    const progress = await request(exporter, getMemberProgress, { member_id }).catch(unlessGone);
    if (!progress) continue;
    if (!isFirst) yield COMMA;
    isFirst = false;
    yield progress.body;
  }
  yield CLOSED;
}

// It was erased after it was listed.
function unlessGone(error: unknown): null {
  if (error instanceof AppError && error.reason === 'resource_not_found') return null;
  throw error;
}

const idsIn = ({ body }: Answer): string[] =>
  (JSON.parse(Buffer.from(body).toString()) as Member[]).map((member) => member.id);

/**
 * The bytes of `data` of an export, piece by piece: no more than a page is in memory, and no page is asked for before the
 * one before was taken. The account itself comes first, so that whoever may not have it is rejected before anything is told.
 */
export async function* accountExport(
  exporter: Exporter,
  operation: Operation,
  input: object,
): AsyncGenerator<Uint8Array> {
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
