import type { EventCause } from '@swim/contracts';
import { currentEnvironment, Deadline, makeRequestContext, type RequestContext } from '@swim/platform';

const FULFIL_MS = 10_000;

/** The context in which the plan of a confirmed claim is carried out: its events name the request that claimed. */
export const contextOfPlan = (cause: EventCause, kind: 'family' | 'school' = 'family'): RequestContext =>
  makeRequestContext({
    requestId: cause.requestId ?? '',
    idempotencyKey: cause.idempotencyKey,
    traceparent: cause.traceparent ?? null,
    isQuiet: cause.isQuiet ?? false,
    deadline: new Deadline(FULFIL_MS),
    principal: {
      accountId: cause.accountId,
      kind,
      env: currentEnvironment(),
      keyId: cause.actor,
      scopes: [],
      ...(cause.actingSchoolId === undefined ? {} : { actingSchoolId: cause.actingSchoolId }),
    },
  });
