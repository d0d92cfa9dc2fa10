import type { Booking, Instructor, Member, Payment, PaymentMethod, Pool } from '@swim/contracts';
import {
  DEMO_MEMBERS,
  DEMO_METHOD,
  DEMO_POOL,
  demoInstructors,
} from '../../../libs/contracts/src/sandbox/demo-data.ts';
import { type DemoClient, demoClient } from '../../local/demo/demo-client.ts';
import type { Deployment } from './deployment.ts';

const DURATION_MINUTES = 30;
const WEEKS = 4;
const DAY_MS = 86_400_000;

/** Accounts of the demo, and what a family needs to book. */
export interface Customers {
  school: DemoClient;
  family: DemoClient;
  keys: { school: string; family: string };
  familyId: string;
  instructorId: string;
  memberId: string;
  methodId: string;
  /** Starts of free times of the instructor. */
  starts: string[];
}

/** Makes a school and a family by the command of deploy/README.md, and what a booking needs through the API. */
export async function makeCustomers({ exec, origin }: Pick<Deployment, 'exec' | 'origin'>): Promise<Customers> {
  const printed = await exec('people', 'node', 'dist/demo.js');
  const accounts = JSON.parse(printed.split('\n').find((line) => line.startsWith('{"school"'))!);
  const [school, family] = [accounts.school, accounts.family].map(({ key }) => demoClient(`${origin}/v1`, key));
  const familyId: string = accounts.family.id;
  const pool = await school!.create<Pool>('/pools', 'pool', DEMO_POOL);
  const instructor = await school!.create<Instructor>('/instructors', 'instructor', demoInstructors(pool.id)[0]!);
  const member = await family!.create<Member>(`/accounts/${familyId}/members`, 'member', DEMO_MEMBERS[0]!);
  const methods = `/accounts/${familyId}/payment-methods`;
  const method = await family!.create<PaymentMethod>(methods, 'payment-method', DEMO_METHOD);
  return {
    school: school!,
    family: family!,
    keys: { school: accounts.school.key, family: accounts.family.key },
    familyId,
    instructorId: instructor.id,
    memberId: member.id,
    methodId: method.id,
    starts: await freeTimes(family!, instructor.id),
  };
}

/** The body of a request that books a free time, which is then used up. */
export function bookingOf(customers: Pick<Customers, 'instructorId' | 'memberId' | 'starts'>) {
  const date = customers.starts.shift();
  if (!date) throw new Error('the instructor has no free time left');
  return {
    instructor_id: customers.instructorId,
    member_ids: [customers.memberId],
    sessions: [{ date, duration_minutes: DURATION_MINUTES }],
  };
}

/** Books a lesson and pays for it. */
export async function bookOnce(customers: Customers): Promise<{ status: string; payment: string }> {
  const { family, methodId } = customers;
  const booking = await family.create<Booking>('/bookings', 'booking', bookingOf(customers));
  const paid = {
    booking_id: booking.id,
    payment_method_id: methodId,
    amount_cents: booking.amount_due_cents,
    currency: booking.currency,
  };
  const payment = await family.create<Payment>('/payments', 'payment', paid);
  const { status } = await family.get<Booking>(`/bookings/${booking.id}`);
  return { status, payment: payment.status };
}

/** The free times of four weeks, from tomorrow on. */
async function freeTimes(family: DemoClient, instructorId: string) {
  const starts: string[] = [];
  for (let week = 0; week < WEEKS; week += 1) {
    const at = (days: number) => new Date(Date.now() + (week * 7 + days) * DAY_MS).toISOString();
    const times = `date_from=${at(1)}&date_to=${at(8)}&duration_minutes=${DURATION_MINUTES}`;
    const { slots } = await family.get<{ slots: { start: string }[] }>(
      `/instructors/${instructorId}/availability?${times}`,
    );
    starts.push(...slots.map(({ start }) => start));
  }
  return apart(starts);
}

/** Only times that do not overlap. */
function apart(starts: string[]) {
  let endsAt = 0;
  return starts.filter((start) => {
    if (Date.parse(start) < endsAt) return false;
    endsAt = Date.parse(start) + DURATION_MINUTES * 60_000;
    return true;
  });
}
