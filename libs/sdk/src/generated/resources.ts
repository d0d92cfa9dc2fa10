// Generated from gateway/openapi.json by `npm run generate`. Do not edit.

import { type Answer, type Api, type DeleteOptions, type RequestOptions, Resource, type WriteOptions } from '../api.js';
import type { List } from '../list.js';
import { path } from '../path.js';
import type * as models from './models.js';
import type { Query } from './models.js';

/** `client.sessions` */
export class Sessions extends Resource {
  /** List sessions. Needs the scope `sessions:read`. */
  list(query?: Query<'listSessions'>, options?: RequestOptions): List<models.Session> {
    return this.api.list(path`/sessions`, query, options);
  }

  /** Create session. Needs the scope `sessions:write`. */
  create(body: models.CreateSessionBody, options?: WriteOptions): Answer<models.Session> {
    return this.api.write('POST', path`/sessions`, body, options);
  }

  /** Get session. Needs the scope `sessions:read`. */
  get(sessionId: string, options?: RequestOptions): Answer<models.Session> {
    return this.api.read(path`/sessions/${sessionId}`, {}, options);
  }

  /** Update session. Needs the scope `sessions:write`. */
  update(sessionId: string, body: models.UpdateSessionBody, options?: WriteOptions): Answer<models.Session> {
    return this.api.write('PATCH', path`/sessions/${sessionId}`, body, options);
  }

  /** Quote cancellation. Needs the scope `sessions:read`. */
  quoteCancellation(sessionId: string, options?: RequestOptions): Answer<models.CancellationQuote> {
    return this.api.read(path`/sessions/${sessionId}/cancellation-quote`, {}, options);
  }

  /** Cancel session. Needs the scope `sessions:write`. */
  cancel(sessionId: string, body?: models.CancelSessionBody, options?: WriteOptions): Answer<models.Session> {
    return this.api.write('POST', path`/sessions/${sessionId}/cancel`, body, options);
  }

  /** Complete session. Needs the scope `sessions:write`. */
  complete(sessionId: string, options?: WriteOptions): Answer<models.Session> {
    return this.api.write('POST', path`/sessions/${sessionId}/complete`, undefined, options);
  }

  /** Record attendance. Needs the scope `sessions:write`. */
  recordAttendance(sessionId: string, body: models.RecordAttendanceBody, options?: WriteOptions): Answer<models.Session> {
    return this.api.write('POST', path`/sessions/${sessionId}/attendance`, body, options);
  }
}

/** `client.instructors` */
export class Instructors extends Resource {
  /** List instructors. Needs the scope `instructors:read`. */
  list(query?: Query<'listInstructors'>, options?: RequestOptions): List<models.ListedInstructor> {
    return this.api.list(path`/instructors`, query, options);
  }

  /** Create instructor. Needs the scope `instructors:write`. */
  create(body: models.CreateInstructorBody, options?: WriteOptions): Answer<models.Instructor> {
    return this.api.write('POST', path`/instructors`, body, options);
  }

  /** Get instructor. Needs the scope `instructors:read`. */
  get(instructorId: string, options?: RequestOptions): Answer<models.Instructor> {
    return this.api.read(path`/instructors/${instructorId}`, {}, options);
  }

  /** Update instructor. Needs the scope `instructors:write`. */
  update(instructorId: string, body: models.UpdateInstructorBody, options?: WriteOptions): Answer<models.Instructor> {
    return this.api.write('PATCH', path`/instructors/${instructorId}`, body, options);
  }

  /** Get availability. Needs the scope `instructors:read`. */
  getAvailability(instructorId: string, query?: Query<'getAvailability'>, options?: RequestOptions): Answer<models.Availability> {
    return this.api.read(path`/instructors/${instructorId}/availability`, query, options);
  }

  /** List reviews. Needs the scope `instructors:read`. */
  listReviews(instructorId: string, query?: Query<'listReviews'>, options?: RequestOptions): List<models.Review> {
    return this.api.list(path`/instructors/${instructorId}/reviews`, query, options);
  }

  /** Create review. Needs the scope `instructors:write`. */
  createReview(instructorId: string, body: models.CreateReviewBody, options?: WriteOptions): Answer<models.Review> {
    return this.api.write('POST', path`/instructors/${instructorId}/reviews`, body, options);
  }

  /** Mint instructor calendar token. Needs the scope `instructors:write`. */
  mintCalendarToken(instructorId: string, options?: WriteOptions): Answer<models.CalendarToken> {
    return this.api.write('POST', path`/instructors/${instructorId}/calendar-token`, undefined, options);
  }

  /** Revoke instructor calendar token. Needs the scope `instructors:write`. */
  revokeCalendarToken(instructorId: string, options?: DeleteOptions): Answer<void> {
    return this.api.write('DELETE', path`/instructors/${instructorId}/calendar-token`, undefined, options);
  }
}

/** `client.members` */
export class Members extends Resource {
  /** Mint member calendar token. Needs the scope `members:write`. */
  mintCalendarToken(memberId: string, options?: WriteOptions): Answer<models.CalendarToken> {
    return this.api.write('POST', path`/members/${memberId}/calendar-token`, undefined, options);
  }

  /** Revoke member calendar token. Needs the scope `members:write`. */
  revokeCalendarToken(memberId: string, options?: DeleteOptions): Answer<void> {
    return this.api.write('DELETE', path`/members/${memberId}/calendar-token`, undefined, options);
  }

  /** List members. Needs the scope `members:read`. Some of its fields need `members:medical` too, to be read or written. */
  list(query?: Query<'listMembers'>, options?: RequestOptions): List<models.Member> {
    return this.api.list(path`/members`, query, options);
  }

  /** List members of account. Needs the scope `members:read`. Some of its fields need `members:medical` too, to be read or written. */
  listOfAccount(accountId: string, query?: Query<'listMembersOfAccount'>, options?: RequestOptions): List<models.Member> {
    return this.api.list(path`/accounts/${accountId}/members`, query, options);
  }

  /** Create member. Needs the scope `members:write`. Some of its fields need `members:medical` too, to be read or written. */
  create(accountId: string, body: models.CreateMemberBody, options?: WriteOptions): Answer<models.Member> {
    return this.api.write('POST', path`/accounts/${accountId}/members`, body, options);
  }

  /** Get member. Needs the scope `members:read`. */
  get(memberId: string, options?: RequestOptions): Answer<models.Member> {
    return this.api.read(path`/members/${memberId}`, {}, options);
  }

  /** Update member. Needs the scope `members:write`. Some of its fields need `members:medical` too, to be read or written. */
  update(memberId: string, body: models.UpdateMemberBody, options?: WriteOptions): Answer<models.Member> {
    return this.api.write('PATCH', path`/members/${memberId}`, body, options);
  }

  /** Erase member. Needs the scope `members:write`. */
  erase(memberId: string, options?: DeleteOptions): Answer<void> {
    return this.api.write('DELETE', path`/members/${memberId}`, undefined, options);
  }

  /** Get member progress. Needs the scope `members:read`. */
  getProgress(memberId: string, options?: RequestOptions): Answer<models.Progress> {
    return this.api.read(path`/members/${memberId}/progress`, {}, options);
  }

  /** Assess member. Needs the scope `members:write`. */
  assess(memberId: string, body: models.AssessMemberBody, options?: WriteOptions): Answer<models.Progress> {
    return this.api.write('POST', path`/members/${memberId}/progress`, body, options);
  }
}

/** `client.availability` */
export class Availability extends Resource {
  /** List availability. Needs the scope `instructors:read`. */
  list(query?: Query<'listAvailability'>, options?: RequestOptions): List<models.AvailableSlot> {
    return this.api.list(path`/availability`, query, options);
  }
}

/** `client.pools` */
export class Pools extends Resource {
  /** List pools. Needs the scope `instructors:read`. */
  list(query?: Query<'listPools'>, options?: RequestOptions): List<models.Pool> {
    return this.api.list(path`/pools`, query, options);
  }

  /** Create pool. Needs the scope `instructors:write`. */
  create(body: models.CreatePoolBody, options?: WriteOptions): Answer<models.Pool> {
    return this.api.write('POST', path`/pools`, body, options);
  }

  /** Get pool. Needs the scope `instructors:read`. */
  get(poolId: string, options?: RequestOptions): Answer<models.Pool> {
    return this.api.read(path`/pools/${poolId}`, {}, options);
  }

  /** Update pool. Needs the scope `instructors:write`. */
  update(poolId: string, body: models.UpdatePoolBody, options?: WriteOptions): Answer<models.Pool> {
    return this.api.write('PATCH', path`/pools/${poolId}`, body, options);
  }

  /** Remove pool. Needs the scope `instructors:write`. */
  remove(poolId: string, options?: DeleteOptions): Answer<void> {
    return this.api.write('DELETE', path`/pools/${poolId}`, undefined, options);
  }
}

/** `client.me` */
export class Me extends Resource {
  /** Get me. Any key may. */
  get(options?: RequestOptions): Answer<models.Me> {
    return this.api.read(path`/me`, {}, options);
  }
}

/** `client.accounts` */
export class Accounts extends Resource {
  /** Get account. Needs the scope `accounts:read`. */
  get(accountId: string, options?: RequestOptions): Answer<models.Account> {
    return this.api.read(path`/accounts/${accountId}`, {}, options);
  }

  /** Update account. Needs the scope `accounts:write`. */
  update(accountId: string, body: models.UpdateAccountBody, options?: WriteOptions): Answer<models.Account> {
    return this.api.write('PATCH', path`/accounts/${accountId}`, body, options);
  }

  /** Erase account. Needs the scope `accounts:erase`. */
  erase(accountId: string, options?: DeleteOptions): Answer<models.EraseAccount | undefined> {
    return this.api.write('DELETE', path`/accounts/${accountId}`, undefined, options);
  }

  /** Export account. Needs the scope `accounts:read`. */
  export(accountId: string, options?: RequestOptions): Answer<models.AccountExport> {
    return this.api.read(path`/accounts/${accountId}/export`, {}, options);
  }

  /** Restore account. Needs the scope `accounts:erase`. */
  restore(accountId: string, options?: WriteOptions): Answer<models.Account> {
    return this.api.write('POST', path`/accounts/${accountId}/restore`, undefined, options);
  }

  /** Get statement. Needs the scope `payments:read`. */
  getStatement(accountId: string, query: Query<'getStatement'>, options?: RequestOptions): Answer<models.Statement> {
    return this.api.read(path`/accounts/${accountId}/statement`, query, options);
  }
}

/** `client.messages` */
export class Messages extends Resource {
  /** List messages. Needs the scope `accounts:read`. */
  list(accountId: string, query?: Query<'listMessages'>, options?: RequestOptions): List<models.Message> {
    return this.api.list(path`/accounts/${accountId}/messages`, query, options);
  }
}

/** `client.accessLog` */
export class AccessLog extends Resource {
  /** List access log. Needs the scope `accounts:read`. */
  list(accountId: string, query?: Query<'listAccessLog'>, options?: RequestOptions): List<models.AccessEntry> {
    return this.api.list(path`/accounts/${accountId}/access-log`, query, options);
  }
}

/** `client.keys` */
export class Keys extends Resource {
  /** List keys. Needs the scope `keys:read`. */
  list(accountId: string, query?: Query<'listKeys'>, options?: RequestOptions): List<models.ApiKey> {
    return this.api.list(path`/accounts/${accountId}/keys`, query, options);
  }

  /** Create key. Needs the scope `keys:write`. */
  create(accountId: string, body: models.CreateKeyBody, options?: WriteOptions): Answer<models.ApiKeyWithText> {
    return this.api.write('POST', path`/accounts/${accountId}/keys`, body, options);
  }

  /** Get key. Needs the scope `keys:read`. */
  get(accountId: string, keyId: string, options?: RequestOptions): Answer<models.ApiKey> {
    return this.api.read(path`/accounts/${accountId}/keys/${keyId}`, {}, options);
  }

  /** Update key. Needs the scope `keys:write`. */
  update(accountId: string, keyId: string, body: models.UpdateKeyBody, options?: WriteOptions): Answer<models.ApiKey> {
    return this.api.write('PATCH', path`/accounts/${accountId}/keys/${keyId}`, body, options);
  }

  /** Roll key. Needs the scope `keys:write`. */
  roll(accountId: string, keyId: string, body?: models.RollKeyBody, options?: WriteOptions): Answer<models.ApiKeyWithText> {
    return this.api.write('POST', path`/accounts/${accountId}/keys/${keyId}/roll`, body, options);
  }

  /** Revoke key. Needs the scope `keys:write`. */
  revoke(accountId: string, keyId: string, options?: WriteOptions): Answer<models.ApiKey> {
    return this.api.write('POST', path`/accounts/${accountId}/keys/${keyId}/revoke`, undefined, options);
  }
}

/** `client.bookings` */
export class Bookings extends Resource {
  /** List bookings. Needs the scope `bookings:read`. */
  list(query?: Query<'listBookings'>, options?: RequestOptions): List<models.Booking> {
    return this.api.list(path`/bookings`, query, options);
  }

  /** Create booking. Needs the scope `bookings:write`. */
  create(body: models.CreateBookingBody, options?: WriteOptions): Answer<models.Booking> {
    return this.api.write('POST', path`/bookings`, body, options);
  }

  /** Get booking. Needs the scope `bookings:read`. */
  get(bookingId: string, options?: RequestOptions): Answer<models.Booking> {
    return this.api.read(path`/bookings/${bookingId}`, {}, options);
  }

  /** Update booking. Needs the scope `bookings:write`. */
  update(bookingId: string, body: models.UpdateBookingBody, options?: WriteOptions): Answer<models.Booking> {
    return this.api.write('PATCH', path`/bookings/${bookingId}`, body, options);
  }

  /** Cancel booking. Needs the scope `bookings:write`. */
  cancel(bookingId: string, body?: models.CancelBookingBody, options?: WriteOptions): Answer<models.Booking> {
    return this.api.write('POST', path`/bookings/${bookingId}/cancel`, body, options);
  }

  /** Quote booking cancellation. Needs the scope `bookings:read`. */
  quoteCancellation(bookingId: string, options?: RequestOptions): Answer<models.QuoteBookingCancellation> {
    return this.api.read(path`/bookings/${bookingId}/cancellation-quote`, {}, options);
  }

  /** List bookings of account. Needs the scope `bookings:read`. */
  listOfAccount(accountId: string, query?: Query<'listBookingsOfAccount'>, options?: RequestOptions): List<models.Booking> {
    return this.api.list(path`/accounts/${accountId}/bookings`, query, options);
  }
}

/** `client.credits` */
export class Credits extends Resource {
  /** List credits. Needs the scope `payments:read`. */
  list(accountId: string, query?: Query<'listCredits'>, options?: RequestOptions): List<models.Credit> {
    return this.api.list(path`/accounts/${accountId}/credits`, query, options);
  }
}

/** `client.holds` */
export class Holds extends Resource {
  /** List holds. Needs the scope `bookings:read`. */
  list(query?: Query<'listHolds'>, options?: RequestOptions): List<models.Hold> {
    return this.api.list(path`/holds`, query, options);
  }

  /** Create hold. Needs the scope `bookings:write`. */
  create(body: models.CreateHoldBody, options?: WriteOptions): Answer<models.Hold> {
    return this.api.write('POST', path`/holds`, body, options);
  }

  /** Get hold. Needs the scope `bookings:read`. */
  get(holdId: string, options?: RequestOptions): Answer<models.Hold> {
    return this.api.read(path`/holds/${holdId}`, {}, options);
  }

  /** Remove hold. Needs the scope `bookings:write`. */
  remove(holdId: string, options?: DeleteOptions): Answer<void> {
    return this.api.write('DELETE', path`/holds/${holdId}`, undefined, options);
  }
}

/** `client.waitlist` */
export class Waitlist extends Resource {
  /** List waitlist. Needs the scope `bookings:read`. */
  list(query?: Query<'listWaitlist'>, options?: RequestOptions): List<models.WaitlistEntry> {
    return this.api.list(path`/waitlist`, query, options);
  }

  /** Join waitlist. Needs the scope `bookings:write`. */
  join(body: models.JoinWaitlistBody, options?: WriteOptions): Answer<models.WaitlistEntry> {
    return this.api.write('POST', path`/waitlist`, body, options);
  }

  /** Get waitlist entry. Needs the scope `bookings:read`. */
  getEntry(waitlistId: string, options?: RequestOptions): Answer<models.WaitlistEntry> {
    return this.api.read(path`/waitlist/${waitlistId}`, {}, options);
  }

  /** Leave waitlist. Needs the scope `bookings:write`. */
  leave(waitlistId: string, options?: DeleteOptions): Answer<void> {
    return this.api.write('DELETE', path`/waitlist/${waitlistId}`, undefined, options);
  }
}

/** `client.paymentMethods` */
export class PaymentMethods extends Resource {
  /** List payment methods. Needs the scope `payments:read`. */
  list(accountId: string, query?: Query<'listPaymentMethods'>, options?: RequestOptions): List<models.PaymentMethod> {
    return this.api.list(path`/accounts/${accountId}/payment-methods`, query, options);
  }

  /** Add payment method. Needs the scope `payments:write`. */
  add(accountId: string, body: models.AddPaymentMethodBody, options?: WriteOptions): Answer<models.PaymentMethod> {
    return this.api.write('POST', path`/accounts/${accountId}/payment-methods`, body, options);
  }

  /** Remove payment method of account. Needs the scope `payments:write`. */
  removeOfAccount(accountId: string, paymentMethodId: string, options?: DeleteOptions): Answer<void> {
    return this.api.write('DELETE', path`/accounts/${accountId}/payment-methods/${paymentMethodId}`, undefined, options);
  }

  /** Get payment method. Needs the scope `payments:read`. */
  get(paymentMethodId: string, options?: RequestOptions): Answer<models.PaymentMethod> {
    return this.api.read(path`/payment-methods/${paymentMethodId}`, {}, options);
  }

  /** Update payment method. Needs the scope `payments:write`. */
  update(paymentMethodId: string, body: models.UpdatePaymentMethodBody, options?: WriteOptions): Answer<models.PaymentMethod> {
    return this.api.write('PATCH', path`/payment-methods/${paymentMethodId}`, body, options);
  }

  /** Remove payment method. Needs the scope `payments:write`. */
  remove(paymentMethodId: string, options?: DeleteOptions): Answer<void> {
    return this.api.write('DELETE', path`/payment-methods/${paymentMethodId}`, undefined, options);
  }
}

/** `client.payments` */
export class Payments extends Resource {
  /** List payments. Needs the scope `payments:read`. */
  list(query?: Query<'listPayments'>, options?: RequestOptions): List<models.Payment> {
    return this.api.list(path`/payments`, query, options);
  }

  /** Create payment. Needs the scope `payments:write`. */
  create(body: models.CreatePaymentBody, options?: WriteOptions): Answer<models.Payment> {
    return this.api.write('POST', path`/payments`, body, options);
  }

  /** Update payment. Needs the scope `payments:write`. */
  update(paymentId: string, body: models.UpdatePaymentBody, options?: WriteOptions): Answer<models.Payment> {
    return this.api.write('PATCH', path`/payments/${paymentId}`, body, options);
  }

  /** Get payment. Needs the scope `payments:read`. */
  get(paymentId: string, options?: RequestOptions): Answer<models.Payment> {
    return this.api.read(path`/payments/${paymentId}`, {}, options);
  }

  /** Capture payment. Needs the scope `payments:write`. */
  capture(paymentId: string, options?: WriteOptions): Answer<models.Payment> {
    return this.api.write('POST', path`/payments/${paymentId}/capture`, undefined, options);
  }

  /** Void payment. Needs the scope `payments:write`. */
  void(paymentId: string, options?: WriteOptions): Answer<models.Payment> {
    return this.api.write('POST', path`/payments/${paymentId}/void`, undefined, options);
  }

  /** List refunds. Needs the scope `payments:read`. */
  listRefunds(paymentId: string, query?: Query<'listRefunds'>, options?: RequestOptions): List<models.Refund> {
    return this.api.list(path`/payments/${paymentId}/refunds`, query, options);
  }

  /** Create refund. Needs the scope `payments:write`. */
  createRefund(paymentId: string, body: models.CreateRefundBody, options?: WriteOptions): Answer<models.Refund> {
    return this.api.write('POST', path`/payments/${paymentId}/refunds`, body, options);
  }

  /** List payments of account. Needs the scope `payments:read`. */
  listOfAccount(accountId: string, query?: Query<'listPaymentsOfAccount'>, options?: RequestOptions): List<models.Payment> {
    return this.api.list(path`/accounts/${accountId}/payments`, query, options);
  }
}

/** `client.events` */
export class Events extends Resource {
  /** List events. Needs the scope `events:read`. */
  list(query?: Query<'listEvents'>, options?: RequestOptions): List<models.AccountEvent> {
    return this.api.list(path`/events`, query, options);
  }

  /** Get event. Needs the scope `events:read`. */
  get(eventId: string, options?: RequestOptions): Answer<models.AccountEvent> {
    return this.api.read(path`/events/${eventId}`, {}, options);
  }
}

/** `client.webhookEndpoints` */
export class WebhookEndpoints extends Resource {
  /** List webhook endpoints. Needs the scope `webhooks:read`. */
  list(query?: Query<'listWebhookEndpoints'>, options?: RequestOptions): List<models.WebhookEndpoint> {
    return this.api.list(path`/webhook-endpoints`, query, options);
  }

  /** Create webhook endpoint. Needs the scope `webhooks:write`. */
  create(body: models.CreateWebhookEndpointBody, options?: WriteOptions): Answer<models.WebhookEndpointWithSecret> {
    return this.api.write('POST', path`/webhook-endpoints`, body, options);
  }

  /** Get webhook endpoint. Needs the scope `webhooks:read`. */
  get(webhookEndpointId: string, options?: RequestOptions): Answer<models.WebhookEndpoint> {
    return this.api.read(path`/webhook-endpoints/${webhookEndpointId}`, {}, options);
  }

  /** Update webhook endpoint. Needs the scope `webhooks:write`. */
  update(webhookEndpointId: string, body: models.UpdateWebhookEndpointBody, options?: WriteOptions): Answer<models.WebhookEndpoint> {
    return this.api.write('PATCH', path`/webhook-endpoints/${webhookEndpointId}`, body, options);
  }

  /** Remove webhook endpoint. Needs the scope `webhooks:write`. */
  remove(webhookEndpointId: string, options?: DeleteOptions): Answer<void> {
    return this.api.write('DELETE', path`/webhook-endpoints/${webhookEndpointId}`, undefined, options);
  }

  /** Rotate webhook secret. Needs the scope `webhooks:write`. */
  rotateSecret(webhookEndpointId: string, options?: WriteOptions): Answer<models.WebhookEndpointWithSecret> {
    return this.api.write('POST', path`/webhook-endpoints/${webhookEndpointId}/rotate-secret`, undefined, options);
  }

  /** Ping webhook endpoint. Needs the scope `webhooks:write`. */
  ping(webhookEndpointId: string, options?: WriteOptions): Answer<models.WebhookDelivery> {
    return this.api.write('POST', path`/webhook-endpoints/${webhookEndpointId}/ping`, undefined, options);
  }

  /** Replay webhook events. Needs the scope `webhooks:write`. */
  replayEvents(webhookEndpointId: string, body: models.ReplayWebhookEventsBody, options?: WriteOptions): Answer<models.ReplayWebhookEvents> {
    return this.api.write('POST', path`/webhook-endpoints/${webhookEndpointId}/replay`, body, options);
  }

  /** List webhook deliveries. Needs the scope `webhooks:read`. */
  listDeliveries(webhookEndpointId: string, query?: Query<'listWebhookDeliveries'>, options?: RequestOptions): List<models.WebhookDelivery> {
    return this.api.list(path`/webhook-endpoints/${webhookEndpointId}/deliveries`, query, options);
  }

  /** Get webhook delivery. Needs the scope `webhooks:read`. */
  getDelivery(webhookEndpointId: string, webhookDeliveryId: string, options?: RequestOptions): Answer<models.WebhookDeliveryWithRequest> {
    return this.api.read(path`/webhook-endpoints/${webhookEndpointId}/deliveries/${webhookDeliveryId}`, {}, options);
  }

  /** Retry webhook delivery. Needs the scope `webhooks:write`. */
  retryDelivery(webhookEndpointId: string, webhookDeliveryId: string, options?: WriteOptions): Answer<models.WebhookDelivery> {
    return this.api.write('POST', path`/webhook-endpoints/${webhookEndpointId}/deliveries/${webhookDeliveryId}/retry`, undefined, options);
  }
}

/** `client.sandbox` */
export class Sandbox extends Resource {
  /** Get sandbox clock. Needs the scope `accounts:write`. */
  getClock(options?: RequestOptions): Answer<models.SandboxClock> {
    return this.api.read(path`/sandbox/clock`, {}, options);
  }

  /** Advance sandbox clock. Needs the scope `accounts:write`. */
  advanceClock(body: models.AdvanceSandboxClockBody, options?: WriteOptions): Answer<models.SandboxClock> {
    return this.api.write('POST', path`/sandbox/clock`, body, options);
  }
}

/** A client with every resource of the API. */
export class Resources {
  readonly sessions: Sessions;
  readonly instructors: Instructors;
  readonly members: Members;
  readonly availability: Availability;
  readonly pools: Pools;
  readonly me: Me;
  readonly accounts: Accounts;
  readonly messages: Messages;
  readonly accessLog: AccessLog;
  readonly keys: Keys;
  readonly bookings: Bookings;
  readonly credits: Credits;
  readonly holds: Holds;
  readonly waitlist: Waitlist;
  readonly paymentMethods: PaymentMethods;
  readonly payments: Payments;
  readonly events: Events;
  readonly webhookEndpoints: WebhookEndpoints;
  readonly sandbox: Sandbox;

  constructor(api: Api) {
    this.sessions = new Sessions(api);
    this.instructors = new Instructors(api);
    this.members = new Members(api);
    this.availability = new Availability(api);
    this.pools = new Pools(api);
    this.me = new Me(api);
    this.accounts = new Accounts(api);
    this.messages = new Messages(api);
    this.accessLog = new AccessLog(api);
    this.keys = new Keys(api);
    this.bookings = new Bookings(api);
    this.credits = new Credits(api);
    this.holds = new Holds(api);
    this.waitlist = new Waitlist(api);
    this.paymentMethods = new PaymentMethods(api);
    this.payments = new Payments(api);
    this.events = new Events(api);
    this.webhookEndpoints = new WebhookEndpoints(api);
    this.sandbox = new Sandbox(api);
  }
}
