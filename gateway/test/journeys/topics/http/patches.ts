import { beforeAll, describe, expect, it } from '@jest/globals';
import type { AccountEvent, Instructor, Session } from '@swim/contracts';
import { newId } from '@swim/platform';
import { inDays, until } from '@swim/testing';
import { apiError, type Customer, expectStatus } from '../../fixtures/customer.js';
import { aBooking, aCard, aMember, anInstructor, aSession, lessonBody, paymentBody } from '../../fixtures/fixtures.js';
import { journey, stack } from '../../fixtures/shared-stack.js';

const classBody = ({ id: instructor_id }: Instructor) => ({
  ...{ name: 'Frogs', instructor_id, duration_minutes: 30, capacity: 6, price_cents: 1_800 },
  recurrence: { start_local: `${inDays(43).slice(0, 10)}T12:00`, timezone: 'UTC', weekdays: ['mon'], count: 3 },
});

// A class is answered with what became of its lessons.
const withoutChanges = ({ changes: _, ...fields }: { changes?: unknown }) => fields;

journey('patches of what was read', () => {
  let [family, school]: Customer[] = [];
  let instructor: Instructor;
  const paths: Record<string, { who: Customer; path: string }> = {};

  beforeAll(async () => {
    [family, school] = [await stack.open('family'), await stack.open('school')];
    instructor = await anInstructor(school, { certifications: [{ type: 'lifeguard', issuer: 'Red Cross' }] });
    const contact = { name: 'Ada', phone: '+14155552671', relationship: 'mother' };
    const member = await aMember(family, { emergency_contact: contact, metadata: { crm_id: '47' } });
    const [card, booking, session] = [
      await aCard(family),
      await aBooking(family, instructor, member, inDays(40)),
      await aSession(family, instructor, member, inDays(41)),
    ];
    const payment = await family.make<{ id: string }>('/payments', paymentBody(booking, card));
    const [connection] = await family.read<{ id: string }[]>('/connections');
    const pool = { name: 'Baths', address: 'Quay 1', latitude: 52, longitude: 13, timezone: 'Europe/Berlin', lanes: 4 };
    const url = 'https://hooks.example.com/swim';
    const endpoint = { url, events: ['booking.created'], description: null, enabled: true };
    const made = async (who: Customer, path: string, body: object) => (await who.make<{ id: string }>(path, body)).id;
    Object.assign(paths, {
      account: { who: family, path: `/accounts/${family.id}` },
      "school's account": { who: school, path: `/accounts/${school.id}` },
      key: {
        who: family,
        path: `/accounts/${family.id}/keys/${await made(family, `/accounts/${family.id}/keys`, { name: 'Till' })}`,
      },
      member: { who: family, path: `/members/${member.id}` },
      instructor: { who: school, path: `/instructors/${instructor.id}` },
      pool: { who: school, path: `/pools/${await made(school, '/pools', pool)}` },
      lesson: {
        who: school,
        path: `/lessons/${await made(school, '/lessons', lessonBody(instructor, inDays(42)))}`,
      },
      class: { who: school, path: `/classes/${await made(school, '/classes', classBody(instructor))}` },
      connection: { who: family, path: `/connections/${connection!.id}` },
      session: { who: family, path: `/sessions/${session.id}` },
      booking: { who: family, path: `/bookings/${booking.id}` },
      payment: { who: family, path: `/payments/${payment.id}` },
      'payment method': { who: family, path: `/payment-methods/${card.id}` },
      'webhook endpoint': {
        who: family,
        path: `/webhook-endpoints/${await made(family, '/webhook-endpoints', endpoint)}`,
      },
    });
  });

  const KINDS = [
    'account',
    "school's account",
    'key',
    'member',
    'instructor',
    'pool',
    'lesson',
    'class',
    'connection',
    'session',
    'booking',
    'payment',
    'payment method',
    'webhook endpoint',
  ];
  const read = async (kind: string) =>
    expectStatus(200, await paths[kind]!.who.get(paths[kind]!.path)).data as Record<string, unknown>;
  const patch = (kind: string, body: object) => paths[kind]!.who.patch(paths[kind]!.path, body);

  it('knows every object that can be patched', async () => {
    const { ROUTES } = await import('../../../../src/routes.js');
    const patched = ROUTES.filter(({ method }) => method === 'PATCH').map(({ path }) =>
      path.replace(/^\/v1|\{[^}]*\}/g, ''),
    );
    const known = Object.values(paths).map(({ path }) => path.replace(/[a-z]+_[0-9a-z]{26}/g, ''));
    expect([...new Set(known)].sort()).toEqual([...new Set(patched)].sort());
  });

  describe.each(KINDS)('of the %s', (kind) => {
    it('with all fields as they are is 200 and changes nothing, with or without updated_at of another day', async () => {
      const before = await read(kind);
      for (const updated_at of [before.updated_at, '2020-01-01T00:00:00.000Z']) {
        const sent = 'updated_at' in before ? { ...before, updated_at } : before;
        expect(withoutChanges(expectStatus(200, await patch(kind, sent)).data as object)).toEqual(before);
      }
      expect(await read(kind)).toEqual(before);
    });

    it('with any one field as it is is 200 and changes nothing', async () => {
      const before = await read(kind);
      for (const [name, value] of Object.entries(before)) {
        const answer = await patch(kind, { [name]: value });
        expect([name, answer.status, withoutChanges(answer.data as object)]).toEqual([name, 200, before]);
      }
    });

    it('with another id is read_only', async () => {
      const { id } = await read(kind);
      const other = newId(String(id).split('_')[0] as 'ses');
      expect(await patch(kind, { id: other })).toMatchObject(apiError(400, 'read_only', 'id'));
    });
  });

  it('emits no event of fields that stay', async () => {
    // Events of one object are published in order: that of a real change comes after all others.
    for (const kind of ['member', 'instructor', 'session']) {
      const { who } = paths[kind]!;
      const { id } = await read(kind);
      const count = async () => (await who.get(`/events?object_id=${id}`)).pagination.total as number;
      const metadata = { changed: 'once' };
      const before = await read(kind);
      expectStatus(200, await patch(kind, { ...before, metadata: { ...(before.metadata as object), ...metadata } }));
      const newest = async () => (await who.get<AccountEvent[]>(`/events?object_id=${id}&limit=1`)).data[0];
      const types = {
        member: 'member.updated',
        instructor: 'instructor.updated',
        session: 'session.updated',
      } as Record<string, string>;
      await until(async () => (await newest())?.type === types[kind], `${kind} is updated`);
      expect(await count()).toBe(2);
    }
  });

  it('changes what differs and takes the rest as it is: the date of a lesson that is over', async () => {
    const [pupils, coaches] = [await stack.open('family'), await stack.open('school')];
    const coach = await anInstructor(coaches);
    const lesson = await aSession(pupils, coach, await aMember(pupils), inDays(2));
    expectStatus(200, await coaches.post('/sandbox/clock', { advance_to: inDays(3) }));
    const path = `/sessions/${lesson.id}`;
    const done = async () => ((await coaches.get(path)).data as Session).status === 'completed';
    await until(done, 'the lesson is completed');
    const before = (await coaches.get(path)).data as Session;
    expect(expectStatus(200, await coaches.patch(path, before)).data).toEqual(before);
    const answer = await coaches.patch(path, { ...before, date: inDays(9) });
    expect(answer).toMatchObject({ status: 409, error: { details: { reason: 'invalid_state' } } });
  });

  it('says which request changes a field that a patch cannot', async () => {
    const answer = await patch('session', { status: 'cancelled' });
    expect(answer).toMatchObject(apiError(400, 'read_only', 'status'));
    expect(answer.error!.message).toContain('POST /v1/sessions/{session_id}/cancel');
  });
});
