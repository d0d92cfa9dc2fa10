import type { AccountKind, EventCause } from '@swim/contracts';
import { contextOfCause, Deadline, type RequestContext } from '@swim/platform';

const FULFIL_MS = 10_000;

/** The context in which the plan of a confirmed claim is carried out: its events name the request that claimed. */
export const contextOfPlan = (cause: EventCause, kind?: AccountKind): RequestContext =>
  contextOfCause(cause, new Deadline(FULFIL_MS), kind);
