import { beforeEach, expect, it } from '@jest/globals';
import {
  type AccessEntry,
  type AccountEvent,
  type AccountExport,
  type Booking,
  type Instructor,
  type Member,
  type Payment,
  SCOPES,
  SERVICES,
  type Session,
} from '@swim/contracts';
import { until } from '@swim/testing';
import { apiError, type Customer, expectStatus } from '../customer.js';
import { aCard, aMember, anInstructor, bookingBody, nextTime, paymentBody, sessionBody } from '../fixtures.js';
import { journey, stack } from '../shared-stack.js';

journey('erasing an account', () => {
  let family: Customer;
  let school: Customer;
  let instructor: Instructor;
  /** The first word of all texts of one test, which no other test has. */
  let canary: string;
  let tests = 0;
  beforeEach(async () => {
    canary = `canary${++tests}`;
    [family, school] = [await stack.open('family'), await stack.open('school')];
    instructor = await anInstructor(school, {
      name: `${canary} Coach`,
      bio: `${canary} bio`,
      email: `${canary}@coach.test`,
    });
  });

  /** Data of a family and a school: a session, a paid booking, and texts in every field that holds some. */
  async function acquaintance() {
    const emergency_contact = { name: `${canary} contact`, phone: '+14155550199', relationship: 'mother' };
    const changes = { name: `${canary} Kid`, medical_notes: `${canary} notes`, emergency_contact };
    const member = await aMember(family, changes);
    expectStatus(
      200,
      await family.patch(`/accounts/${family.id}`, { name: `${canary} Family`, email: `${canary}@family.test` }),
    );
    expectStatus(
      200,
      await school.patch(`/accounts/${school.id}`, { name: `${canary} School`, email: `${canary}@school.test` }),
    );
    const notes = { notes: `${canary} words` };
    const session = await family.make<Session>('/sessions', sessionBody(instructor, member, nextTime(), notes));
    const booking = await family.make<Booking>('/bookings', bookingBody(instructor, [member], [nextTime()], notes));
    const card = await aCard(family);
    const payment = await family.make<Payment>('/payments', paymentBody(booking, card));
    const hold = bookingBody(instructor, [member], [nextTime()]);
    await family.make('/holds', { ...hold, expires_in_minutes: 30 });
    const wait = { instructor_id: instructor.id, member_id: member.id, date_from: session.date, duration_minutes: 60 };
    await family.make('/waitlist', { ...wait, date_to: booking.sessions[0]!.end_date });
    const pool = {
      name: `${canary} Baths`,
      address: `${canary} Street`,
      latitude: 1,
      longitude: 2,
      timezone: 'UTC',
      lanes: 2,
    };
    await school.make('/pools', pool);
    await until(async () => (await assess(member)).status === 201, 'the school may assess the member');
    return { member, session, booking, payment };
  }

  const assess = ({ id }: Member) =>
    school.post(`/members/${id}/progress`, {
      skills: [{ code: 'l1_bobbing', status: 'mastered' }],
      note: `${canary} note`,
    });

  const isDone = ({ id }: Customer) =>
    until(
      async () => (await stack.stored('people', 'erasures', { _id: id, step: null })).length === 1,
      'the erasure is done',
    );

  /** Stored documents that contain one of these texts of this test. */
  async function remainsOf(texts: string): Promise<string[]> {
    const found = new RegExp(`${canary} ${texts.replace('CANARY', canary)}`);
    const contents = await stack.snapshot();
    return Object.entries(contents).flatMap(([name, documents]) =>
      documents.filter((document) => found.test(document)).map((document) => `${name} ${document}`),
    );
  }

  /** Reads all lists of an account; throws when one of them fails. */
  async function listsOf(account: Customer): Promise<void> {
    const own = ['members', 'bookings', 'payment-methods', 'payments'].map((name) => `/accounts/${account.id}/${name}`);
    for (const path of [...own, '/sessions', '/bookings', '/waitlist', '/events', '/pools', '/instructors'])
      expectStatus(200, await account.get(path));
  }

  it('no data of an erased family remains; its school keeps sessions and payments without its name', async () => {
    const { member, session, booking, payment } = await acquaintance();
    expect(await family.delete(`/accounts/${school.id}`)).toMatchObject(apiError(403, 'foreign_account'));

    expectStatus(204, await family.delete(`/accounts/${family.id}`));

    await until(async () => (await family.get('/sessions')).status === 401, 'its key has ended');
    await isDone(family);
    for (const { id } of [session, ...booking.sessions])
      expect(await school.read<Session>(`/sessions/${id}`)).toMatchObject({
        status: 'cancelled',
        notes: null,
        cancellation: { cancelled_by: family.id, reason: null },
      });
    const cancelled = async () => {
      const now = await school.read<Booking>(`/bookings/${booking.id}`);
      return now.status === 'cancelled' ? now : null;
    };
    expect(await until(cancelled, 'the booking is cancelled')).toMatchObject({ notes: null, amount_paid_cents: 0 });
    const refunded = async () => {
      const now = await school.read<Payment>(`/payments/${payment.id}`);
      return now.status === 'refunded' ? now : null;
    };
    expect(await until(refunded, 'the payment is refunded')).toMatchObject({
      amount_cents: payment.amount_cents,
      refunded_cents: payment.amount_cents,
      created_at: payment.created_at,
    });
    expect(await school.get(`/members/${member.id}`)).toMatchObject(apiError(404, 'resource_not_found'));
    await listsOf(school);
    const events = await school.readAll<AccountEvent>('/events');
    expect(events.filter(({ type }) => type === 'session.cancelled')).toHaveLength(2);
    // Data of the school itself stay.
    expect(await remainsOf('(Kid|contact|notes|words|Family)|CANARY@family')).toEqual([]);
    expect(await stack.stored('notification', 'events', { account: family.id })).toEqual([]);
  });

  it('no data of an erased school remains; its families keep their sessions and payments', async () => {
    const { session, booking, payment } = await acquaintance();

    expectStatus(204, await school.delete(`/accounts/${school.id}`));

    await isDone(school);
    for (const { id } of [session, ...booking.sessions])
      expect(await family.read<Session>(`/sessions/${id}`)).toMatchObject({
        status: 'cancelled',
        cancellation: { cancelled_by: school.id, fee_cents: 0 },
      });
    expect(await family.read<Payment>(`/payments/${payment.id}`)).toMatchObject({ amount_cents: payment.amount_cents });
    expect(await family.get(`/instructors/${instructor.id}`)).toMatchObject(apiError(404, 'resource_not_found'));
    const repeated = bookingBody(instructor, await family.readAll<Member>(`/accounts/${family.id}/members`), [
      nextTime(),
    ]);
    expect(await family.post('/bookings', repeated)).toMatchObject(apiError(400, 'not_found', 'instructor_id'));
    await listsOf(family);
    expect(await remainsOf('(Coach|bio|School|Baths|Street|note\\b)|CANARY@(coach|school)')).toEqual([]);
    expect(await family.read<Member[]>(`/accounts/${family.id}/members`)).toMatchObject([{ name: `${canary} Kid` }]);
  });

  it('a key without accounts:erase erases nothing and creates no key with that scope', async () => {
    const scopes = ['members:write', 'sessions:write', 'instructors:write'] as const;
    const narrow = await stack.mint(family.id, { scopes });
    expect(await narrow.delete(`/accounts/${family.id}`)).toMatchObject(apiError(403, 'missing_scope'));
    expect(await narrow.post(`/accounts/${family.id}/restore`, {})).toMatchObject(apiError(403, 'missing_scope'));
    const made = await family.make<{ scopes: string[] }>(`/accounts/${family.id}/keys`, { name: 'Another' });
    expect(made.scopes).not.toContain('accounts:erase');
  });

  it('a live account that is deleted only reads for seven days, and can be restored', async () => {
    const live = await stack.open('family', 'live');
    const aKey = { 'idempotency-key': 'closing' };
    const { erases_at } = expectStatus(
      202,
      await live.send<{ erases_at: string }>('DELETE', `/accounts/${live.id}`, { headers: aKey }),
    ).data;
    const body = { name: 'Kid', date_of_birth: '2017-05-04' };
    expect(await live.post(`/accounts/${live.id}/members`, body)).toMatchObject({
      ...apiError(409, 'account_closing'),
      error: { details: { erases_at } },
    });
    expectStatus(200, await live.get(`/accounts/${live.id}/members`));
    expectStatus(200, await live.post(`/accounts/${live.id}/restore`, {}));
    expectStatus(201, await live.post(`/accounts/${live.id}/members`, body));
  });

  it('an export holds everything of an account by resource, for keys that may read all of it', async () => {
    const { member, session, booking, payment } = await acquaintance();
    const [others, more] = [await aMember(family), await aMember(await stack.open('family'))];
    const accesses = () => family.readAll<AccessEntry>(`/accounts/${family.id}/access-log`);
    const isLogged = async () => (await accesses()).some(({ action }) => action === 'assess');
    await until(isLogged, 'what the school assessed is in the access log');
    const all = await family.read<AccountExport>(`/accounts/${family.id}/export`);
    expect(all.account).toMatchObject({ id: family.id, name: `${canary} Family` });
    expect(all.members).toEqual(await family.readAll<Member>(`/accounts/${family.id}/members`));
    expect(all.members!.map(({ id }) => id)).toEqual([others.id, member.id]);
    expect(all.members!.map(({ medical_notes }) => medical_notes)).toContain(`${canary} notes`);
    expect(all.progress!.map(({ member_id }) => member_id).sort()).toEqual([member.id, others.id].sort());
    expect(all.sessions!.map(({ id }) => id)).toContain(session.id);
    expect(all.bookings).toEqual([await family.read<Booking>(`/bookings/${booking.id}`)]);
    expect(all.payments).toEqual([await family.read<Payment>(`/payments/${payment.id}`)]);
    expect(all.payment_methods).toHaveLength(1);
    expect(all.holds).toHaveLength(1);
    expect(all.waitlist).toHaveLength(1);
    expect(all.keys).toHaveLength(1);
    expect(all.instructors).toEqual([]);
    expect(all.access_log).toContainEqual(expect.objectContaining({ action: 'assess', account_id: school.id }));
    expect(all.events!.length).toBeGreaterThan(4);
    expect(JSON.stringify(all)).not.toContain(more.id);
    const ofSchool = await school.read<AccountExport>(`/accounts/${school.id}/export`);
    expect(ofSchool.instructors!.map(({ id }) => id)).toEqual([instructor.id]);
    expect(ofSchool.pools).toHaveLength(1);
    expect(ofSchool.sessions!.map(({ id }) => id)).toContain(session.id);
    expect(ofSchool.members).toEqual([]);

    expect(await school.get(`/accounts/${family.id}/export`)).toMatchObject(apiError(403, 'foreign_account'));
    const scopes = SCOPES.filter((scope) => !scope.startsWith('payments') && scope !== 'members:medical');
    const narrow = await stack.mint(family.id, { scopes });
    expect(await narrow.get(`/accounts/${family.id}/export`)).toMatchObject(apiError(403, 'missing_scope'));
    const reading = await stack.mint(family.id, { scopes: SCOPES.filter((scope) => scope !== 'members:medical') });
    const withheld = await reading.read<AccountExport>(`/accounts/${family.id}/export`);
    expect(withheld.members!.map(({ medical_notes }) => medical_notes)).toEqual([null, null]);
  });

  it('an export of more than one page has every item once', async () => {
    const all: Member[] = [];
    while (all.length < 130) all.push(...(await Promise.all(Array.from({ length: 10 }, () => aMember(family)))));
    const { members, progress } = await family.read<AccountExport>(`/accounts/${family.id}/export`);
    expect(members!.map(({ id }) => id).sort()).toEqual(all.map(({ id }) => id).sort());
    expect(progress).toHaveLength(130);
  });

  it('an erasure ends though each service, with two replicas, is killed and started anew', async () => {
    const { member } = await acquaintance();
    await Promise.all(SERVICES.map((name) => stack.add(name)));
    expectStatus(204, await family.delete(`/accounts/${family.id}`));
    for (const name of SERVICES) {
      await stack.kill(name);
      await stack.add(name);
    }
    await isDone(family);
    expect(await school.get(`/members/${member.id}`)).toMatchObject(apiError(404, 'resource_not_found'));
    expect(await remainsOf('(Kid|contact|notes|words|Family)|CANARY@family')).toEqual([]);
  }, 600_000);
});
