import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type AccountEvent,
  type Booking,
  type Instructor,
  type Member,
  type PaymentMethod,
  SERVICES,
  type Session,
} from '@swim/contracts';
import { inDays, until } from '@swim/testing';
import { type Answer, Customer } from '../journeys/fixtures/customer.js';
import {
  aCard,
  aMember,
  anInstructor,
  bookingBody,
  memberBody,
  paymentBody,
  sessionBody,
} from '../journeys/fixtures/fixtures.js';
import { Stack } from '../journeys/fixtures/stack.js';

/** Answers that each client waits for before the restart begins, and after the old process has ended. */
const ROUNDS_AROUND = 3;
const CLIENTS = 3;

let stack: Stack;
let instructor: Instructor;
let members: Member[];
let visa: PaymentMethod;
let sessionsMade = 0;
beforeAll(async () => {
  stack = await Stack.start();
  instructor = await anInstructor(stack.school);
  members = await Promise.all(Array.from({ length: CLIENTS }, () => aMember(stack.family)));
  visa = await aCard(stack.family);
});
afterAll(() => stack?.stop());

/** An hour of the next year that nobody has yet. */
const freeHour = () => inDays(2 + Math.floor(sessionsMade / 15), 6 + (sessionsMade++ % 15));

/** One round of what customers do all day, touching every service; answers without a key, so that nobody repeats them. */
async function aRound(family: () => Customer, member: Member): Promise<Answer[]> {
  const answers: Answer[] = [];
  const send = async <T>(pending: Promise<Answer<T>>): Promise<T> => {
    const answer = await pending;
    answers.push(answer);
    return answer.data;
  };
  const session = await send(family().post<Session>('/sessions', sessionBody(instructor, member, freeHour())));
  await send(family().patch(`/members/${member.id}`, { name: memberBody().name }));
  const booking = await send(family().post<Booking>('/bookings', bookingBody(instructor, [member], [freeHour()])));
  if (booking) await send(family().post('/payments', paymentBody(booking, visa)));
  if (session) await send(family().get(`/sessions/${session.id}`));
  await send(family().get('/events?limit=1'));
  await send(family().get(`/accounts/${family().id}/bookings?limit=3`));
  return answers;
}

/** Customers who send requests until the test stops them, each to one of the running gateways. */
function load(families: () => Customer[]) {
  const answers: Answer[] = [];
  const rounds = members.map(() => 0);
  let isOver = false;
  const done = Promise.all(
    members.map(async (member, index) => {
      while (!isOver) {
        answers.push(...(await aRound(() => families()[index % families().length]!.once, member)));
        rounds[index]! += 1;
      }
    }),
  );
  const roundsMore = (count: number) => {
    const goals = rounds.map((now) => now + count);
    return until(() => rounds.every((now, index) => now >= goals[index]!), `${count} rounds more`);
  };
  const stop = async () => {
    isOver = true;
    await done;
    return answers;
  };
  return { roundsMore, stop };
}

/** Replaces something under load and answers what was not answered with success. */
async function failuresDuring(replace: () => Promise<void>, families = () => [stack.family]): Promise<string[]> {
  const customers = load(families);
  let answers: Answer[];
  try {
    await customers.roundsMore(ROUNDS_AROUND);
    await replace();
    await customers.roundsMore(ROUNDS_AROUND);
  } finally {
    answers = await customers.stop();
  }
  expect(answers.length).toBeGreaterThan(2 * ROUNDS_AROUND * CLIENTS * 7 - 1);
  return answers.filter(({ status }) => status >= 400).map(({ status, text }) => `${status} ${text}`);
}

describe('a replica that gets SIGTERM while another one runs', () => {
  it.each(SERVICES)('of %s fails no request', async (service) => {
    await stack.add(service);
    expect(await failuresDuring(() => stack.retire(service))).toEqual([]);
  });

  it('of the gateway fails no request either, when new ones go to the other', async () => {
    const other = new Customer(`${await stack.addGateway()}/v1`, stack.family.id, stack.family.key);
    let families = [stack.family, other];
    const retire = async () => {
      // As a load balancer does before it lets the old one be ended.
      families = [other];
      await stack.retire('gateway');
    };
    expect(await failuresDuring(retire, () => families)).toEqual([]);
    const events = await until(
      async () => {
        const all = await other.readAll<AccountEvent>('/events');
        return all.filter(({ type }) => type === 'session.created').length === sessionsMade ? all : null;
      },
      'every session has its event',
      30_000,
    );
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => events.length - index));
  });
});
