import { describe, expect, it } from '@jest/globals';
import type { BookingObject } from '@swim/contracts';
import { newId } from '@swim/platform';
import { inDays } from '@swim/testing';
import ICAL from 'ical.js';
import { publishTwin } from '../bus.js';
import { aBooking, aCancellation, aSession, messagesOf } from './mail-fixtures.js';
import {
  calendarOf,
  eventOf,
  gathered,
  harness,
  headerOf,
  mailsTo,
  mailTo,
  messageWith,
  people,
  publishOf,
  server,
} from './mail-harness.js';

const HOUR_MS = 3_600_000;

describe('an e-mail about a lesson', () => {
  it('says who, when and where, in the zone of the account, with an invitation', async () => {
    const { principal, recipient } = people.family();
    const session = aSession(recipient);
    await publishOf(eventOf(recipient, 'session.created', session));
    const mail = await mailTo(recipient);
    const { email } = mail;
    expect(email.from).toMatchObject({ name: 'Swim Lessons', address: 'lessons@swim.example' });
    expect(email.subject).toBe('Booked: swimming lesson on Monday, March 1, 2027');
    for (const body of [email.text!, email.html!]) {
      expect(body).toContain('City Baths');
      expect(body.replaceAll('\u202f', ' ')).toContain(
        'Monday, March 1, 2027, 4:00 PM – 4:30 PM (Central European Standard Time): Mia with Ines',
      );
    }
    const calendar = calendarOf(mail);
    const event = calendar.getFirstSubcomponent('vevent')!;
    expect(calendar.getFirstPropertyValue('method')).toBe('REQUEST');
    expect(event.getFirstPropertyValue('uid')).toBe(session.id);
    expect(event.getFirstPropertyValue('sequence')).toBe(0);
    expect(event.getFirstPropertyValue('summary')).toBe('Swimming lesson with Ines');
    expect(String(event.getFirstPropertyValue('dtstart'))).toBe('2027-03-01T15:00:00Z');
    expect(mail.raw).toMatch(/content-type: text\/calendar;[^\n]*method=REQUEST/i);
    const message = await messageWith(principal, 'sent');
    expect(message).toMatchObject({ kind: 'booked', recipient: 'a•••@example.test', attempts: 1, reason: null });
    expect(message.last_response).toMatch(/^250/);
    expect(headerOf(mail, 'message-id')).toBe(`<${message.id}.test@swim.example>`);
    expect(headerOf(mail, 'auto-submitted')).toBe('auto-generated');
  });

  it.each([
    ['de', 'Gebucht: Schwimmstunde am Montag, 1. März 2027', 'Montag, 1. März 2027, 16:00'],
    ['es', 'Reserva: clase de natación el lunes, 1 de marzo de 2027', 'lunes, 1 de marzo de 2027, 16:00'],
    ['fr', 'Réservé : cours de natation du lundi 1 mars 2027', 'lundi 1 mars 2027, 16:00'],
  ] as const)('is written in the language of the account: %s', async (locale, subject, line) => {
    const { recipient } = people.family({ locale });
    await publishOf(eventOf(recipient, 'session.created', aSession(recipient)));
    const { email } = await mailTo(recipient);
    expect(email.subject).toBe(subject);
    expect(email.text).toContain(line);
    expect(email.html).toContain(`lang="${locale}"`);
  });

  it('is one about a booking of ten lessons, also of an enrollment, and none about each of them', async () => {
    const { principal, recipient } = people.family();
    const sessions = Array.from({ length: 10 }, (_, day) =>
      aSession(recipient, { date: inDays(20 + day), end_date: inDays(20 + day, 11) }),
    );
    const booking = aBooking(recipient, sessions);
    const anEnrollment = { id: newId('enr'), account_id: recipient.id, booking_id: booking.id, status: 'active' };
    await publishOf(
      ...sessions.map((each) => eventOf(recipient, 'session.created', { ...each, booking_id: booking.id } as never)),
      eventOf(recipient, 'booking.created', booking),
      eventOf(recipient, 'enrollment.created', anEnrollment),
      eventOf(recipient, 'booking.confirmed', booking, { objectId: newId('bkg') }),
    );
    const mail = await mailTo(recipient);
    expect(mail.email.subject).toBe('Booked: 10 swimming lessons');
    expect(calendarOf(mail).getFirstPropertyValue('method')).toBe('PUBLISH');
    expect(calendarOf(mail).getAllSubcomponents('vevent')).toHaveLength(10);
    await messageWith(principal, 'sent');
    expect(await messagesOf(harness, principal)).toHaveLength(1);
  });

  it('is not sent for a booking of demo data, which a service has made by itself, but for one that a payment confirms', async () => {
    const { principal, recipient } = people.family();
    const cause = { requestId: null, idempotencyKey: null, actor: 'system', accountId: recipient.id };
    const [demo, paid] = [0, 1].map(() => aBooking(recipient, [aSession(recipient)])) as [BookingObject, BookingObject];
    await publishOf(
      eventOf(recipient, 'booking.confirmed', demo, { cause }),
      eventOf(recipient, 'booking.confirmed', { ...paid, version: 2 } as BookingObject, { cause }),
    );
    await mailTo(recipient);
    expect(await messagesOf(harness, principal)).toHaveLength(1);
  });

  it('names the former time of a moved lesson, with the next sequence', async () => {
    const { recipient } = people.family();
    const session = aSession(recipient, { version: 4 });
    const previous = { date: '2027-02-27T09:00:00.000Z', version: 3 };
    await publishOf(eventOf(recipient, 'session.rescheduled', session, { previous }));
    const mail = await mailTo(recipient);
    expect(mail.email.text).toContain('Before: Saturday, February 27, 2027');
    expect(calendarOf(mail).getFirstSubcomponent('vevent')!.getFirstPropertyValue('sequence')).toBe(3);
  });

  it('says where, with name and address of the pool, in the text and in the calendar', async () => {
    const { recipient } = people.family();
    const sessions = [1, 2].map((day) => aSession(recipient, { date: `2027-03-0${day}T15:00:00.000Z` }));
    people.places.set(sessions[0]!.id, { type: 'pool', pool: 'City Baths, Uferweg 1' });
    people.places.set(sessions[1]!.id, { type: 'home', pool: null });
    await publishOf(eventOf(recipient, 'booking.confirmed', aBooking(recipient, sessions)));
    const mail = await mailTo(recipient);
    const [first, second] = mail.email.text!.split('\n').filter((line) => line.startsWith('- '));
    expect(first).toMatch(/Mia with Ines – City Baths, Uferweg 1$/);
    expect(second).toMatch(/Mia with Ines – At home$/);
    const places = calendarOf(mail).getAllSubcomponents('vevent');
    expect(places.map((event) => event.getFirstPropertyValue('location'))).toEqual([
      'City Baths, Uferweg 1',
      'At home',
    ]);
  });

  it.each([
    ['place', { location: { type: 'pool', pool_id: newId('pool') } }, 'session.updated', '· new place'],
    ['instructor', { instructor_id: newId('ins') }, 'session.rescheduled', '· new instructor'],
  ] as const)('about another %s says so, and nothing of a new time', async (_, previous, type, expected) => {
    const { recipient } = people.family();
    await publishOf(eventOf(recipient, type, aSession(recipient, { version: 2 }), { previous }));
    const { email } = await mailTo(recipient);
    expect(email.subject).toBe('Changed: swimming lesson on Monday, March 1, 2027');
    expect(email.text).toContain('This lesson at City Baths has changed:');
    expect(email.text).toContain(expected);
    expect(email.text).not.toContain('new time');
  });

  it('is not written about what was booked or moved with notify_participants: false', async () => {
    const { principal, recipient } = people.family();
    const cause = { requestId: newId('req'), idempotencyKey: null, actor: newId('key'), accountId: recipient.id };
    const quiet = { cause: { ...cause, isQuiet: true } };
    const session = aSession(recipient, { version: 2 });
    const previous = { date: '2027-02-27T09:00:00.000Z' };
    await publishOf(
      eventOf(recipient, 'session.created', aSession(recipient), quiet),
      eventOf(recipient, 'booking.confirmed', aBooking(recipient, [session]), quiet),
      eventOf(recipient, 'session.rescheduled', session, { ...quiet, previous }),
      eventOf(recipient, 'session.created', aSession(recipient)),
    );
    await mailTo(recipient);
    expect(await messagesOf(harness, principal)).toHaveLength(1);
  });

  it('is not written about a change of notes or price', async () => {
    const { principal, recipient } = people.family();
    const session = aSession(recipient, { version: 2 });
    await publishOf(
      eventOf(recipient, 'session.updated', session, { previous: { price_cents: 1 } }),
      eventOf(recipient, 'session.created', aSession(recipient)),
    );
    await mailTo(recipient);
    expect(await messagesOf(harness, principal)).toHaveLength(1);
  });

  it('has the time that clocks show on each side of a change to summer time', async () => {
    const { recipient } = people.family();
    const over = { date: '2027-03-28T00:30:00.000Z', end_date: '2027-03-28T01:30:00.000Z', version: 2 };
    const previous = { date: '2027-03-27T00:30:00.000Z' };
    await publishOf(eventOf(recipient, 'session.rescheduled', aSession(recipient, over), { previous }));
    const moved = await mailTo(recipient);
    const text = moved.email.text!.replaceAll('\u202f', ' ');
    expect(text).toContain('Sunday, March 28, 2027, 1:30 AM – 3:30 AM (Central European Standard Time)');
    expect(text).toContain('Before: Saturday, March 27, 2027, 1:30 AM (Central European Standard Time)');
    const event = new ICAL.Event(calendarOf(moved).getFirstSubcomponent('vevent')!);
    expect([event.startDate.toString(), event.endDate.toString()]).toEqual([
      '2027-03-28T00:30:00Z',
      '2027-03-28T01:30:00Z',
    ]);
    const summer = { date: '2027-07-01T15:00:00.000Z', end_date: '2027-07-01T15:30:00.000Z', version: 3 };
    const since = { previous: { date: over.date } };
    await publishOf(eventOf(recipient, 'session.rescheduled', aSession(recipient, summer), since));
    const [, later] = await mailsTo(recipient, 2);
    expect(later!.email.text!.replaceAll('\u202f', ' ')).toContain('5:00 PM – 5:30 PM (Central European Summer Time)');
  });

  it('cancels the entry of the calendar with the lesson', async () => {
    const { recipient } = people.family();
    const session = aSession(recipient, { status: 'cancelled', version: 2, cancellation: aCancellation() });
    await publishOf(eventOf(recipient, 'session.cancelled', session));
    const mail = await mailTo(recipient);
    const [calendar, event] = [calendarOf(mail), calendarOf(mail).getFirstSubcomponent('vevent')!];
    expect(calendar.getFirstPropertyValue('method')).toBe('CANCEL');
    expect([event.getFirstPropertyValue('status'), event.getFirstPropertyValue('sequence')]).toEqual(['CANCELLED', 1]);
  });

  it('is one about all lessons of a cancelled booking, and none where participants are not to be notified', async () => {
    const { principal, recipient } = people.family();
    const booking_id = newId('bkg');
    const cause = { requestId: 'my-own-id', idempotencyKey: null, actor: newId('key'), accountId: recipient.id };
    const cancelled = (day: number, notified = true) => {
      const times = { date: inDays(20 + day), end_date: inDays(20 + day, 11) };
      const cancellation = aCancellation(notified);
      return aSession(recipient, { ...times, booking_id, status: 'cancelled', version: 2, cancellation });
    };
    const events = Array.from({ length: 6 }, (_, day) =>
      eventOf(recipient, 'session.cancelled', cancelled(day), { cause }),
    );
    await publishOf(...events, eventOf(recipient, 'session.cancelled', cancelled(9, false), { cause }));
    await publishTwin(harness, events[0]!);
    await gathered(recipient.id, 6);
    const mail = await mailTo(recipient);
    expect(mail.email.subject).toBe('Cancelled: 6 swimming lessons');
    const [message] = await messagesOf(harness, principal);
    expect(message!.event_ids).toHaveLength(6);
    await messageWith(principal, 'sent');
    // Delivered again after it was sent: an event has one message.
    for (const event of events) await publishTwin(harness, event);
    await publishOf(eventOf(recipient, 'session.created', aSession(recipient)));
    await mailsTo(recipient, 2);
    expect(await messagesOf(harness, principal)).toHaveLength(2);
  });

  it('reminds members who have a lesson together once', async () => {
    const members = [
      { id: newId('mem'), name: 'Mia' },
      { id: newId('mem'), name: 'Tom' },
    ];
    const { recipient } = people.family({ members });
    const booking_id = newId('bkg');
    const date = new Date(Date.now() + 24 * HOUR_MS).toISOString();
    const end_date = new Date(Date.now() + 25 * HOUR_MS).toISOString();
    const reminders = members.map(({ id: member_id }) =>
      eventOf(recipient, 'session.reminder', aSession(recipient, { booking_id, member_id, date, end_date })),
    );
    await publishOf(...reminders);
    await gathered(recipient.id, 2);
    const { email } = await mailTo(recipient);
    expect(email.subject).toMatch(/^Reminder: swimming lesson on /);
    expect(email.text).toContain('Mia and Tom with Ines');
    expect(email.attachments).toEqual([]);
  });

  it('is not sent as a reminder once the lesson has begun', async () => {
    const { principal, recipient } = people.family();
    const past = { date: new Date(Date.now() - 60_000).toISOString(), end_date: inDays(1) };
    await publishOf(eventOf(recipient, 'session.reminder', aSession(recipient, past)));
    expect(await messageWith(principal, 'skipped')).toMatchObject({ reason: 'out_of_date', recipient: null });
  });

  it.each([
    ['a line break and a header', '<img src=x onerror=alert(1)>"; \r\nBcc: evil@example.test'],
    ['control characters', 'A\0B\x1b[31m\x7f\nBcc: evil@example.test\u2028END:VEVENT<img'],
    ['10,000 characters of four bytes', '🏊'.repeat(10_000)],
    ['text that is written from right to left', 'مرحبا \u202e<img\u2066 שלום'],
  ])('takes no header and no markup from a name of %s', async (_, evil) => {
    const members = [{ id: newId('mem'), name: evil }];
    const { recipient } = people.family({ members, name: evil });
    recipient.instructors[0]!.name = evil;
    recipient.instructors[0]!.school.name = evil;
    await publishOf(eventOf(recipient, 'session.created', aSession(recipient)));
    const mail = await mailTo(recipient);
    expect(mail.to).toEqual([recipient.email]);
    expect(mail.email.bcc ?? []).toEqual([]);
    expect(server.to('evil@example.test')).toEqual([]);
    expect(mail.email.html).not.toContain('<img');
    expect(calendarOf(mail).getAllSubcomponents('vevent')).toHaveLength(1);
  });
});
