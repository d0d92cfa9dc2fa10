import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AccountEvent, Booking, CalendarToken, PublicEventType } from '@swim/contracts';
import { EventStreamClient, inDays, until } from '@swim/testing';
import { apiError, expectStatus } from '../fixtures/customer.js';
import { aCard, paymentBody } from '../fixtures/fixtures.js';
import { Mailbox } from '../fixtures/mailbox.js';
import { advance } from '../fixtures/sandbox-clock.js';
import { Stack } from '../fixtures/stack.js';
import {
  type Family,
  type Lessons,
  leaveLessons,
  openFamily,
  openLessons,
  recordAttendance,
  replace,
  useClasses,
  useLessons,
} from './neighbours.js';
import { probe } from './probing.js';
import { type Answers, idsIn, type Means, readAll } from './reading.js';

// A minute on a machine without other load.
const LONGEST_MS = 900_000;
const DAY = 40;
const dayOf = (index: number) => inDays(DAY + index);

/** The types of events that the other families get of what they do, and of what happens to them. */
const CAUSED: PublicEventType[] = [
  'session.created',
  'session.updated',
  'session.rescheduled',
  'session.cancelled',
  'session.reminder',
  'session.completed',
  'session.attendance_recorded',
  'booking.created',
  'booking.confirmed',
  'booking.cancelled',
  'enrollment.created',
  'enrollment.ended',
  'payment.succeeded',
  'payment.refunded',
  'payment_method.added',
  'member.created',
  'member.progress_updated',
  'waitlist.joined',
  'waitlist.offered',
  'waitlist.accepted',
  'connection.created',
];

let mailbox: Mailbox;
let stack: Stack;
let hook: http.Server;
const webhooks: string[] = [];
beforeAll(async () => {
  mailbox = await Mailbox.open();
  hook = http.createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    webhooks.push(Buffer.concat(chunks).toString());
    response.end();
  });
  await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve));
  stack = await Stack.start({ ...mailbox.env, WEBHOOK_ALLOW_PRIVATE: 'true', ERASURE_DRAIN_MS: '500' });
});
afterAll(async () => {
  await stack?.stop();
  await mailbox?.close();
  hook?.closeAllConnections();
  hook?.close();
});

/** What a family of a shared lesson gets to see, while others use the lesson. */
interface World {
  a: Family;
  others: Family[];
  lessons: Lessons;
  /** Before others came, after they used the lessons, after they left, and with another family in their place. */
  views: Answers[];
  /** Before and after attendance of others was recorded. */
  attended: Answers[];
  /** How writes are rejected for which others are in the way, and with another family in their place. */
  rejections: unknown[][];
  /** Which types of events others have got. */
  theirTypes: Set<string>;
  events: AccountEvent[];
  webhooks: AccountEvent[];
  mails: string[];
  /** Ids of the other families' objects. */
  foreign: string[];
  means: Means;
}

// Own requests and uses of the key are recorded, and tools are called once.
const OWN_USE = /^tool|\/(?:requests|usage|access-log|export)(?:[/?]|$)/;
const withoutOwnUse = (answers: Answers): Answers =>
  Object.fromEntries(Object.entries(answers).filter(([url]) => !OWN_USE.test(url)));
const without = (names: string[]) => (answers: Answers) =>
  JSON.parse(JSON.stringify(withoutOwnUse(answers)), (name, value) => (names.includes(name) ? undefined : value));
/** What may differ while nothing of the reader's and of others' places changes: the clock, and when the key was used. */
const withoutClock = without(['last_used_at', 'now']);
/** What may differ while nothing of the reader's changes: how many places are left as well. */
const withoutCounts = without(['places_left', 'last_used_at', 'now']);

/** What a family of its own has: places, money, a hold, a line, feeds and webhooks. */
async function settle({ customer, child, sibling }: Family, lessons: Lessons): Promise<string> {
  const url = `http://127.0.0.1:${(hook.address() as AddressInfo).port}/`;
  await customer.make('/webhook-endpoints', { url, events: ['*'] });
  const place = { lesson_ids: [lessons.shared.id], member_ids: [child.id] };
  const booking = await customer.make<Booking>('/bookings', place);
  await customer.make('/payments', paymentBody(booking, await aCard(customer)));
  await customer.make(`/classes/${lessons.course.id}/enrollments`, { member_id: child.id });
  await customer.make('/holds', {
    lesson_ids: [lessons.other.id],
    member_ids: [sibling.id],
    expires_in_minutes: 30,
  });
  const wait = { instructor_id: lessons.sam.id, member_id: sibling.id, duration_minutes: 30 };
  await customer.make('/waitlist', { ...wait, date_from: dayOf(0), date_to: dayOf(2) });
  const { url: feed } = await customer.make<CalendarToken>(`/members/${child.id}/calendar-token`, {});
  return new URL(feed!).searchParams.get('token')!;
}

/** Writes of a family that others are in the way of, or that it may not make in a lesson that it shares. */
async function beRejected({ customer, child, sibling }: Family, lessons: Lessons, sessionId: string) {
  const { small, beside, tiny, shared, theirs, course, crowded } = lessons;
  const place = (lesson: { id: string }, member = sibling) => ({ lesson_ids: [lesson.id], member_ids: [member.id] });
  const session = `/sessions/${sessionId}`;
  const attendance = { entries: [{ session_id: sessionId, attendance: 'attended' }] };
  const enrollments = `/classes/${crowded.id}/enrollments`;
  const rejected = [
    [apiError(409, 'lesson_full'), await customer.post('/bookings', place(small))],
    [apiError(409, 'lesson_full'), await customer.post('/bookings?dry_run=true', place(small))],
    [apiError(409, 'lesson_full'), await customer.post('/holds', place(small))],
    [apiError(409, 'lesson_full'), await customer.patch(session, { lesson_id: small.id })],
    [apiError(409, 'member_busy'), await customer.post('/bookings', place(beside, child))],
    [apiError(409, 'not_eligible'), await customer.post('/bookings', place(tiny))],
    [apiError(409, 'not_eligible'), await customer.patch(session, { lesson_id: tiny.id })],
    [apiError(409, 'shared_lesson'), await customer.patch(session, { date: theirs.date })],
    [apiError(409, 'class_full'), await customer.post(enrollments, { member_id: child.id })],
    [apiError(409, 'class_full'), await customer.post(`${enrollments}?dry_run=true`, { member_id: sibling.id })],
    [apiError(409, 'class_full'), await customer.post(enrollments, { member_id: child.id, on_conflict: 'skip' })],
    [apiError(403, 'school_only'), await customer.post(`/classes/${course.id}/close`, {})],
    [apiError(403, 'school_only'), await customer.patch(`/lessons/${shared.id}`, { capacity: 1 })],
    [apiError(403, 'school_only'), await customer.post(`/lessons/${shared.id}/attendance`, attendance)],
  ] as const;
  return rejected.map(([expected, answer]) => {
    expect(answer).toMatchObject(expected);
    return answer.error;
  });
}

/** A message that is sent later has another status in the next reading. */
const messagesAreSent = ({ customer }: Family) => {
  const pending = `/accounts/${customer.id}/messages?status=pending`;
  return until(async () => (await customer.read<object[]>(pending)).length === 0, 'its messages are sent');
};

/** The story of the first family, and what it reads meanwhile. */
async function live(names: [string, string, string, string]): Promise<World> {
  const address = `${names[0].toLowerCase()}@family.test`;
  const earlier = mailbox.countTo(address);
  const [a, b, c, d] = [
    await openFamily(stack, names[0]),
    await openFamily(stack, names[1]),
    await openFamily(stack, names[2]),
    await openFamily(stack, names[3]),
  ];
  const lessons = await openLessons(stack, dayOf);
  const token = await settle(a, lessons);
  const date = lessons.shared.date.slice(0, 10);
  await stack.snapshot();
  await messagesAreSent(a);
  const values = {
    date,
    month: date.slice(0, 7),
    token,
    date_from: inDays(DAY - 1),
    date_to: inDays(DAY + 20),
    updated_from: new Date().toISOString(),
  };
  const { customer } = a;
  const first = await readAll(customer, { ids: [customer.id], values });
  const means = { ids: idsIn(JSON.stringify(first)).filter((id) => !id.startsWith('acct_')), values };
  means.ids.push(customer.id, lessons.school.id);
  const read = (withTools = false) => readAll(customer, means, withTools);
  const before = await read();

  await useLessons(lessons, b, c);
  await useClasses(lessons, b, c);
  await stack.snapshot();
  const used = await read();
  const foreign: string[] = [];
  const theirTypes = new Set<string>();
  const note = async ({ customer: other }: Family) => {
    foreign.push(...idsIn(JSON.stringify(await readAll(other, { ids: [other.id], values }))));
    for (const { type } of await other.readAll<AccountEvent>('/events')) theirTypes.add(type);
  };
  for (const each of [b, c]) await note(each);
  await leaveLessons(lessons, b, c);
  await stack.snapshot();
  const left = await read(true);

  const { data: own } = expectStatus(200, await customer.get<{ id: string }[]>(`/sessions?member_id=${a.child.id}`));
  const rejections = [await beRejected(a, lessons, own[0]!.id)];
  await replace(lessons, b, d);
  await stack.snapshot();
  const replaced = await read();
  rejections.push(await beRejected(a, lessons, own[0]!.id));
  await advance(lessons.school, new Date(Date.parse(lessons.shared.end_date) + 3_600_000).toISOString());
  await stack.snapshot();
  await messagesAreSent(a);
  const unattended = await read();
  await recordAttendance(lessons, d);
  await stack.snapshot();
  const attended = [unattended, await read()];
  await note(d);

  const events = await customer.readAll<AccountEvent>('/events');
  const stream = await EventStreamClient.open(stack.origin, customer.key, 0);
  expect((await stream.received(events.length)).toReversed()).toEqual(events);
  stream.close();
  const ownHooks = () =>
    webhooks.map((body) => JSON.parse(body) as AccountEvent).filter(({ account_id }) => account_id === customer.id);
  const sent = events.filter(({ type }) => !type.startsWith('member.'));
  await until(() => ownHooks().length >= sent.length, 'every event since the endpoint was made is delivered');
  const mine = new Set(idsIn(JSON.stringify(first)));
  return {
    a,
    others: [b, c, d],
    lessons,
    views: [before, used, left, replaced],
    attended,
    rejections,
    theirTypes,
    events,
    webhooks: ownHooks(),
    mails: mailbox.textsTo(address).slice(earlier),
    foreign: foreign.filter((id) => !mine.has(id)),
    means,
  };
}

describe('a family that shares lessons with others', () => {
  let world: World;
  beforeAll(async () => {
    world = await live(['Ames', 'Brandvold', 'Castellanos', 'Delacroix']);
  }, LONGEST_MS);

  it('reads the same whatever others do with their places, but for how many are left', () => {
    const { views, attended } = world;
    const [before, ...since] = views.map(withoutCounts);
    expect(Object.keys(before!).length).toBeGreaterThan(80);
    for (const each of since) expect(each).toEqual(before);
    const [unattended, recorded] = attended.map(withoutCounts);
    expect(recorded).toEqual(unattended);
    // An event of theirs that reached this family would be in its list of events.
    expect(CAUSED.filter((type) => !world.theirTypes.has(type))).toEqual([]);
  });

  it('is answered the same bytes with one family in the place of another', () => {
    const { views, rejections } = world;
    const [left, replaced] = views.slice(-2).map(withoutClock);
    expect(replaced).toEqual(left);
    expect(JSON.stringify(rejections[1])).toBe(JSON.stringify(rejections[0]));
  });

  it('gets no name, text or id of others by reads, tools, events, webhooks, feeds, mails, exports and errors', () => {
    const { others, foreign, lessons, means, a, ...seen } = world;
    const text = JSON.stringify(seen);
    expect(text).toContain(a.child.name);
    expect(foreign.length).toBeGreaterThan(30);
    const leaked = [...others.map(({ canary }) => canary), ...foreign].filter((each) => text.includes(each));
    expect(leaked).toEqual([]);
  });

  it.each(['reads', 'writes'] as const)(
    'learns by none of the %s of the document whether an object of others exists',
    async (which) => {
      const { a, means, foreign } = world;
      const { leaked, compared } = await probe(a.customer, means, foreign, which);
      expect(leaked).toEqual([]);
      expect(compared).toBeGreaterThan(100);
    },
  );
});
