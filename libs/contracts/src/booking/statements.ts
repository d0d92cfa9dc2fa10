import { z } from 'zod';
import { currency, dateText, expects, id, idText, orRequired, timestamp } from '../formats/formats.js';
import { rpc } from '../operations/operation.js';

const MONTH = '^2\\d{3}-(0[1-9]|1[0-2])$';

/** A month of the calendar, `YYYY-MM`, in the years 2000 to 2999. */
const month = z
  .string(orRequired)
  .regex(new RegExp(MONTH), { error: 'invalid_format' })
  .meta({
    ...expects('a month YYYY-MM, such as 2027-03'),
    description: 'Month YYYY-MM, in the time zone of the school',
    examples: ['2027-03'],
  });

const sums = {
  lessons: z.int().meta({ description: 'Lessons that were given: completed, and neither missed nor excused' }),
  charged_cents: z.int().meta({ description: 'What payments charged, and what the school recorded' }),
  charged_by_method: z
    .object({
      card: z.int().meta({ description: 'By cards' }),
      cash: z.int().meta({ description: 'Recorded: in cash' }),
      transfer: z.int().meta({ description: 'Recorded: by a transfer' }),
      terminal: z.int().meta({ description: 'Recorded: at a card terminal' }),
      voucher: z.int().meta({ description: 'Recorded: by a voucher' }),
    })
    .meta({ description: 'The same by how it was paid' }),
  refunded_cents: z.int().meta({ description: 'What went back by refunds, recorded ones too, and lost disputes' }),
  fees_cents: z
    .int()
    .meta({ description: 'Fees kept of cancelled and missed lessons; negative where one was corrected' }),
  credits_issued_cents: z.int().meta({ description: 'Makeup credits that were given' }),
  credits_spent_cents: z
    .int()
    .meta({ description: 'What makeup credits paid, less what went back to them; negative where more went back' }),
};

/** The sums of one day, or of a month; money in minor units. */
const statementSums = z.object(sums);
export type StatementSums = z.output<typeof statementSums>;

/** A school's account of a month: money by the day on which it moved, lessons by the day on which they began. */
export const statement = z.object({
  account_id: idText('acct'),
  month: z.string().meta({ pattern: MONTH }),
  timezone: z.string(),
  currency: z.string(),
  days: z.array(z.object({ date: dateText, ...sums })),
  totals: statementSums,
});
export type Statement = z.output<typeof statement>;

/**
 * The statement of the requesting school for a month in its time zone, every day of it, as the ledgers of its bookings are now.
 * `currency` is the account's own by default; bookings in other currencies have statements of their own.
 */
export const getStatement = rpc('booking.getStatement', {
  summary: 'Get the statement of a month',
  description: 'What a school earned and gave in a month of its time zone, by day. `Accept: text/csv` gets it as CSV.',
  kind: 'read',
  // It reads all that moved in a month.
  isIsolated: true,
  input: z.strictObject({ account_id: id('acct'), month, currency: currency.optional() }),
  output: statement,
  errors: ['foreign_account', 'school_only'],
});

/** The lessons that the requesting school gave in a currency, between each two of these instants, which ascend. */
export const countLessons = rpc('scheduling.countLessons', {
  kind: 'read',
  callers: ['booking'],
  input: z.strictObject({ boundaries: z.array(timestamp).min(2).max(32), currency }),
  output: z.object({ counts: z.array(z.int()) }),
});
