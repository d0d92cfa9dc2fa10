import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { AccountEvent, Booking, Session, WaitlistEntry, WebhookEndpoint } from '@swim/contracts';
import { ofSeveralTries, until } from '@swim/testing';
import { type Customer, expectStatus } from '../../fixtures/customer.js';
import { aBooking, aMember, anInstructor, aSession } from '../../fixtures/fixtures.js';
import { advance } from '../../fixtures/sandbox-clock.js';
import { journey, stack } from '../../fixtures/shared-stack.js';

const SECOND_MS = 1_000;
const HOUR_MS = 3_600_000;
const after = (date: string, ms: number): string => new Date(Date.parse(date) + ms).toISOString();

/**
 * How long after the answer to an advance its consequences may be seen: a second. On a machine that is busy with other work every
 * process waits for its turn; ten plain reads, each as slow as the slowest of three, measure that and are added.
 */
async function allowedMs(customer: Customer): Promise<number> {
  let slowestMs = 0;
  for (let read = 0; read < 3; read++) {
    const began = performance.now();
    await customer.read('/me');
    slowestMs = Math.max(slowestMs, performance.now() - began);
  }
  return SECOND_MS + 10 * slowestMs;
}

journey('an advance of the clock', () => {
  let server: http.Server;
  let isUp: boolean;
  /** The paths to which webhooks were delivered: each try has its own. */
  const delivered = new Set<string>();
  beforeAll(async () => {
    server = http.createServer((request, response) => {
      request.resume();
      if (isUp) delivered.add(request.url!);
      response.writeHead(isUp ? 200 : 503).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    server?.closeAllConnections();
    await new Promise((resolve) => server?.close(resolve));
  });

  /** What becomes due of a new family: a lesson, an offer, and the retry of a webhook to `/<id of the family>`. */
  async function aFamilyWithDues() {
    const [family, school] = [await stack.open('family'), await stack.open('school')];
    const [mia, instructor] = [await aMember(family), await anInstructor(school)];
    const booking = await aBooking(family, instructor, mia);
    const [lesson] = booking.sessions as [Booking['sessions'][number]];
    const taken = await aSession(family, await anInstructor(school), await aMember(family));
    const entry = await family.make<WaitlistEntry>('/waitlist', {
      instructor_id: taken.instructor_id,
      member_id: mia.id,
      date_from: taken.date,
      date_to: taken.end_date,
      duration_minutes: 60,
    });
    const entryNow = () => family.read<WaitlistEntry>(`/waitlist/${entry.id}`);
    expectStatus(200, await family.post(`/sessions/${taken.id}/cancel`, {}));
    await until(async () => (await entryNow()).status === 'offered', 'the freed time is offered');
    isUp = false;
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/${family.id}`;
    const endpoint = await family.make<WebhookEndpoint>('/webhook-endpoints', { url, events: ['member.updated'] });
    await family.patch(`/members/${mia.id}`, { swimming_level: 'advanced_beginner' });
    const tried = async () =>
      (await family.read<{ attempts: object[] }[]>(`/webhook-endpoints/${endpoint.id}/deliveries`))[0]?.attempts[0];
    await until(tried, 'the first try has failed');
    isUp = true;
    return { family, lesson, entryNow };
  }

  it('is followed within a second by the reminder and the end of a lesson, the end of an offer, and the retry of a webhook', () =>
    ofSeveralTries(async () => {
      const { family, lesson, entryNow } = await aFamilyWithDues();
      await advance(family, after(lesson.end_date, HOUR_MS));
      const ended = performance.now();
      const typesOf = async (id: string) =>
        (await family.read<AccountEvent[]>(`/events?object_id=${id}`)).map(({ type }) => type);
      const seen = async () => {
        const began = performance.now();
        const [session, entry] = [await family.read<Session>(`/sessions/${lesson.id}`), await entryNow()];
        const types = [...(await typesOf(lesson.id)), ...(await typesOf(entry.id))];
        const isSeen =
          session.status === 'completed' &&
          entry.status === 'expired' &&
          ['session.reminder', 'session.completed', 'waitlist.expired'].every((type) =>
            types.includes(type as never),
          ) &&
          delivered.has(`/${family.id}`);
        // What a read finds was there when it began, or came while it was under way.
        return isSeen ? { ms: began - ended } : null;
      };
      const { ms } = await until(seen, 'all consequences are seen');
      expect(ms).toBeLessThanOrEqual(await allowedMs(family));
    }));
});
