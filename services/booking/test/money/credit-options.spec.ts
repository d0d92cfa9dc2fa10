import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  type Credit,
  cancelBooking,
  createBooking,
  type InputOf,
  listBookableLessons,
  listCreditOptions,
  listCredits,
  type ParsedOf,
} from '@swim/contracts';
import { AppError, newId } from '@swim/platform';
import { aPrincipal, inDays, rejectionOf, until } from '@swim/testing';
import { type BookingFixture, startFixture, times } from '../harness.js';
import { moneyIn } from './money.js';

let fixture: BookingFixture;
const requests: ParsedOf<typeof listBookableLessons>[] = [];
const strangers = new Set<string>();
beforeAll(async () => {
  fixture = await startFixture();
  fixture.harness.serve(listBookableLessons, (input) => {
    requests.push(input);
    if (strangers.has(input.member_id)) throw new AppError('not_found', { field: 'member_id' });
    return { items: [], pagination: { has_more: false, next_cursor: null, total: 0 } };
  });
});
afterAll(() => fixture?.stop());

const { create, pay } = moneyIn(() => fixture);
const asFamily = () => ({ principal: fixture.family });
const options = (
  { id: credit_id }: Pick<Credit, 'id'>,
  query: Partial<InputOf<typeof listCreditOptions>> = {},
  as = asFamily(),
) => fixture.harness.call(listCreditOptions, { credit_id, ...query }, as);
/** What scheduling is asked for. */
async function asked(...request: Parameters<typeof options>) {
  await options(...request);
  return requests.at(-1)!;
}

async function aCredit(): Promise<Credit> {
  const booking = await create({ sessions: times(5) });
  await pay(booking);
  await fixture.harness.call(cancelBooking, { booking_id: booking.id, refund_as: 'credit' }, asFamily());
  const input = { account_id: fixture.family.accountId, limit: 100 };
  return until(async () => {
    const { items } = await fixture.harness.call(listCredits, input, asFamily());
    return items.find(({ session_id }) => booking.session_ids.includes(session_id));
  }, 'the credit is given');
}

it('asks for lessons of its school, in its currency, that begin before it expires', async () => {
  const credit = await aCredit();
  const { account_id, school_id, currency, member_id, expires_at } = credit;
  expect(await asked(credit)).toEqual({ account_id, school_id, currency, member_id, date_to: expires_at, limit: 20 });
  const other = newId('mem');
  const range = { date_from: inDays(3), date_to: inDays(4) };
  const paged = { limit: '5', offset: '2' };
  expect(await asked(credit, { member_id: other, ...range, ...paged })).toMatchObject({
    ...{ ...range, member_id: other, limit: 5, offset: 2 },
  });
  expect(await asked(credit, { date_to: inDays(400) })).toMatchObject({ date_to: expires_at });
  expect(await asked(credit, { date_from: inDays(400) })).toMatchObject({ date_from: expires_at, date_to: expires_at });
  expect(await asked(credit, {}, { principal: fixture.school })).toMatchObject({ account_id, school_id });
});

it('asks for none once nothing is left of it', async () => {
  const credit = await aCredit();
  const input = fixture.bookingInput({ sessions: times(6), makeup_credit_id: credit.id });
  await fixture.harness.call(createBooking, input, asFamily());
  const { date_from, date_to } = await asked(credit);
  expect(date_from).toBe(date_to);
});

it('rejects an unknown credit, and that of another account: resource_not_found', async () => {
  const credit = await aCredit();
  expect((await rejectionOf(options({ id: newId('crd') }))).reason).toBe('resource_not_found');
  expect((await rejectionOf(options(credit, {}, { principal: aPrincipal() }))).reason).toBe('resource_not_found');
});

it('rejects a member that is not of its account: not_found', async () => {
  const stranger = newId('mem');
  strangers.add(stranger);
  expect(await rejectionOf(options(await aCredit(), { member_id: stranger }))).toMatchObject({
    ...{ code: 'VALIDATION_ERROR', reason: 'not_found', details: { field: 'member_id' } },
  });
});
