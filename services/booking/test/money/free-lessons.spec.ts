import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type BookingFixture, startFixture, times } from '../harness.js';
import { moneyIn } from './money.js';
import { storedMoneyIn } from './stored-money.js';

let fixture: BookingFixture;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(() => fixture?.stop());

const { create } = moneyIn(() => fixture);
const { collectionOf, someCredit } = storedMoneyIn(() => fixture);

it('a booking of lessons that cost nothing is made with a makeup credit, and uses nothing of it', async () => {
  const { creditId } = await someCredit();
  const instructor_id = fixture.people.anInstructor(fixture.school.accountId, { hourlyRateCents: 0 });
  expect(await create({ instructor_id, sessions: times(6), makeup_credit_id: creditId })).toMatchObject({
    status: 'confirmed',
    payment_status: 'paid',
    amount_cents: 0,
    amount_credited_cents: 0,
  });
  expect(await collectionOf('credits').findOne({ _id: creditId })).toMatchObject({ leftCents: 2_500 });
  const half = [{ ...times(7)[0]!, duration_minutes: 30 }];
  expect(await create({ sessions: half, makeup_credit_id: creditId })).toMatchObject({ amount_credited_cents: 2_500 });
});
