import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, it } from '@jest/globals';
import type { ApiKeyWithText, Booking, Instructor, Member, PaymentMethod, WebhookEndpoint } from '@swim/contracts';
import { Secret, TOTP } from 'otpauth';
import {
  aLesson,
  anInstructor,
  anOwner,
  aPupil,
  button,
  lessonDay,
  lessonOf,
  type Owner,
  open,
  web,
} from '../../browser-fixtures.js';
import { examine, examineDialog, examineOpened } from '../../examination.js';

describe('axe finds nothing serious', () => {
  let receiver: Server;
  let school: Owner;
  let family: Owner;
  let instructor: Instructor;
  let child: Member;
  let booking: Booking;
  let endpoint: WebhookEndpoint;

  beforeAll(async () => {
    receiver = createServer((_, answer) => answer.end('thank you')).listen(0, '127.0.0.1');
    school = await anOwner();
    family = await anOwner({ kind: 'family', account_name: 'Family Wave', name: 'Paul Wave' });
    instructor = await anInstructor(school.office);
    child = await aPupil(family.office, 'Mia Wave');
    booking = await family.office.make<Booking>('/bookings', {
      instructor_id: instructor.id,
      member_ids: [child.id],
      sessions: ['09:00', '13:00'].map((time) => ({ date: `${lessonDay()}T${time}:00Z`, duration_minutes: 60 })),
    });
    const [card] = await family.office.read<PaymentMethod[]>(`/accounts/${family.office.id}/payment-methods`);
    const payment = { booking_id: booking.id, payment_method_id: card!.id, amount_cents: 4_800, currency: 'EUR' };
    await family.office.make('/payments', payment);
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
    endpoint = await school.office.make<WebhookEndpoint>('/webhook-endpoints', { url, events: ['*'] });
    const key = { name: 'Till', scopes: ['accounts:read'] };
    await school.office.make<ApiKeyWithText>(`/accounts/${school.office.id}/keys`, key);
  });
  afterAll(() => void receiver?.close());

  it('on the page of a link that signs in', async () => {
    const page = await web.page();
    await open(page, 'sign-in-link#token=x');
    await examine(page, 'visitor-sign-in-link');
  });

  it('on the page of a delivery', async () => {
    const { page } = school;
    await open(page, `sandbox/developers/webhooks/${endpoint.id}`);
    await button(page, 'Send ping').click();
    await page.getByRole('link', { name: 'ping' }).click();
    await page.getByText('thank you').waitFor();
    await examine(page, 'school-a-delivery');
  });

  it.each([
    ['a booking', () => `bookings/${booking.id}`],
    ['a child', () => `members/${child.id}`],
    ['an instructor', () => `instructors/${instructor.id}`],
    ['its keys', () => 'developers/keys'],
    ['its security', () => 'settings/security'],
  ])('on a page of a family: %s', async (name, path) => {
    await open(family.page, `sandbox/${path()}`);
    await examine(family.page, `family-${name.replaceAll(' ', '-')}`);
  });

  it.each([
    ['pay', () => `bookings/${booking.id}`, 'Pay'],
    ['cancel', () => `bookings/${booking.id}`, 'Cancel the booking'],
    ['edit a child', () => `members/${child.id}`, 'Edit'],
    ['erase a child', () => `members/${child.id}`, 'Erase the member …'],
    ['join the waitlist', () => 'waitlist', 'Join the waitlist'],
    ['add a card', () => 'payment-methods', 'Add card'],
  ])('in a dialog of a family: %s', async (name, path, opener) => {
    await examineDialog(family.page, path(), opener, `family-${name.replaceAll(' ', '-')}`);
  });

  it.each([
    ['refund', () => `bookings/${booking.id}`, 'Refund'],
    ['roll a key', () => 'developers/keys', 'Roll “Till”'],
    ['revoke a key', () => 'developers/keys', 'Revoke “Till”'],
    ['replay', () => `developers/webhooks/${endpoint.id}`, /^Replay/],
    ['rotate a secret', () => `developers/webhooks/${endpoint.id}`, /^Rotate/],
    ['remove an endpoint', () => `developers/webhooks/${endpoint.id}`, 'Remove'],
    ['edit an instructor', () => `instructors/${instructor.id}`, /^Edit/],
  ])('in a dialog of a school: %s', async (name, path, opener) => {
    await examineDialog(school.page, path(), opener, `school-${name.replaceAll(' ', '-')}`);
  });

  it('on the page of an instructor with the fields of other hours on some dates', async () => {
    const { page } = school;
    await open(page, `sandbox/instructors/${instructor.id}`);
    await page.getByLabel('What applies').selectOption('hours');
    await page.locator('.exception-fields input[type=time]').first().waitFor();
    await examine(page, 'school-other-hours');
  });

  it('in the dialogs that set up an authenticator app: secret and recovery codes', async () => {
    const { page } = family;
    await examineDialog(page, 'settings/security', 'Set up an app', 'family-totp');
    const dialog = page.getByRole('dialog');
    const secret = (await dialog.locator('code').textContent())!;
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
    await dialog.getByRole('textbox', { name: 'Code' }).fill(code);
    await button(dialog, 'Turn on').click();
    await page.getByText('Your recovery codes').waitFor();
    await examine(page, 'dialog-family-recovery-codes');
    await button(page, 'I have stored it').click();
    await examineDialog(page, 'settings/security', 'Turn off', 'family-totp-off');
    await button(page, 'Cancel').click();
  });

  it('in the dialogs of a lesson, of its move and of its cancellation', async () => {
    const { page, office } = school;
    await aLesson(office, instructor, 'Ada', '17:00');
    await open(page, `sandbox/calendar?span=day&date=${lessonDay()}`);
    for (const [opener, picture] of [
      ['Move …', 'move'],
      ['Cancel …', 'cancel'],
    ] as const) {
      await lessonOf(page, 'Ada').click();
      await page.getByRole('dialog').waitFor();
      await examine(page, 'dialog-school-a-lesson');
      await examineOpened(page, opener, `school-${picture}-a-lesson`);
      await page.keyboard.press('Escape');
    }
  });
});
