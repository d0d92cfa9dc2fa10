import type { z } from 'zod';
import type { ServiceName } from './operation.js';

/**
 * Types of event that customers receive (contract, Events and webhooks). `ping` is delivered to a webhook endpoint
 * on demand, never listed.
 */
export const EVENT_TYPES = [
  'session.created',
  'session.updated',
  'session.rescheduled',
  'session.cancelled',
  'session.completed',
  'session.attendance_recorded',
  'session.reminder',
  'lesson.created',
  'lesson.updated',
  'lesson.rescheduled',
  'lesson.cancelled',
  'lesson.completed',
  'class.created',
  'class.updated',
  'class.opened',
  'class.closed',
  'closure.created',
  'closure.done',
  'closure.removed',
  'booking.created',
  'booking.confirmed',
  'booking.cancelled',
  'booking.completed',
  'booking.expired',
  'enrollment.created',
  'enrollment.ended',
  'payment.authorized',
  'payment.succeeded',
  'payment.failed',
  'payment.refunded',
  'payment.disputed',
  'payment.dispute_closed',
  'payment.voided',
  'payment_method.added',
  'payment_method.removed',
  'member.created',
  'member.updated',
  'member.progress_updated',
  'member.level_advanced',
  'member.erased',
  'connection.created',
  'connection.ended',
  'instructor.created',
  'instructor.updated',
  'review.created',
  'waitlist.joined',
  'waitlist.offered',
  'waitlist.accepted',
  'waitlist.expired',
  'webhook_endpoint.disabled',
  'ping',
] as const;
export type PublicEventType = (typeof EVENT_TYPES)[number];

/** The declaration of an event type. `object` is the schema of `data.object` for subscribers. */
export interface EventType<S extends z.ZodType = z.ZodType> {
  readonly type: PublicEventType;
  readonly service: ServiceName;
  readonly object: S;
}

/** Declares an event by its public type, for instance `booking.created`. */
export function event<S extends z.ZodType>(service: ServiceName, type: PublicEventType, object: S): EventType<S> {
  return { type, service, object };
}

/** The actor of what a service does by itself. */
export const SYSTEM_ACTOR = 'system';

/** The cause of an event. */
export interface EventCause {
  /** Request that caused it; null when a service acted by itself. */
  requestId: string | null;
  idempotencyKey: string | null;
  /** `key_…` of the API key, `usr_…` of the user, or `system`. */
  actor: string;
  /**
   * Account of that key, or the one in whose name the service acted: only its own events name the key and the idempotency key.
   */
  accountId: string;
  /** The school that acted for that account; absent otherwise. */
  actingSchoolId?: string;
  /** W3C trace context of that request; absent where the client sent none, and no traces are recorded. */
  traceparent?: string;
  /** Whether the client wants no e-mails about it (`notify_participants`). */
  isQuiet?: boolean;
}

/** Whether an account itself has caused something: not a service, and no school that acts for it. */
export const isCausedBy = (accountId: string, { actor, actingSchoolId, ...cause }: EventCause): boolean =>
  actor !== SYSTEM_ACTOR && actingSchoolId === undefined && cause.accountId === accountId;

/** An event between services: one per change, for its whole audience. */
export interface BusEvent<T = unknown> {
  /** `evt_…`, the source id, from which each account's own event id is derived. */
  id: string;
  /** Ordinal among the events of this object, from 1, without gaps. */
  n: number;
  type: string;
  env: Environment;
  /** ISO 8601 UTC time of the change. */
  occurredAt: string;
  /** Accounts that get a copy of the event. */
  audience: string[];
  objectId: string;
  object: T;
  /** Former values of the fields that an update changed; absent otherwise. */
  previous?: Record<string, unknown>;
  cause: EventCause;
}

/** Live and sandbox are separate: databases and streams of their own, chosen by the key. */
export type Environment = 'live' | 'test';
export const ENVIRONMENTS: readonly Environment[] = ['live', 'test'];
