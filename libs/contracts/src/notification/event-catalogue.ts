import { z } from 'zod';
import {
  bookingCancelled,
  bookingCompleted,
  bookingConfirmed,
  bookingCreated,
  bookingExpired,
} from '../booking/booking.js';
import { enrollmentCreated, enrollmentEnded } from '../booking/enrollments.js';
import { kindOf } from '../formats/object-kinds.js';
import { EVENT_TYPES, type PublicEventType } from '../operations/event.js';
import {
  paymentAuthorized,
  paymentDisputeClosed,
  paymentDisputed,
  paymentFailed,
  paymentRefunded,
  paymentSucceeded,
  paymentVoided,
} from '../payment/payment.js';
import { paymentMethodAdded, paymentMethodRemoved } from '../payment/payment-methods.js';
import { connectionCreated, connectionEnded } from '../people/connections.js';
import { instructorCreated, instructorUpdated } from '../people/instructors.js';
import { memberCreated, memberErased, memberUpdated } from '../people/members.js';
import { memberLevelAdvanced, memberProgressUpdated } from '../people/progress.js';
import { reviewCreated } from '../people/reviews.js';
import { classClosed, classCreated, classOpened, classUpdated } from '../scheduling/lessons/classes.js';
import { closureCreated, closureDone, closureRemoved } from '../scheduling/lessons/closures.js';
import {
  lessonCancelled,
  lessonCompleted,
  lessonRescheduled,
  lessonUpdated,
} from '../scheduling/lessons/lesson-changes.js';
import { lessonCreated } from '../scheduling/lessons/lessons.js';
import {
  sessionAttendanceRecorded,
  sessionCancelled,
  sessionCompleted,
  sessionCreated,
  sessionReminder,
  sessionRescheduled,
  sessionUpdated,
} from '../scheduling/sessions.js';
import { waitlistAccepted, waitlistExpired, waitlistJoined, waitlistOffered } from '../scheduling/waitlist.js';
import { accountEvent } from './notification.js';
import { webhookEndpointDisabled } from './webhooks.js';

/** What customers are promised about a type of event. */
export interface CataloguedEvent {
  /** When it occurs, in a sentence. */
  readonly summary: string;
  /** The schema of `data.object`, without `object`, which names its kind. */
  readonly object: z.ZodObject;
}

const entry = (summary: string, { object }: { readonly object: z.ZodObject }): CataloguedEvent => ({ summary, object });

/** Every type of event that customers receive. */
export const EVENT_CATALOGUE: Readonly<Record<PublicEventType, CataloguedEvent>> = {
  'session.created': entry('A session was scheduled, by itself or as part of a booking.', sessionCreated),
  'session.updated': entry('Something other than time and instructor of a session changed.', sessionUpdated),
  'session.rescheduled': entry('A session has another time or another instructor.', sessionRescheduled),
  'session.cancelled': entry('A session was cancelled.', sessionCancelled),
  'session.completed': entry('A session is over.', sessionCompleted),
  'session.attendance_recorded': entry('The school recorded who attended a session.', sessionAttendanceRecorded),
  'session.reminder': entry('A session begins within 24 hours, or within 2 hours.', sessionReminder),
  'class.created': entry('The school added a class, as a draft.', classCreated),
  'class.updated': entry('The school changed a class.', classUpdated),
  'class.closed': entry('The school closed a class: it takes no more enrollments.', classClosed),
  'class.opened': entry('The school opened a class: its lessons are made.', classOpened),
  'closure.created': entry('The school closed time of pools or instructors.', closureCreated),
  'closure.done': entry('The lessons in closed time are cancelled, or stay.', closureDone),
  'closure.removed': entry('The school removed a closure: its time can be booked again.', closureRemoved),
  'lesson.created': entry('The school added a lesson with places.', lessonCreated),
  'lesson.updated': entry('The school changed what is said about a lesson, or its number of places.', lessonUpdated),
  'lesson.rescheduled': entry('The school moved a lesson to another time or instructor.', lessonRescheduled),
  'lesson.cancelled': entry('The school cancelled a lesson, and with it each of its sessions.', lessonCancelled),
  'lesson.completed': entry('A lesson was given: it ended 15 minutes ago.', lessonCompleted),
  'booking.created': entry('A booking was made.', bookingCreated),
  'booking.confirmed': entry('A booking is confirmed: at once, or when its prepayment is there.', bookingConfirmed),
  'booking.cancelled': entry('All sessions of a booking are cancelled.', bookingCancelled),
  'booking.completed': entry('All sessions of a booking are over; some may be cancelled.', bookingCompleted),
  'booking.expired': entry('A booking ended because its prepayment did not come in time.', bookingExpired),
  'enrollment.created': entry(
    'A member was enrolled in a class, also one that awaits its prepayment.',
    enrollmentCreated,
  ),
  'enrollment.ended': entry('An enrollment is over: by its end, or with its booking.', enrollmentEnded),
  'payment.authorized': entry('The amount of a payment is reserved on the card.', paymentAuthorized),
  'payment.succeeded': entry('A payment was charged.', paymentSucceeded),
  'payment.failed': entry('A payment failed.', paymentFailed),
  'payment.refunded': entry('A part of a payment, or all of it, was refunded.', paymentRefunded),
  'payment.voided': entry('An authorised payment was released without a charge.', paymentVoided),
  'payment.disputed': entry('The owner of the card disputes a payment.', paymentDisputed),
  'payment.dispute_closed': entry('A dispute of a payment was won or lost.', paymentDisputeClosed),
  'payment_method.added': entry('A payment method was added to the account.', paymentMethodAdded),
  'payment_method.removed': entry('A payment method was removed from the account.', paymentMethodRemoved),
  'member.created': entry('A member was added to the account.', memberCreated),
  'member.updated': entry('Something about a member changed.', memberUpdated),
  'member.progress_updated': entry('A school assessed skills of a member.', memberProgressUpdated),
  'member.level_advanced': entry('A member has mastered a level and reached the next one.', memberLevelAdvanced),
  'member.erased': entry('The personal data of a member were erased.', memberErased),
  'connection.created': entry('A school may read and book members of an account.', connectionCreated),
  'connection.ended': entry('A school may not read the members of an account any more.', connectionEnded),
  'instructor.created': entry('A school added an instructor.', instructorCreated),
  'instructor.updated': entry('Profile, hours or rates of an instructor changed.', instructorUpdated),
  'review.created': entry('A completed session was reviewed.', reviewCreated),
  'waitlist.joined': entry('A member waits for a free time.', waitlistJoined),
  'waitlist.offered': entry('A time has become free and is held for a waiting member.', waitlistOffered),
  'waitlist.accepted': entry('The time that was offered to a waiting member is booked.', waitlistAccepted),
  'waitlist.expired': entry('An entry of the waitlist ended without a booking.', waitlistExpired),
  'webhook_endpoint.disabled': entry(
    'A webhook endpoint was disabled: it answered 410, or failed for five days in a row.',
    webhookEndpointDisabled,
  ),
  ping: entry(
    'A webhook endpoint is tested. It is delivered, not listed, and has no `sequence`.',
    webhookEndpointDisabled,
  ),
};

/** The kind of object that events of a type are about, as the object's schema declares it: `session` for `session.created`. */
export function objectKindOf(type: string): string {
  if (Object.hasOwn(EVENT_CATALOGUE, type)) return kindOf(EVENT_CATALOGUE[type as PublicEventType].object)!;
  // A type of a newer service: most are named after their objects.
  return type.replace(/\..*$/, '');
}

/** An event of a type as customers receive it: `accountEvent` with the object of that type. */
export function eventOfType(type: PublicEventType): z.ZodObject {
  const { object } = EVENT_CATALOGUE[type];
  const { previous_attributes } = accountEvent.shape.data.shape;
  const event = accountEvent.extend({ type: z.literal(type), data: z.object({ object, previous_attributes }) });
  return type === 'ping' ? event.omit({ sequence: true }) : event;
}

/** An event of any type of EVENT_TYPES; `type` decides which. */
export const typedEvent = z.discriminatedUnion(
  'type',
  EVENT_TYPES.map(eventOfType) as unknown as [z.ZodObject, ...z.ZodObject[]],
);
