import type {
  AccountEvent,
  Booking,
  Hold,
  Instructor,
  Me,
  Member,
  PaymentMethod,
  Pool,
  Session,
  WebhookEndpoint,
} from '@swim/contracts';
import { newId } from '@swim/platform';
import { until } from '@swim/testing';
import { type Answer, type Customer, expectStatus } from '../fixtures/customer.js';
import { anInstructor, bookingBody, sessionBody } from '../fixtures/fixtures.js';
import type { Stack } from '../fixtures/stack.js';
import { Normaliser } from './normaliser.js';
import { Recording } from './recording.js';

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;

/** The first Monday, midnight UTC, that is at least 45 days ahead: the lessons of the examples take place after it. */
function firstLessons(): number {
  const earliest = Date.now() + 45 * DAY_MS;
  // The first day of 1970 was a Thursday.
  return Math.ceil((earliest - 4 * DAY_MS) / WEEK_MS) * WEEK_MS + 4 * DAY_MS;
}

/** The accounts and objects with which the requests of the examples are made. Requests of `school` and `family` are recorded. */
export class Scene {
  pool!: Pool;
  /** A time at which the only lane of a pool is taken. */
  full!: { date: string; location: { type: 'pool'; pool_id: string } };
  /** Teaches at the pool from 08:00 to 18:00 in Phoenix, whose clocks never change, for 60 dollars an hour. */
  rosa!: Instructor;
  mia!: Member;
  leo!: Member;
  card!: PaymentMethod;
  booking!: Booking;
  session!: Session;
  hold!: Hold;
  endpoint!: WebhookEndpoint;

  readonly stack: Stack;
  readonly recording: Recording;
  readonly normaliser: Normaliser;
  /** The Monday, midnight UTC, on which the lessons begin. */
  readonly lessons: number;
  readonly school: Customer;
  readonly family: Customer;
  /** Another family; its requests are not recorded. */
  readonly neighbours: Customer;
  /** Another school; its requests are not recorded. */
  readonly otherSchool: Customer;

  private constructor(stack: Stack, recording: Recording, normaliser: Normaliser, others: [Customer, Customer]) {
    this.stack = stack;
    this.recording = recording;
    this.normaliser = normaliser;
    this.lessons = normaliser.lessons;
    this.school = recording.customer(stack.school);
    this.family = recording.customer(stack.family);
    [this.neighbours, this.otherSchool] = others;
  }

  /** A scene of the stack's own accounts and two others. */
  static async open(stack: Stack): Promise<Scene> {
    const normaliser = new Normaliser(firstLessons());
    const others = [await stack.open('family'), await stack.open('school')] as [Customer, Customer];
    return new Scene(stack, new Recording(normaliser), normaliser, others);
  }

  /** Records the requests of another customer too. */
  recorded(customer: Customer): Customer {
    return this.recording.customer(customer);
  }

  private days = 0;
  /** Five o'clock in the afternoon UTC, ten in the morning in Phoenix, on a day that no other example uses. */
  nextTime(): string {
    return this.at(14 + this.days++);
  }

  /** An instant so many days after the first Monday. */
  at(day: number, hour = 17, minute = 0): string {
    return new Date(this.lessons + day * DAY_MS + (hour * 60 + minute) * 60_000).toISOString();
  }

  lesson(member: Member = this.mia, date = this.nextTime(), changes: object = {}) {
    return sessionBody(this.rosa, member, date, changes);
  }

  group(members: Member[], dates: string[], changes: object = {}) {
    return bookingBody(this.rosa, members, dates, changes);
  }
}

/** Another instructor of a school, with hours of every day; by default in UTC. */
export const another = (school: Customer, changes: object = {}): Promise<Instructor> =>
  anInstructor(school, { name: 'Sunita Gurung', ...changes });

/** Waits until the first use of a customer's key is stored, which happens after the answer. */
export async function keyIsUsed(customer: Customer): Promise<void> {
  const isUsed = async () => (await customer.once.get<Me>('/me')).data.key.last_used_at !== null;
  await until(isUsed, 'the use of the key is stored');
}

/** Waits until so many events that match a query are listed, and returns them. */
export function hasEvents(customer: Customer, query: string, count: number): Promise<AccountEvent[]> {
  return until(async () => {
    const { data } = await customer.once.get<AccountEvent[]>(`/events?${query}`);
    return data.length === count ? data : null;
  }, `${count} events of ${query} are listed`);
}

/** Throws unless the answer is an error of this reason. */
export async function rejected(reason: string, pending: Promise<Answer>): Promise<void> {
  const answer = await pending;
  const actual = answer.status >= 400 ? answer.error.details.reason : answer.status;
  if (actual !== reason) throw new Error(`Expected ${reason}, but ${answer.status} came: ${answer.text.slice(0, 500)}`);
}

/** The data of an answer of success. */
export async function done<T>(status: number, pending: Promise<Answer<T>>): Promise<T> {
  return expectStatus(status, await pending).data;
}

/** Metadata of 50 keys, the most that an object may have. */
export const FULL_METADATA = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`key${index}`, 'x']));
/** One key more. */
export const MORE_METADATA = { metadata: { one_more: 'x' } };

export { newId };
