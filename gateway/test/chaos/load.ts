import { expect } from '@jest/globals';
import type { Booking, Instructor, Member, PaymentMethod, Session } from '@swim/contracts';
import { inDays, until } from '@swim/testing';
import type { Answer, Customer } from '../journeys/fixtures/customer.js';
import {
  aCard,
  aMember,
  anInstructor,
  bookingBody,
  memberBody,
  paymentBody,
  sessionBody,
} from '../journeys/fixtures/fixtures.js';
import type { Stack } from '../journeys/fixtures/stack.js';

/** Answers that each client waits for before a replacement begins, and after the old process has ended. */
const ROUNDS_AROUND = 3;
const CLIENTS = 3;

/** Waits until each client has made so many rounds more. */
export type RoundsMore = (count: number) => Promise<void>;

/** Customers of a stack who do all day what touches every service. */
export class Load {
  /** Sessions that they have made. */
  sessionsMade = 0;

  private constructor(
    private readonly stack: Stack,
    private readonly instructor: Instructor,
    private readonly members: readonly Member[],
    private readonly visa: PaymentMethod,
  ) {}

  static async on(stack: Stack): Promise<Load> {
    const instructor = await anInstructor(stack.school);
    const members = await Promise.all(Array.from({ length: CLIENTS }, () => aMember(stack.family)));
    return new Load(stack, instructor, members, await aCard(stack.family));
  }

  /** Replaces something under load and answers what was not answered with success. */
  async failuresDuring(
    replace: (roundsMore: RoundsMore) => Promise<void>,
    families = () => [this.stack.family],
  ): Promise<string[]> {
    const customers = this.begin(families);
    let answers: Answer[];
    try {
      await customers.roundsMore(ROUNDS_AROUND);
      await replace(customers.roundsMore);
      await customers.roundsMore(ROUNDS_AROUND);
    } finally {
      answers = await customers.stop();
    }
    expect(answers.length).toBeGreaterThan(2 * ROUNDS_AROUND * CLIENTS * 7 - 1);
    return answers.filter(({ status }) => status >= 400).map(({ status, text }) => `${status} ${text}`);
  }

  /** An hour of the next year that nobody has yet. */
  private freeHour(): string {
    return inDays(2 + Math.floor(this.sessionsMade / 15), 6 + (this.sessionsMade++ % 15));
  }

  /** One round of what customers do all day, touching every service; answers without a key, so that nobody repeats them. */
  private async round(family: () => Customer, member: Member): Promise<Answer[]> {
    const { instructor } = this;
    const answers: Answer[] = [];
    const send = async <T>(pending: Promise<Answer<T>>): Promise<T> => {
      const answer = await pending;
      answers.push(answer);
      return answer.data;
    };
    const session = await send(family().post<Session>('/sessions', sessionBody(instructor, member, this.freeHour())));
    await send(family().patch(`/members/${member.id}`, { name: memberBody().name }));
    const body = bookingBody(instructor, [member], [this.freeHour()]);
    const booking = await send(family().post<Booking>('/bookings', body));
    if (booking) await send(family().post('/payments', paymentBody(booking, this.visa)));
    if (session) await send(family().get(`/sessions/${session.id}`));
    await send(family().get('/events?limit=1'));
    await send(family().get(`/accounts/${family().id}/bookings?limit=3`));
    return answers;
  }

  /** Sends requests until it is stopped, each to one of the running gateways. */
  private begin(families: () => Customer[]) {
    const answers: Answer[] = [];
    const rounds = this.members.map(() => 0);
    let isOver = false;
    const done = Promise.all(
      this.members.map(async (member, index) => {
        while (!isOver) {
          answers.push(...(await this.round(() => families()[index % families().length]!.once, member)));
          rounds[index]! += 1;
        }
      }),
    );
    const roundsMore: RoundsMore = async (count) => {
      const goals = rounds.map((now) => now + count);
      await until(() => rounds.every((now, index) => now >= goals[index]!), `${count} rounds more`);
    };
    const stop = async () => {
      isOver = true;
      await done;
      return answers;
    };
    return { roundsMore, stop };
  }
}
