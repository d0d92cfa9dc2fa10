import { beforeAll, expect, it } from '@jest/globals';
import type { CalendarToken, Instructor, Member } from '@swim/contracts';
import { until } from '@swim/testing';
import ICAL from 'ical.js';
import { apiError, type Customer, expectStatus } from '../../fixtures/customer.js';
import { aMember, anInstructor, aSession } from '../../fixtures/fixtures.js';
import { journey, stack } from '../../fixtures/shared-stack.js';

journey('calendar feeds', () => {
  let family: Customer;
  let instructor: Instructor;
  let member: Member;
  beforeAll(async () => {
    family = stack.family;
    instructor = await anInstructor(stack.school, { name: 'Ines' });
    member = await aMember(family, { name: 'Mia Canary' });
  });

  const mint = (customer: Customer, path: string) => customer.make<CalendarToken>(`${path}/calendar-token`, {});
  /** Reads a feed as a calendar program does: by its path at this stack, and nothing else. */
  const fetchFeed = ({ url }: CalendarToken, headers = {}) => {
    const { pathname, search } = new URL(url!);
    return fetch(`${stack.origin}${pathname}${search}`, { headers });
  };
  const statusesOf = (text: string) =>
    new ICAL.Component(ICAL.parse(text))
      .getAllSubcomponents('vevent')
      .map((event) => [event.getFirstPropertyValue('uid'), event.getFirstPropertyValue('status')]);

  it('show a family and a school a lesson, and that it was cancelled, without a name of the member', async () => {
    const session = await aSession(family, instructor, member);
    const own = await mint(family, `/members/${member.id}`);
    const ofSchool = await mint(stack.school, `/instructors/${instructor.id}`);
    const first = await fetchFeed(own);
    const text = await first.text();
    expect(text).toContain('SUMMARY:Swimming lesson with Ines');
    expect(statusesOf(text)).toEqual([[session.id, 'CONFIRMED']]);
    const known = { 'if-none-match': first.headers.get('etag')! };
    expect((await fetchFeed(own, known)).status).toBe(304);
    expectStatus(200, await family.post(`/sessions/${session.id}/cancel`, {}));
    expect(statusesOf(await (await fetchFeed(own, known)).text())).toEqual([[session.id, 'CANCELLED']]);
    const taught = await (await fetchFeed(ofSchool)).text();
    expect(statusesOf(taught)).toEqual([[session.lesson_id, 'CANCELLED']]);
    expect(text + taught).not.toContain('Mia');
  });

  it('need the rights of their owner to be opened, and end with their token', async () => {
    const path = `/members/${member.id}`;
    expect(await stack.school.post(`${path}/calendar-token`, {})).toMatchObject(apiError(404, 'resource_not_found'));
    const reader = await stack.mint(family.id, { scopes: ['members:read'] });
    expect(await reader.post(`${path}/calendar-token`, {})).toMatchObject(apiError(403, 'missing_scope'));
    const token = await mint(family, path);
    expect((await fetchFeed(token)).status).toBe(200);
    expectStatus(204, await family.delete(`${path}/calendar-token`));
    expect((await fetchFeed(token)).status).toBe(404);
    expect(await family.delete(`${path}/calendar-token`)).toMatchObject(apiError(404, 'resource_not_found'));
  });

  it('end with an erasure of the member', async () => {
    const erased = await aMember(family);
    const token = await mint(family, `/members/${erased.id}`);
    expectStatus(204, await family.delete(`/members/${erased.id}`));
    await until(async () => (await fetchFeed(token)).status === 404, 'the feed has ended');
  });
});
