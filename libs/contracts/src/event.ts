import type { z } from 'zod';
import type { ServiceName } from './operation.js';

/** The one declaration of something that happened. `object` is what subscribers see in `data.object`. */
export interface EventType<S extends z.ZodType = z.ZodType> {
  readonly type: string;
  readonly service: ServiceName;
  readonly object: S;
}

/** Declares an event by its public type, for instance `booking.created`. */
export function event<S extends z.ZodType>(service: ServiceName, type: string, object: S): EventType<S> {
  return { type, service, object };
}

/** Who or what caused an event. */
export interface EventCause {
  /** Request that caused it; null when a service acted by itself. */
  requestId: string | null;
  idempotencyKey: string | null;
  /** `key_…` of the API key, or `system`. */
  actor: string;
  /** Account of that key, or in whose name the service acted: only its events name the key and the idempotency key. */
  accountId: string;
  /** W3C trace context of that request; absent where the client sent none. */
  traceparent?: string;
}

/** An event as it travels between services: once per change, for all of its audience. */
export interface BusEvent<T = unknown> {
  /** `evt_…`, the source id, from which each account's own event id is derived. */
  id: string;
  /** Ordinal among the events of this object, from 1, without gaps. */
  n: number;
  type: string;
  env: Environment;
  /** ISO 8601 UTC time of the change. */
  occurredAt: string;
  /** Accounts that get an event of their own. */
  audience: string[];
  objectId: string;
  object: T;
  /** Former values of the fields that an update changed; absent otherwise. */
  previous?: Record<string, unknown>;
  cause: EventCause;
}

/** Live and sandbox never meet: separate databases and streams, chosen by the key. */
export type Environment = 'live' | 'test';
export const ENVIRONMENTS: readonly Environment[] = ['live', 'test'];
