import { beforeAll, describe, expect, it } from '@jest/globals';
import type { AccountEvent, Instructor, Member, WebhookEndpoint } from '@swim/contracts';
import { anInstructor, anOwner, aPupil, lessonDay, type Owner, open, request, web } from '../../browser-fixtures.js';
import { examine, examineDialog, widthOf } from '../../examination.js';

const PAGES_OF_VISITORS = [
  'sign-in',
  'sign-up',
  'reset-password',
  'sign-in-link',
  'confirm#token=x',
  'accept-invitation#token=x',
];

const PAGES_OF_A_SCHOOL = [
  'calendar',
  'lessons/new',
  'today',
  'classes',
  'classes/new',
  'families',
  'families/new',
  'families/imports',
  'closures',
  'closures/new',
  'substitutions/new',
  'bookings',
  'bookings/new',
  'members',
  'instructors',
  'pools',
  'waitlist',
  'statement',
  'policies',
  'developers/keys',
  'developers/webhooks',
  'developers/events',
  'developers/clock',
  'settings',
  'settings/account',
  'settings/security',
  'settings/people',
  'settings/activity',
  'nothing',
];

const PAGES_OF_A_FAMILY = [
  'home',
  'classes',
  'schools',
  'open-lessons',
  'bookings',
  'bookings/new',
  'members',
  'instructors',
  'waitlist',
  'payment-methods',
  'settings',
];

describe('the pages of a visitor', () => {
  it.each(PAGES_OF_VISITORS)('are accessible in both themes and fit a phone: %s', async (path) => {
    const page = await web.page();
    await open(page, path);
    await examine(page, `visitor-${path.replace(/#.*/, '')}`);
  });
});

describe('the pages of a school', () => {
  let owner: Owner;
  let instructor: Instructor;
  let member: Member;
  let endpoint: WebhookEndpoint;
  let bookingId: string;

  beforeAll(async () => {
    owner = await anOwner();
    const { office } = owner;
    instructor = await anInstructor(office, { bio: 'Teaches children since 2012, in German and English.' });
    member = await aPupil(office, 'Mia Wave');
    const booking = await office.make<{ id: string }>('/bookings', {
      instructor_id: instructor.id,
      member_ids: [member.id],
      sessions: ['09:00', '13:00'].map((time) => ({ date: `${lessonDay()}T${time}:00Z`, duration_minutes: 60 })),
    });
    bookingId = booking.id;
    endpoint = await office.make<WebhookEndpoint>('/webhook-endpoints', {
      url: 'https://example.com/hook',
      events: ['*'],
    });
    await request(owner.page, 'POST', '/invitations', { email: 'vera@example.test', role: 'viewer' });
  });

  it.each(PAGES_OF_A_SCHOOL)('are accessible in both themes and fit a phone: %s', async (path) => {
    await open(owner.page, `sandbox/${path}`);
    await examine(owner.page, `school-${path}`);
  });

  it.each([
    ['an instructor', () => `instructors/${instructor.id}`],
    ['a member', () => `members/${member.id}`],
    ['a booking', () => `bookings/${bookingId}`],
    ['a webhook endpoint', () => `developers/webhooks/${endpoint.id}`],
    ['a day with lessons', () => `calendar?span=day&date=${lessonDay()}`],
  ])('are accessible in both themes and fit a phone: %s', async (name, path) => {
    await open(owner.page, `sandbox/${path()}`);
    await examine(owner.page, `school-${name.replaceAll(' ', '-')}`);
  });

  it('show one event', async () => {
    const [event] = await owner.office.read<AccountEvent[]>('/events?limit=1');
    await open(owner.page, `sandbox/developers/events/${event!.id}`);
    await examine(owner.page, 'school-an-event');
  });

  it('say what a live environment without data will show', async () => {
    for (const path of ['calendar', 'bookings', 'instructors', 'developers/keys']) {
      await open(owner.page, `live/${path}`);
      expect(await owner.page.locator('.legend').count()).toBe(0);
      await examine(owner.page, `live-${path}`);
    }
  });

  it.each([
    ['developers/keys', 'Generate new key'],
    ['developers/webhooks', 'Add endpoint'],
    ['instructors', 'Add instructor'],
    ['members', 'Add member'],
    ['pools', 'Add pool'],
  ])('have dialogs that are accessible in both themes and fit a phone: %s', async (path, opener) => {
    await examineDialog(owner.page, path, opener, path);
  });
});

describe('the pages of a family', () => {
  let family: Owner;
  beforeAll(async () => {
    family = await anOwner({ kind: 'family', account_name: 'Family Wave', name: 'Paul Wave' });
    await aPupil(family.office, 'Mia');
  });

  it.each(PAGES_OF_A_FAMILY)('are accessible in both themes and fit a phone: %s', async (path) => {
    await open(family.page, `sandbox/${path}`);
    await examine(family.page, `family-${path}`);
  });
});

describe('a user with another language', () => {
  it.each([
    ['de', 'Kalender', 'Buchungen'],
    ['es', 'Calendario', 'Reservas'],
    ['fr', 'Calendrier', 'Réservations'],
  ])('reads every page in it, and all of it fits a phone: %s', async (locale, calendar, bookings) => {
    const { page } = await anOwner({ locale });
    await open(page, 'sandbox/calendar');
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(calendar);
    expect(await page.getByRole('link', { name: bookings }).count()).toBe(1);
    for (const path of PAGES_OF_A_SCHOOL) {
      await open(page, `sandbox/${path}`);
      expect(await page.locator('html').getAttribute('lang')).toBe(locale);
      await page.setViewportSize({ width: 390, height: 844 });
      expect([path, (await widthOf(page)) <= 390]).toEqual([path, true]);
      await page.setViewportSize({ width: 1280, height: 860 });
      expect(await web.faultsOf(page)).toEqual([]);
    }
  });
});
