import { z } from 'zod';
import { accessEntry } from '../accounts/access-log.js';
import { account } from '../accounts/accounts.js';
import { apiKey } from '../accounts/keys.js';
import { requestLogEntry } from '../accounts/request-log.js';
import { booking } from '../booking/booking.js';
import { credit } from '../booking/credits.js';
import { enrollment } from '../booking/enrollments.js';
import { activityEntry, dashboardUser, invitation } from '../dashboard/dashboard-account.js';
import { id } from '../formats/formats.js';
import { listQuery } from '../formats/list-query.js';
import { endedSubscription, message } from '../notification/messages.js';
import { accountEvent } from '../notification/notification.js';
import { webhookDelivery } from '../notification/webhook-deliveries.js';
import { webhookEndpoint } from '../notification/webhooks.js';
import { rpc } from '../operations/operation.js';
import { ownList } from '../operations/own-list.js';
import { payment, refund } from '../payment/payment.js';
import { paymentMethod } from '../payment/payment-methods.js';
import { connection } from '../people/connections.js';
import { dataImport, MOST_LISTED_ERRORS } from '../people/imports.js';
import { instructor } from '../people/instructors.js';
import { member } from '../people/members.js';
import { progress } from '../people/progress.js';
import { review } from '../people/reviews.js';
import { hold } from '../scheduling/holds.js';
import { swimClass } from '../scheduling/lessons/classes.js';
import { lesson } from '../scheduling/lessons/lessons.js';
import { pool } from '../scheduling/pools.js';
import { session } from '../scheduling/sessions.js';
import { waitlistEntry } from '../scheduling/waitlist.js';

/** All that is kept of an account, by resource, as the operations of each answer it. */
export const accountExport = z.object({
  account,
  keys: z.array(apiKey).optional(),
  members: z.array(member).optional(),
  progress: z.array(progress).optional(),
  connections: z.array(connection).optional(),
  imports: z
    .array(dataImport)
    .optional()
    .meta({ description: `Each has its first ${MOST_LISTED_ERRORS} errors; GET /imports/{import_id} answers all` }),
  instructors: z.array(instructor).optional(),
  reviews: z.array(review).optional(),
  pools: z.array(pool).optional(),
  classes: z.array(swimClass).optional(),
  lessons: z.array(lesson).optional(),
  sessions: z.array(session).optional(),
  holds: z.array(hold).optional(),
  waitlist: z.array(waitlistEntry).optional(),
  bookings: z.array(booking).optional(),
  enrollments: z.array(enrollment).optional(),
  credits: z.array(credit).optional(),
  payment_methods: z.array(paymentMethod).optional(),
  payments: z.array(payment).optional(),
  refunds: z.array(refund).optional(),
  access_log: z.array(accessEntry).optional(),
  users: z.array(dashboardUser).optional(),
  invitations: z.array(invitation).optional(),
  activity: z.array(activityEntry).optional(),
  events: z.array(accountEvent).optional(),
  requests: z.array(requestLogEntry).optional(),
  messages: z.array(message).optional(),
  ended_subscriptions: z.array(endedSubscription).optional(),
  webhook_endpoints: z.array(webhookEndpoint).optional(),
  webhook_deliveries: z.array(webhookDelivery).optional(),
});

export type AccountExport = z.output<typeof accountExport>;

/**
 * All data of the requesting account as one document. People answers the account itself; the gateway streams the lists behind
 * it, page by page, so that it has no bound. It needs the scope to read each of them, and returns nothing that the key could
 * not read by itself: medical notes are null without `members:medical`. A connection that ends early has delivered only a part.
 */
export const exportAccount = rpc('people.exportAccount', {
  summary: 'Export an account',
  description: 'All data of the account as one document, streamed.',
  kind: 'read',
  input: z.strictObject({ account_id: id('acct') }),
  output: accountExport,
  errors: ['foreign_account', 'missing_scope', 'resource_not_found'],
});

export const listOwnMembers = rpc('people.listOwnMembers', {
  kind: 'list',
  input: listQuery({ account_id: id('acct') }),
  output: member,
  reveals: 'members:medical',
  errors: ['foreign_account'],
});
export const listOwnInstructors = ownList('people.listOwnInstructors', instructor);
export const listOwnReviews = ownList('people.listOwnReviews', review);
export const listOwnPools = ownList('scheduling.listOwnPools', pool);
