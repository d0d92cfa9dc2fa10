import {
  addPaymentMethod,
  advanceSandboxClock,
  assessMember,
  cancelBooking,
  cancelSession,
  capturePayment,
  completeSession,
  createBooking,
  createHold,
  createInstructor,
  createKey,
  createMember,
  createPayment,
  createPool,
  createRefund,
  createReview,
  createSession,
  createWebhookEndpoint,
  eraseAccount,
  eraseMember,
  exportAccount,
  getAccount,
  getAvailability,
  getBooking,
  getEvent,
  getHold,
  getInstructor,
  getKey,
  getMe,
  getMember,
  getMemberProgress,
  getPayment,
  getPaymentMethod,
  getPool,
  getRequest,
  getSandboxClock,
  getSession,
  getStatement,
  getUsage,
  getWaitlistEntry,
  getWebhookDelivery,
  getWebhookEndpoint,
  joinWaitlist,
  leaveWaitlist,
  listAccessLog,
  listAvailability,
  listBookings,
  listCredits,
  listEvents,
  listHolds,
  listInstructors,
  listKeys,
  listMembers,
  listMessages,
  listPaymentMethods,
  listPayments,
  listPools,
  listRefunds,
  listRequests,
  listReviews,
  listSessions,
  listWaitlist,
  listWebhookDeliveries,
  listWebhookEndpoints,
  mintInstructorCalendarToken,
  mintMemberCalendarToken,
  type Operation,
  openEventStream,
  pingWebhookEndpoint,
  quoteBookingCancellation,
  quoteCancellation,
  readInstructorCalendar,
  readMemberCalendar,
  receiveStripeWebhook,
  recordAttendance,
  removeHold,
  removePaymentMethod,
  removePool,
  removeWebhookEndpoint,
  replayWebhookEvents,
  resetSandbox,
  restoreAccount,
  retryWebhookDelivery,
  revokeInstructorCalendarToken,
  revokeKey,
  revokeMemberCalendarToken,
  rollKey,
  rotateWebhookSecret,
  type Scope,
  updateAccount,
  updateBooking,
  updateInstructor,
  updateKey,
  updateMember,
  updatePayment,
  updatePaymentMethod,
  updatePool,
  updateSession,
  updateWebhookEndpoint,
  voidPayment,
} from '@swim/contracts';

/** The root of the API; every path below it needs a key, except those in PAGES and WEBHOOKS. */
export const BASE_PATH = '/v1';

/** The endpoint of the Model Context Protocol, beside the API: its tools are the operations of the API. */
export const MCP_PATH = '/mcp';

/** One row of the public API: the operation of a method and path, the scope that it needs, the status of success. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** With parameters in braces; each is a member of the operation's input. `account_id` must be the account of the key. */
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
  readonly operation: typeof receiveStripeWebhook;
  /** The header of the signature, in lower case. */
  readonly signatureHeader: string;
}

const SUCCESS = { GET: 200, POST: 201, PATCH: 200, DELETE: 204 } as const;

function row(line: string, operation: Operation, scope: Scope | null, status?: Route['status']): Route {
  const [method, path] = line.split(' ') as [Route['method'], string];
  return { method, path: BASE_PATH + path, operation, scope, status: status ?? SUCCESS[method] };
}

const confirmed = (route: Route, only?: readonly string[]): Route => ({ ...route, needsConfirmation: only ?? true });
const withEvents = (route: Route): Route => ({ ...route, alsoNeeds: 'events:read' });

/** The whole public API. */
export const ROUTES: readonly Route[] = [
  row('GET /sessions', listSessions, 'sessions:read'),
  row('POST /sessions', createSession, 'sessions:write'),
  row('GET /sessions/{session_id}', getSession, 'sessions:read'),
  row('PATCH /sessions/{session_id}', updateSession, 'sessions:write'),
  row('GET /sessions/{session_id}/cancellation-quote', quoteCancellation, 'sessions:read'),
  row('POST /sessions/{session_id}/cancel', cancelSession, 'sessions:write', 200),
  row('POST /sessions/{session_id}/complete', completeSession, 'sessions:write', 200),
  row('POST /sessions/{session_id}/attendance', recordAttendance, 'sessions:write', 200),

  row('GET /instructors', listInstructors, 'instructors:read'),
  row('POST /instructors', createInstructor, 'instructors:write'),
  row('GET /instructors/{instructor_id}', getInstructor, 'instructors:read'),
  row('PATCH /instructors/{instructor_id}', updateInstructor, 'instructors:write'),
  row('GET /instructors/{instructor_id}/availability', getAvailability, 'instructors:read'),
  row('GET /instructors/{instructor_id}/reviews', listReviews, 'instructors:read'),
  row('POST /instructors/{instructor_id}/reviews', createReview, 'instructors:write'),
  row('POST /instructors/{instructor_id}/calendar-token', mintInstructorCalendarToken, 'instructors:write'),
  row('DELETE /instructors/{instructor_id}/calendar-token', revokeInstructorCalendarToken, 'instructors:write'),
  { ...row('GET /instructors/{instructor_id}/calendar.ics', readInstructorCalendar, null), isFeed: true },
  row('POST /members/{member_id}/calendar-token', mintMemberCalendarToken, 'members:write'),
  row('DELETE /members/{member_id}/calendar-token', revokeMemberCalendarToken, 'members:write'),
  { ...row('GET /members/{member_id}/calendar.ics', readMemberCalendar, null), isFeed: true },
  row('GET /availability', listAvailability, 'instructors:read'),

  row('GET /pools', listPools, 'instructors:read'),
  row('POST /pools', createPool, 'instructors:write'),
  row('GET /pools/{pool_id}', getPool, 'instructors:read'),
  row('PATCH /pools/{pool_id}', updatePool, 'instructors:write'),
  row('DELETE /pools/{pool_id}', removePool, 'instructors:write'),

  row('GET /me', getMe, null),
  row('GET /accounts/{account_id}', getAccount, 'accounts:read'),
  confirmed(row('PATCH /accounts/{account_id}', updateAccount, 'accounts:write'), ['email']),
  { ...row('GET /accounts/{account_id}/export', exportAccount, 'accounts:read'), isExport: true },
  { ...confirmed(row('DELETE /accounts/{account_id}', eraseAccount, 'accounts:erase', 202)), testStatus: 204 },
  row('POST /accounts/{account_id}/restore', restoreAccount, 'accounts:erase', 200),

  row('GET /accounts/{account_id}/messages', listMessages, 'accounts:read'),
  row('GET /accounts/{account_id}/access-log', listAccessLog, 'accounts:read'),

  row('GET /accounts/{account_id}/keys', listKeys, 'keys:read'),
  confirmed(row('POST /accounts/{account_id}/keys', createKey, 'keys:write')),
  row('GET /accounts/{account_id}/keys/{key_id}', getKey, 'keys:read'),
  confirmed(row('PATCH /accounts/{account_id}/keys/{key_id}', updateKey, 'keys:write'), ['scopes', 'ip_allowlist']),
  confirmed(row('POST /accounts/{account_id}/keys/{key_id}/roll', rollKey, 'keys:write')),
  row('POST /accounts/{account_id}/keys/{key_id}/revoke', revokeKey, 'keys:write', 200),

  row('GET /members', listMembers, 'members:read'),
  row('GET /accounts/{account_id}/members', listMembers, 'members:read'),
  row('POST /accounts/{account_id}/members', createMember, 'members:write'),
  row('GET /members/{member_id}', getMember, 'members:read'),
  row('PATCH /members/{member_id}', updateMember, 'members:write'),
  row('DELETE /members/{member_id}', eraseMember, 'members:write'),
  row('GET /members/{member_id}/progress', getMemberProgress, 'members:read'),
  row('POST /members/{member_id}/progress', assessMember, 'members:write'),

  row('GET /bookings', listBookings, 'bookings:read'),
  row('POST /bookings', createBooking, 'bookings:write'),
  row('GET /bookings/{booking_id}', getBooking, 'bookings:read'),
  row('PATCH /bookings/{booking_id}', updateBooking, 'bookings:write'),
  row('POST /bookings/{booking_id}/cancel', cancelBooking, 'bookings:write', 200),
  row('GET /bookings/{booking_id}/cancellation-quote', quoteBookingCancellation, 'bookings:read'),
  row('GET /accounts/{account_id}/bookings', listBookings, 'bookings:read'),
  row('GET /accounts/{account_id}/credits', listCredits, 'payments:read'),
  { ...row('GET /accounts/{account_id}/statement', getStatement, 'payments:read'), hasCsv: true },

  row('GET /holds', listHolds, 'bookings:read'),
  row('POST /holds', createHold, 'bookings:write'),
  row('GET /holds/{hold_id}', getHold, 'bookings:read'),
  row('DELETE /holds/{hold_id}', removeHold, 'bookings:write'),

  row('GET /waitlist', listWaitlist, 'bookings:read'),
  row('POST /waitlist', joinWaitlist, 'bookings:write'),
  row('GET /waitlist/{waitlist_id}', getWaitlistEntry, 'bookings:read'),
  row('DELETE /waitlist/{waitlist_id}', leaveWaitlist, 'bookings:write'),

  row('GET /accounts/{account_id}/payment-methods', listPaymentMethods, 'payments:read'),
  row('POST /accounts/{account_id}/payment-methods', addPaymentMethod, 'payments:write'),
  row('DELETE /accounts/{account_id}/payment-methods/{payment_method_id}', removePaymentMethod, 'payments:write'),
  row('GET /payment-methods/{payment_method_id}', getPaymentMethod, 'payments:read'),
  row('PATCH /payment-methods/{payment_method_id}', updatePaymentMethod, 'payments:write'),
  row('DELETE /payment-methods/{payment_method_id}', removePaymentMethod, 'payments:write'),

  row('GET /payments', listPayments, 'payments:read'),
  row('POST /payments', createPayment, 'payments:write'),
  row('PATCH /payments/{payment_id}', updatePayment, 'payments:write'),
  row('GET /payments/{payment_id}', getPayment, 'payments:read'),
  row('POST /payments/{payment_id}/capture', capturePayment, 'payments:write', 200),
  row('POST /payments/{payment_id}/void', voidPayment, 'payments:write', 200),
  row('GET /payments/{payment_id}/refunds', listRefunds, 'payments:read'),
  row('POST /payments/{payment_id}/refunds', createRefund, 'payments:write'),
  row('GET /accounts/{account_id}/payments', listPayments, 'payments:read'),

  row('GET /events', listEvents, 'events:read'),
  { ...row('GET /events/stream', openEventStream, 'events:read'), isStream: true },
  row('GET /events/{event_id}', getEvent, 'events:read'),

  row('GET /requests', listRequests, 'keys:read'),
  row('GET /requests/{request_log_id}', getRequest, 'keys:read'),
  { ...row('GET /usage', getUsage, 'keys:read'), hasLimits: true },

  row('GET /webhook-endpoints', listWebhookEndpoints, 'webhooks:read'),
  withEvents(row('POST /webhook-endpoints', createWebhookEndpoint, 'webhooks:write')),
  row('GET /webhook-endpoints/{webhook_endpoint_id}', getWebhookEndpoint, 'webhooks:read'),
  withEvents(row('PATCH /webhook-endpoints/{webhook_endpoint_id}', updateWebhookEndpoint, 'webhooks:write')),
  row('DELETE /webhook-endpoints/{webhook_endpoint_id}', removeWebhookEndpoint, 'webhooks:write'),
  withEvents(
    row('POST /webhook-endpoints/{webhook_endpoint_id}/rotate-secret', rotateWebhookSecret, 'webhooks:write', 200),
  ),
  withEvents(row('POST /webhook-endpoints/{webhook_endpoint_id}/ping', pingWebhookEndpoint, 'webhooks:write')),
  withEvents(row('POST /webhook-endpoints/{webhook_endpoint_id}/replay', replayWebhookEvents, 'webhooks:write', 200)),
  withEvents(row('GET /webhook-endpoints/{webhook_endpoint_id}/deliveries', listWebhookDeliveries, 'webhooks:read')),
  withEvents(
    row(
      'GET /webhook-endpoints/{webhook_endpoint_id}/deliveries/{webhook_delivery_id}',
      getWebhookDelivery,
      'webhooks:read',
    ),
  ),
  withEvents(
    row(
      'POST /webhook-endpoints/{webhook_endpoint_id}/deliveries/{webhook_delivery_id}/retry',
      retryWebhookDelivery,
      'webhooks:write',
      200,
    ),
  ),

  row('GET /sandbox/clock', getSandboxClock, 'accounts:write'),
  row('POST /sandbox/clock', advanceSandboxClock, 'accounts:write', 200),
  row('POST /sandbox/reset', resetSandbox, 'accounts:write', 200),
];

/** The webhooks of payment processors. */
export const WEBHOOKS: readonly Webhook[] = [
  {
    method: 'POST',
    path: `${BASE_PATH}/webhooks/stripe`,
    operation: receiveStripeWebhook,
    signatureHeader: 'stripe-signature',
  },
];
