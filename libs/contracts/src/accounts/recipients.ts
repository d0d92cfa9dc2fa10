import { z } from 'zod';
import { id } from '../formats/formats.js';
import { rpc } from '../operations/operation.js';
import { accountKind } from '../operations/principal.js';
import { locale } from './accounts.js';

/** The most recipients of one request. */
export const MOST_RECIPIENTS = 50;

/** An account that gets a message, or one of its instructors, with the names that the account may read. */
const recipient = z.object({
  id: z.string(),
  kind: accountKind,
  name: z.string(),
  /** Null unless it is confirmed. */
  email: z.string().nullable(),
  /** Whether the address of an instructor is the account's own, too. */
  isAccounts: z.boolean(),
  locale,
  timezone: z.string(),
  members: z.array(z.object({ id: z.string(), name: z.string() })),
  instructors: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      school: z.object({ id: z.string(), name: z.string(), offerUrlTemplate: z.string().nullable() }),
    }),
  ),
});
export type Recipient = z.output<typeof recipient>;

/**
 * What messages need of accounts: address, language, zone, and the names of members and instructors as far as the account may
 * read them; with `recipientId`, of its instructor of that id. In the sandbox, mails to instructors go to the account's address.
 * Null for an account or instructor that does not exist or is being erased; in the order of the request.
 */
export const describeRecipients = rpc('people.describeRecipients', {
  kind: 'read',
  callers: ['notification'],
  input: z.strictObject({
    recipients: z
      .array(
        z.strictObject({
          accountId: id('acct'),
          recipientId: id('ins').optional(),
          memberIds: z.array(id('mem')).max(100),
          instructorIds: z.array(id('ins')).max(100),
        }),
      )
      .max(MOST_RECIPIENTS),
  }),
  output: z.array(recipient.nullable()),
});

/**
 * The address of an account, or of its instructor, that is to be confirmed, and the token of the link by which that is done; null
 * when it is no longer to be confirmed. The school is named to its instructor.
 */
export const issueEmailConfirmation = rpc('people.issueEmailConfirmation', {
  kind: 'read',
  callers: ['notification'],
  input: z.strictObject({ accountId: id('acct'), instructorId: id('ins').optional(), confirmationId: id('req') }),
  output: z.object({ email: z.string(), token: z.string(), locale, schoolName: z.string().nullable() }).nullable(),
});

/**
 * Makes a pending address the account's, or that of an instructor confirmed, by the token of its link. The same token again changes nothing. `resource_not_found`
 * for a token that is not valid, or no longer.
 */
export const confirmEmail = rpc('people.confirmEmail', {
  kind: 'write',
  isIsolated: true,
  input: z.strictObject({ token: z.string().min(1).max(500) }),
  output: z.object({}),
  errors: ['resource_not_found'],
});
