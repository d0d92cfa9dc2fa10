import type { Operation, Scope } from '@swim/contracts';
import * as api from '@swim/contracts';

/** The root of the API; every path below it needs a key, except those in PAGES and WEBHOOKS. */
export const BASE_PATH = '/v1';

/** The endpoint of the Model Context Protocol, beside the API: its tools are the operations of the API. */
export const MCP_PATH = '/mcp';

/** One row of the public API: the operation of a method and path, the scope that it needs, the status of success. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** With parameters in braces; each is a member of the operation's input. `account_id` must be the account of the key, or one that it acts for. */
  readonly path: string;
  readonly operation: Operation;
  /** The scope that a key must have; null: any key may. */
  readonly scope: Scope | null;
  /** A scope that it needs besides: what leads to the events of the account needs that of the events. */
  readonly alsoNeeds?: Scope;
  readonly status: 200 | 201 | 202 | 204;
  /** Whether the answer is the whole export of the account, streamed. */
  readonly isExport?: true;
  /** Whether the answer is a stream of server-sent events. */
  readonly isStream?: true;
  /** Whether `Accept: text/csv` gets the answer as CSV. */
  readonly hasCsv?: true;
  /** Whether the gateway adds the limits of the account to the answer. */
  readonly hasLimits?: true;
  /** Whether users of the role `instructor` may, without its scope: its service checks that the lesson or member is theirs. */
  readonly isForInstructors?: true;
  /** Whether `account_id` in the path is that of a family, for its school: the service checks that it has made it. */
  readonly isOfFamily?: true;
  /** Whether it is a calendar feed: its token replaces a key. */
  readonly isFeed?: true;
  /** Whether users need a session that was confirmed within ten minutes: in live always, or for a change of these fields. */
  readonly needsConfirmation?: true | readonly string[];
  /** The status for a test key, where it differs. */
  readonly testStatus?: 204;
}

/** A webhook of a payment processor: its signature replaces a key, and its body is passed on as it is received. */
export interface Webhook {
  readonly method: 'POST';
  readonly path: string;
  readonly operation: typeof api.receiveStripeWebhook;
  /** The header of the signature, in lower case. */
  readonly signatureHeader: string;
}

const SUCCESS = { GET: 200, POST: 201, PATCH: 200, DELETE: 204 } as const;

function row(line: string, operation: Operation, scope: Scope | null, status?: Route['status']): Route {
  const [method, path] = line.split(' ') as [Route['method'], string];
  return { method, path: BASE_PATH + path, operation, scope, status: status ?? SUCCESS[method] };
}

const confirmed = (route: Route, only?: readonly string[]): Route => ({ ...route, needsConfirmation: only ?? true });
const forInstructors = (route: Route): Route => ({ ...route, isForInstructors: true });
const ofFamily = (route: Route): Route => ({ ...route, isOfFamily: true });
const withEvents = (route: Route): Route => ({ ...route, alsoNeeds: 'events:read' });

/** The whole public API. */
export const ROUTES: readonly Route[] = [
  row('GET /sessions', api.listSessions, 'sessions:read'),
  row('POST /sessions', api.createSession, 'sessions:write'),
  row('GET /sessions/{session_id}', api.getSession, 'sessions:read'),
  row('PATCH /sessions/{session_id}', api.updateSession, 'sessions:write'),
  row('GET /sessions/{session_id}/cancellation-quote', api.quoteCancellation, 'sessions:read'),
  row('POST /sessions/{session_id}/cancel', api.cancelSession, 'sessions:write', 200),
  row('POST /sessions/{session_id}/complete', api.completeSession, 'sessions:write', 200),
  forInstructors(row('POST /sessions/{session_id}/attendance', api.recordAttendance, 'sessions:write', 200)),

  row('GET /lessons', api.listLessons, 'sessions:read'),
  row('POST /lessons', api.createLesson, 'sessions:write'),
  row('GET /lessons/{lesson_id}', api.getLesson, 'sessions:read'),
  row('PATCH /lessons/{lesson_id}', api.updateLesson, 'sessions:write'),
  row('POST /lessons/{lesson_id}/cancel', api.cancelLesson, 'sessions:write', 200),
  forInstructors(row('POST /lessons/{lesson_id}/attendance', api.recordLessonAttendance, 'sessions:write', 200)),
  forInstructors(row('GET /instructors/{instructor_id}/roster', api.getRoster, 'sessions:read')),

  row('GET /classes', api.listClasses, 'sessions:read'),
  row('POST /classes', api.createClass, 'sessions:write'),
  row('GET /classes/{class_id}', api.getClass, 'sessions:read'),
  row('PATCH /classes/{class_id}', api.updateClass, 'sessions:write'),
  row('POST /classes/{class_id}/open', api.openClass, 'sessions:write', 200),
  row('POST /classes/{class_id}/close', api.closeClass, 'sessions:write', 200),
  row('GET /classes/{class_id}/enrollments', api.listClassEnrollments, 'bookings:read'),
  row('POST /classes/{class_id}/enrollments', api.createEnrollment, 'bookings:write'),
  row('DELETE /classes/{class_id}', api.removeClass, 'sessions:write'),

  row('GET /closures', api.listClosures, 'sessions:read'),
  row('POST /closures', api.createClosure, 'sessions:write', 202),
  row('GET /closures/{closure_id}', api.getClosure, 'sessions:read'),
  row('DELETE /closures/{closure_id}', api.removeClosure, 'sessions:write'),

  row('POST /substitutions', api.createSubstitution, 'sessions:write', 200),

  row('GET /instructors', api.listInstructors, 'instructors:read'),
  row('POST /instructors', api.createInstructor, 'instructors:write'),
  row('GET /instructors/{instructor_id}', api.getInstructor, 'instructors:read'),
  row('PATCH /instructors/{instructor_id}', api.updateInstructor, 'instructors:write'),
  row('GET /instructors/{instructor_id}/availability', api.getAvailability, 'instructors:read'),
  row('GET /instructors/{instructor_id}/reviews', api.listReviews, 'instructors:read'),
  row('POST /instructors/{instructor_id}/reviews', api.createReview, 'instructors:write'),
  row('POST /instructors/{instructor_id}/calendar-token', api.mintInstructorCalendarToken, 'instructors:write'),
  row('DELETE /instructors/{instructor_id}/calendar-token', api.revokeInstructorCalendarToken, 'instructors:write'),
  { ...row('GET /instructors/{instructor_id}/calendar.ics', api.readInstructorCalendar, null), isFeed: true },
  row('POST /members/{member_id}/calendar-token', api.mintMemberCalendarToken, 'members:write'),
  row('DELETE /members/{member_id}/calendar-token', api.revokeMemberCalendarToken, 'members:write'),
  { ...row('GET /members/{member_id}/calendar.ics', api.readMemberCalendar, null), isFeed: true },
  row('GET /availability', api.listAvailability, 'instructors:read'),

  row('GET /pools', api.listPools, 'instructors:read'),
  row('POST /pools', api.createPool, 'instructors:write'),
  row('GET /pools/{pool_id}', api.getPool, 'instructors:read'),
  row('PATCH /pools/{pool_id}', api.updatePool, 'instructors:write'),
  row('DELETE /pools/{pool_id}', api.removePool, 'instructors:write'),

  row('GET /me', api.getMe, null),
  row('GET /accounts/{account_id}', api.getAccount, 'accounts:read'),
  confirmed(row('PATCH /accounts/{account_id}', api.updateAccount, 'accounts:write'), ['email']),
  { ...row('GET /accounts/{account_id}/export', api.exportAccount, 'accounts:read'), isExport: true },
  { ...confirmed(row('DELETE /accounts/{account_id}', api.eraseAccount, 'accounts:erase', 202)), testStatus: 204 },
  row('POST /accounts/{account_id}/restore', api.restoreAccount, 'accounts:erase', 200),

  row('GET /accounts/{account_id}/messages', api.listMessages, 'accounts:read'),
  row('GET /accounts/{account_id}/access-log', api.listAccessLog, 'accounts:read'),

  row('GET /accounts/{account_id}/keys', api.listKeys, 'keys:read'),
  confirmed(row('POST /accounts/{account_id}/keys', api.createKey, 'keys:write')),
  row('GET /accounts/{account_id}/keys/{key_id}', api.getKey, 'keys:read'),
  confirmed(row('PATCH /accounts/{account_id}/keys/{key_id}', api.updateKey, 'keys:write'), ['scopes', 'ip_allowlist']),
  confirmed(row('POST /accounts/{account_id}/keys/{key_id}/roll', api.rollKey, 'keys:write')),
  row('POST /accounts/{account_id}/keys/{key_id}/revoke', api.revokeKey, 'keys:write', 200),

  row('GET /members', api.listMembers, 'members:read'),
  row('GET /accounts/{account_id}/members', api.listMembers, 'members:read'),
  row('POST /accounts/{account_id}/members', api.createMember, 'members:write'),
  row('GET /members/{member_id}', api.getMember, 'members:read'),
  row('PATCH /members/{member_id}', api.updateMember, 'members:write'),
  row('DELETE /members/{member_id}', api.eraseMember, 'members:write'),
  forInstructors(row('GET /members/{member_id}/progress', api.getMemberProgress, 'members:read')),
  forInstructors(row('POST /members/{member_id}/progress', api.assessMember, 'members:write')),

  row('GET /families', api.listFamilies, 'members:read'),
  row('POST /families', api.createFamily, 'members:write'),
  ofFamily(row('GET /families/{account_id}', api.getFamily, 'members:read')),
  ofFamily(row('POST /families/{account_id}/invite', api.inviteFamily, 'members:write', 200)),

  row('GET /imports', api.listImports, 'members:read'),
  row('POST /imports', api.createImport, 'members:write'),
  row('GET /imports/{import_id}', api.getImport, 'members:read'),
  row('POST /imports/{import_id}/rows', api.addImportRows, 'members:write'),
  row('POST /imports/{import_id}/run', api.runImport, 'members:write', 202),

  row('GET /connections', api.listConnections, 'members:read'),
  row('POST /connections', api.createConnection, 'members:write'),
  row('GET /connections/{connection_id}', api.getConnection, 'members:read'),
  row('PATCH /connections/{connection_id}', api.updateConnection, 'members:write'),
  row('POST /connections/{connection_id}/end', api.endConnection, 'members:write', 200),

  row('GET /bookings', api.listBookings, 'bookings:read'),
  row('POST /bookings', api.createBooking, 'bookings:write'),
  row('GET /bookings/{booking_id}', api.getBooking, 'bookings:read'),
  row('PATCH /bookings/{booking_id}', api.updateBooking, 'bookings:write'),
  row('POST /bookings/{booking_id}/cancel', api.cancelBooking, 'bookings:write', 200),
  row('GET /bookings/{booking_id}/cancellation-quote', api.quoteBookingCancellation, 'bookings:read'),
  row('GET /accounts/{account_id}/bookings', api.listBookings, 'bookings:read'),
  row('GET /accounts/{account_id}/credits', api.listCredits, 'payments:read'),
  row('GET /credits/{credit_id}/options', api.listCreditOptions, 'bookings:read'),
  { ...row('GET /accounts/{account_id}/statement', api.getStatement, 'payments:read'), hasCsv: true },

  row('GET /enrollments', api.listEnrollments, 'bookings:read'),
  row('GET /enrollments/{enrollment_id}', api.getEnrollment, 'bookings:read'),
  row('POST /enrollments/{enrollment_id}/end', api.endEnrollment, 'bookings:write', 200),

  row('GET /holds', api.listHolds, 'bookings:read'),
  row('POST /holds', api.createHold, 'bookings:write'),
  row('GET /holds/{hold_id}', api.getHold, 'bookings:read'),
  row('DELETE /holds/{hold_id}', api.removeHold, 'bookings:write'),

  row('GET /waitlist', api.listWaitlist, 'bookings:read'),
  row('POST /waitlist', api.joinWaitlist, 'bookings:write'),
  row('GET /waitlist/{waitlist_id}', api.getWaitlistEntry, 'bookings:read'),
  row('DELETE /waitlist/{waitlist_id}', api.leaveWaitlist, 'bookings:write'),

  row('GET /accounts/{account_id}/payment-methods', api.listPaymentMethods, 'payments:read'),
  row('POST /accounts/{account_id}/payment-methods', api.addPaymentMethod, 'payments:write'),
  row('POST /accounts/{account_id}/payment-methods/setup', api.setUpPaymentMethod, 'payments:write'),
  row('DELETE /accounts/{account_id}/payment-methods/{payment_method_id}', api.removePaymentMethod, 'payments:write'),
  row('GET /payment-methods/{payment_method_id}', api.getPaymentMethod, 'payments:read'),
  row('PATCH /payment-methods/{payment_method_id}', api.updatePaymentMethod, 'payments:write'),
  row('DELETE /payment-methods/{payment_method_id}', api.removePaymentMethod, 'payments:write'),

  row('GET /payments', api.listPayments, 'payments:read'),
  row('POST /payments', api.createPayment, 'payments:write'),
  row('PATCH /payments/{payment_id}', api.updatePayment, 'payments:write'),
  row('GET /payments/{payment_id}', api.getPayment, 'payments:read'),
  row('POST /payments/{payment_id}/capture', api.capturePayment, 'payments:write', 200),
  row('POST /payments/{payment_id}/void', api.voidPayment, 'payments:write', 200),
  row('GET /payments/{payment_id}/refunds', api.listRefunds, 'payments:read'),
  row('POST /payments/{payment_id}/refunds', api.createRefund, 'payments:write'),
  row('GET /accounts/{account_id}/payments', api.listPayments, 'payments:read'),

  row('GET /events', api.listEvents, 'events:read'),
  { ...row('GET /events/stream', api.openEventStream, 'events:read'), isStream: true },
  row('GET /events/{event_id}', api.getEvent, 'events:read'),

  row('GET /requests', api.listRequests, 'keys:read'),
  row('GET /requests/{request_log_id}', api.getRequest, 'keys:read'),
  { ...row('GET /usage', api.getUsage, 'keys:read'), hasLimits: true },

  row('GET /webhook-endpoints', api.listWebhookEndpoints, 'webhooks:read'),
  withEvents(row('POST /webhook-endpoints', api.createWebhookEndpoint, 'webhooks:write')),
  row('GET /webhook-endpoints/{webhook_endpoint_id}', api.getWebhookEndpoint, 'webhooks:read'),
  withEvents(row('PATCH /webhook-endpoints/{webhook_endpoint_id}', api.updateWebhookEndpoint, 'webhooks:write')),
  row('DELETE /webhook-endpoints/{webhook_endpoint_id}', api.removeWebhookEndpoint, 'webhooks:write'),
  withEvents(
    row('POST /webhook-endpoints/{webhook_endpoint_id}/rotate-secret', api.rotateWebhookSecret, 'webhooks:write', 200),
  ),
  withEvents(row('POST /webhook-endpoints/{webhook_endpoint_id}/ping', api.pingWebhookEndpoint, 'webhooks:write')),
  withEvents(
    row('POST /webhook-endpoints/{webhook_endpoint_id}/replay', api.replayWebhookEvents, 'webhooks:write', 200),
  ),
  withEvents(
    row('GET /webhook-endpoints/{webhook_endpoint_id}/deliveries', api.listWebhookDeliveries, 'webhooks:read'),
  ),
  withEvents(
    row(
      'GET /webhook-endpoints/{webhook_endpoint_id}/deliveries/{webhook_delivery_id}',
      api.getWebhookDelivery,
      'webhooks:read',
    ),
  ),
  withEvents(
    row(
      'POST /webhook-endpoints/{webhook_endpoint_id}/deliveries/{webhook_delivery_id}/retry',
      api.retryWebhookDelivery,
      'webhooks:write',
      200,
    ),
  ),

  row('GET /sandbox/clock', api.getSandboxClock, 'accounts:write'),
  row('POST /sandbox/clock', api.advanceSandboxClock, 'accounts:write', 200),
  row('POST /sandbox/reset', api.resetSandbox, 'accounts:write', 200),
  row('POST /sandbox/payments/{payment_id}/authenticate', api.authenticateSandboxPayment, 'payments:write', 200),
  ofFamily(row('POST /sandbox/families/{account_id}/claim', api.claimSandboxFamily, 'members:write', 200)),
];

/** The webhooks of payment processors. */
export const WEBHOOKS: readonly Webhook[] = [
  {
    method: 'POST',
    path: `${BASE_PATH}/webhooks/stripe`,
    operation: api.receiveStripeWebhook,
    signatureHeader: 'stripe-signature',
  },
];
