import { execFileSync } from 'node:child_process';
import { expect, it } from '@jest/globals';
import { demoExamples, slotQuery } from './demo-examples.ts';

const { book, bookTwice, pay } = demoExamples({
  baseUrl: 'http://127.0.0.1:8080/v1',
  key: 'swl_test_key',
  start: '2027-03-01T16:00:00+05:45',
  instructor: { id: 'ins_1', hourly_rate_cents: 4801, currency: 'EUR' },
  memberId: 'mem_1',
  paymentMethodId: 'pm_1',
});

/** A fake of curl: returns a booking, and prints the last argument, the body. */
const CURL = `curl() { echo '{"data":{"id":"bkg_01abc","sessions":[{"booking_id":"bkg_01abc"}]}}'; for body; do :; done; echo "$body" >&2; }`;

const paste = (line: string) =>
  execFileSync('sh', ['-c', `${CURL}\n${line} 2>&1`], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .at(-1)!;

it('books the slot in UTC', () =>
  expect(JSON.parse(paste(bookTwice))).toEqual({
    instructor_id: 'ins_1',
    member_ids: ['mem_1'],
    sessions: [{ date: '2027-03-01T10:15:00.000Z', duration_minutes: 30 }],
  }));

it('pays for the booking that the first line made, half a cent rounded up', () =>
  expect(JSON.parse(paste(`{ ${book}; } >/dev/null 2>&1\n${pay}`))).toEqual({
    booking_id: 'bkg_01abc',
    payment_method_id: 'pm_1',
    amount_cents: 2401,
    currency: 'EUR',
  }));

it('queries slots from tomorrow on, for a week', () =>
  expect(slotQuery(0)).toBe('date_from=1970-01-02T00:00:00.000Z&date_to=1970-01-09T00:00:00.000Z&duration_minutes=30'));
