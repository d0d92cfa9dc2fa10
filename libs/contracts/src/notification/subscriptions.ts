import type { EventType } from '../operations/event.js';
import type { ServiceName } from '../operations/operation.js';
import { paymentAuthorized, paymentFailed, paymentSucceeded } from '../payment/payment.js';
import { connectionEnded } from '../people/connections.js';
import { instructorUpdated } from '../people/instructors.js';
import { memberErased } from '../people/members.js';
import {
  sessionAttendanceRecorded,
  sessionCancelled,
  sessionCompleted,
  sessionCreated,
  sessionRescheduled,
  sessionUpdated,
} from '../scheduling/sessions.js';
import { waitlistJoined } from '../scheduling/waitlist.js';

/**
 * The event types that each service consumes, `*` for all: its durable consumers follow from this. A service without an entry
 * has none. Events of one write whose types have the same consumers share a message: for the order in which services are replaced
 * when a type gets another consumer, see docs/adr/0006.
 */
export const SUBSCRIPTIONS: Partial<Record<ServiceName, readonly (EventType | '*')[]>> = {
  people: [
    sessionCreated,
    sessionUpdated,
    sessionRescheduled,
    sessionCompleted,
    sessionAttendanceRecorded,
    sessionCancelled,
    waitlistJoined,
    paymentAuthorized,
    paymentSucceeded,
    paymentFailed,
    memberErased,
  ],
  scheduling: [memberErased, instructorUpdated],
  booking: [
    sessionUpdated,
    sessionRescheduled,
    sessionCompleted,
    sessionAttendanceRecorded,
    sessionCancelled,
    memberErased,
    connectionEnded,
  ],
  notification: ['*'],
};
