import type { Principal } from '@swim/contracts';
import { currentEnvironment, Deadline, makeRequestContext, type RequestContext } from '@swim/platform';

const BUDGET_MS = 8_000;

/** The request that work belongs to: recovery acts in its account's name, and events name it as their cause. */
export interface Origin extends Pick<Principal, 'accountId' | 'kind' | 'keyId' | 'actingSchoolId'> {
  requestId: string;
  idempotencyKey: string | null;
  /** W3C trace context of the request; absent where the client sent none. */
  traceparent?: string;
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
  makeRequestContext({
    requestId: origin.requestId,
    idempotencyKey: origin.idempotencyKey,
    traceparent: origin.traceparent ?? null,
    principal: {
      accountId: origin.accountId,
      kind: origin.kind,
      env: currentEnvironment(),
      keyId: origin.keyId,
      scopes: [],
      ...(origin.actingSchoolId === undefined ? {} : { actingSchoolId: origin.actingSchoolId }),
    },
    deadline: new Deadline(BUDGET_MS),
  });
