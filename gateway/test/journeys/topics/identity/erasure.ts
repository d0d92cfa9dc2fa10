import { beforeAll, expect, it } from '@jest/globals';
import type { AccountEvent, Booking, Instructor, Member, Payment, Progress, Refund, Session } from '@swim/contracts';
import { newId } from '@swim/platform';
import { until } from '@swim/testing';
import { type Answer, apiError, type Customer, expectStatus } from '../../fixtures/customer.js';
import {
  aCard,
  aMember,
  anInstructor,
  aSession,
  bookingBody,
  nextTime,
  paymentBody,
  sessionBody,
} from '../../fixtures/fixtures.js';
import { expectNoneStored } from '../../fixtures/personal-data.js';
import { journey, stack } from '../../fixtures/shared-stack.js';

journey('erasing a member', () => {
  const CANARIES = [
    'Canaria',
    '2013-07-19',
    'canarynote',
    'canarybook',
    'canarycontact',
    '4155550199',
    'canaryteacher',
  ];

  let family: Customer;
  let school: Customer;
  let instructor: Instructor;
  let sibling: Member;
  beforeAll(async () => {
    [family, school] = [stack.family, stack.school];
    instructor = await anInstructor(school);
    sibling = await aMember(family);
  });

  const key = () => ({ 'idempotency-key': newId('req') });
  const totalOf = async (path: string) => expectStatus(200, await family.get(path)).pagination.total;
  const bookingOf = (...members: Member[]) => bookingBody(instructor, members, [nextTime()], { notes: 'canarybook' });

  /** A member with data in every field. */
  async function aKnownMember(): Promise<Member> {
    const emergency_contact = { name: 'canarycontact', phone: '+14155550199', relationship: 'mother' };
    const body = { name: 'Canaria Finch', date_of_birth: '2013-07-19', medical_notes: 'canarynote', emergency_contact };
    const made = await family.make<Member>(`/accounts/${family.id}/members`, body, key());
    const changes = { medical_notes: 'canarynote, and more', name: 'Canaria Linnet' };
    return expectStatus(200, await family.patch<Member>(`/members/${made.id}`, changes, key())).data;
  }

  const assess = (member: Member): Promise<Answer<Progress>> =>
    school.post<Progress>(
      `/members/${member.id}/progress`,
      { skills: [{ code: 'l1_bobbing', status: 'mastered' }], note: 'canaryteacher' },
      key(),
    );

  it('no data of an erased member remains, and its group bookings go on without it', async () => {
    const member = await aKnownMember();
    const note = { notes: 'canarynote' };
    const session = await family.make<Session>('/sessions', sessionBody(instructor, member, nextTime(), note), key());
    const alone = await family.make<Booking>('/bookings', bookingOf(member), key());
    const group = await family.make<Booking>('/bookings', bookingOf(member, sibling), key());
    await until(async () => (await assess(member)).status === 201, 'the school may assess the member');
    expect(await school.delete(`/members/${member.id}`)).toMatchObject(apiError(403, 'foreign_account'));
    const before = await totalOf(`/accounts/${family.id}/members`);

    expectStatus(204, await family.delete(`/members/${member.id}`));

    for (const customer of [family, school]) {
      for (const path of [`/members/${member.id}`, `/members/${member.id}/progress`])
        expect(await customer.get(path)).toMatchObject(apiError(404, 'resource_not_found'));
    }
    expect(await family.patch(`/members/${member.id}`, { name: 'Back' })).toMatchObject(
      apiError(404, 'resource_not_found'),
    );
    expect(await assess(member)).toMatchObject(apiError(404, 'resource_not_found'));
    expect(await totalOf(`/accounts/${family.id}/members`)).toBe(before - 1);
    expect(await totalOf(`/accounts/${family.id}/members?search=canaria`)).toBe(0);
    expect(await family.post('/bookings', bookingOf(member))).toMatchObject(apiError(400, 'not_found', 'member_ids.0'));
    await until(
      async () => (await totalOf(`/sessions?member_id=${member.id}&status=cancelled`)) === 3,
      'its sessions are cancelled',
    );
    const cancelled = await family.read<Session>(`/sessions/${session.id}`);
    expect(cancelled.cancellation).toMatchObject({
      cancelled_by: family.id,
      participants_notified: true,
      fee_cents: 0,
    });
    // The time of the booking is free.
    expect((await family.post('/sessions', sessionBody(instructor, sibling, session.date))).status).toBe(201);

    const contents = await stack.snapshot();
    for (const [collection, documents] of Object.entries(contents)) {
      for (const canary of CANARIES)
        expect([collection, documents.filter((text) => text.includes(canary))]).toEqual([collection, []]);
    }
    expect(contents['people_test.members']!.some((text) => text.includes(member.id))).toBe(true);
    const ended = async () => {
      const now = await family.read<Booking>(`/bookings/${alone.id}`);
      return now.status === 'cancelled' ? now : null;
    };
    expect(await until(ended, 'the booking of the erased member alone is cancelled')).toMatchObject({ notes: null });
    const { sessions, notes } = await family.read<Booking>(`/bookings/${group.id}`);
    expect(notes).toBeNull();
    expect(new Map(sessions.map(({ member_id, status }) => [member_id, status]))).toEqual(
      new Map([
        [member.id, 'cancelled'],
        [sibling.id, 'scheduled'],
      ]),
    );
    const erasedEvents = await until(async () => {
      const events = await school.readAll<AccountEvent>(`/events?object_id=${member.id}`);
      return events[0]?.type === 'member.erased' ? events : null;
    }, 'the school gets its event');
    expect(erasedEvents[0]!.data).toEqual({
      object: { object: 'member', id: member.id, account_id: family.id, erased_at: expect.any(String) },
      previous_attributes: null,
    });
  });

  /** A booking with notes and metadata, its payment with metadata of both accounts, and a refund with a reason. */
  async function aWrittenBooking(members: Member[], text: string) {
    const texts = { notes: `canary ${text}`, metadata: { note: `canary ${text}` } };
    const metadata = { family: `canary ${text}`, school: `canary ${text}` };
    const body = bookingBody(instructor, members, [nextTime()], texts);
    const booking = await family.make<Booking>('/bookings', body, key());
    const paid = paymentBody(booking, await aCard(family), { metadata: { family: metadata.family } });
    const path = `/payments/${(await family.make<Payment>('/payments', paid, key())).id}`;
    const change = () => school.patch(path, { metadata: { school: metadata.school } }, key());
    await until(async () => (await change()).status === 200, 'no step of the payment is in progress');
    const keyed = key();
    const refund = () => school.post<Refund>(`${path}/refunds`, { amount_cents: 500, reason: texts.notes }, keyed);
    expectStatus(201, await refund());
    const read = async () => ({
      booking: await family.read<Booking>(`/bookings/${booking.id}`),
      lessons: await Promise.all(booking.sessions.map(({ id }) => school.read<Session>(`/sessions/${id}`))),
      payment: await school.read<Payment>(path),
      reasons: (await family.readAll<Refund>(`${path}/refunds`)).map(({ reason }) => reason),
    });
    const written = {
      booking: texts,
      lessons: booking.sessions.map(() => ({ notes: texts.notes })),
      payment: { metadata },
      reasons: [texts.notes],
    };
    return { id: booking.id, texts, refund, read, written };
  }

  it('texts of its lessons, bookings, payments and refunds are removed, and those of other bookings stay', async () => {
    const member = await aMember(family);
    const own = await aWrittenBooking([member, sibling], 'own');
    const kept = await aWrittenBooking([sibling], 'kept');
    const alone = sessionBody(instructor, member, nextTime(), own.texts);
    const lesson = await family.make<Session>('/sessions', alone, key());
    const cancelled = await aSession(family, instructor, member);
    expectStatus(200, await school.post(`/sessions/${cancelled.id}/cancel`, { reason: own.texts.notes }, key()));
    for (const { read, written } of [own, kept]) expect(await read()).toMatchObject(written);

    expectStatus(204, await family.delete(`/members/${member.id}`));

    const texts = async () => JSON.stringify([await own.read(), await family.read(`/sessions/${lesson.id}`)]);
    await until(async () => !(await texts()).includes('canary'), 'its texts are removed');
    await expectNoneStored(stack, 'canary', 'own');
    const without = { notes: null, metadata: {} };
    const after = await own.read();
    expect(after).toMatchObject({ booking: without, lessons: [without, without], payment: { metadata: {} } });
    // The other refund is that of the cancelled lesson.
    expect(after.reasons.filter((reason) => reason === null)).toHaveLength(1);
    expect(await own.refund()).toMatchObject(apiError(404, 'resource_not_found'));
    expect(await school.read<Session>(`/sessions/${cancelled.id}`)).toMatchObject({ cancellation: { reason: null } });
    expect(await kept.read()).toMatchObject(kept.written);
  });

  it('bookings that race an erasure leave no scheduled session', async () => {
    const members = await Promise.all(Array.from({ length: 5 }, () => aMember(family)));
    for (const member of members) {
      const racing = [bookingOf(member), bookingOf(member), bookingOf(member)].map((body) =>
        family.post('/bookings', body, key()),
      );
      const [erased, ...answers] = await Promise.all([family.delete(`/members/${member.id}`), ...racing]);
      expect(erased.status).toBe(204);
      // A retry may find that the stored answer is erased with the member.
      for (const { status, attempts } of answers) expect(attempts > 1 ? [201, 400, 404] : [201, 400]).toContain(status);
    }
    await stack.snapshot();
    for (const { id } of members) expect(await totalOf(`/sessions?member_id=${id}&status=scheduled`)).toBe(0);
  });
});
