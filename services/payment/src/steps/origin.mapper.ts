import type { EventCause, Principal } from '@swim/contracts';
import { contextOfCause, Deadline, type RequestContext } from '@swim/platform';

const BUDGET_MS = 8_000;

/** The request that work belongs to: recovery acts in its account's name, and events name it as their cause. */
export interface Origin
  extends Pick<EventCause, 'accountId' | 'idempotencyKey' | 'actingSchoolId' | 'traceparent'>,
    Pick<Principal, 'kind' | 'keyId'> {
  requestId: string;
}

/** The fields of an `Origin` in a schema. */
export const originFields = {
  _id: false,
  accountId: String,
  kind: String,
  keyId: String,
  actingSchoolId: String,
  requestId: String,
  idempotencyKey: String,
  traceparent: String,
};

export const originOf = ({ principal, requestId, idempotencyKey, traceparent }: RequestContext): Origin => ({
  accountId: principal.accountId,
  kind: principal.kind,
  keyId: principal.keyId,
  requestId,
  idempotencyKey,
  ...(principal.actingSchoolId === undefined ? {} : { actingSchoolId: principal.actingSchoolId }),
  ...(traceparent === null ? {} : { traceparent }),
});

/** The context in which the work of a request is finished: its account's, with a deadline of its own. */
export const resumedContext = (origin: Origin): RequestContext =>
  contextOfCause({ ...origin, actor: origin.keyId }, new Deadline(BUDGET_MS), origin.kind);
