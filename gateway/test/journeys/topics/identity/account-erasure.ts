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
  type Session,
} from '@swim/contracts';
import { until } from '@swim/testing';
import { apiError, type Customer, expectStatus } from '../../fixtures/customer.js';
import { aMember, bookingBody, nextTime } from '../../fixtures/fixtures.js';
import {
  type Acquaintance,
  expectNoneStored,
  openAcquaintance,
  storeData,
  untilErased,
} from '../../fixtures/personal-data.js';
import { journey, stack } from '../../fixtures/shared-stack.js';

journey('erasing an account', () => {
  let accounts: Acquaintance;
  let family: Customer;
  let school: Customer;
  let instructor: Instructor;
  let canary: string;
  let tests = 0;
  beforeEach(async () => {
    canary = `canary${++tests}`;
    accounts = await openAcquaintance(stack, canary);
    ({ family, school, instructor } = accounts);
  });

  /** Reads all lists of an account; throws when one of them fails. */
  async function listsOf(account: Customer): Promise<void> {
    const own = ['members', 'bookings', 'payment-methods', 'payments'].map((name) => `/accounts/${account.id}/${name}`);
    for (const path of [...own, '/sessions', '/bookings', '/waitlist', '/events', '/pools', '/instructors'])
      expectStatus(200, await account.get(path));
  }

  it('no data of an erased family remains; its school keeps sessions and payments without its name', async () => {
    const { member, session, booking, payment } = await storeData(accounts);
    expect(await family.delete(`/accounts/${school.id}`)).toMatchObject(apiError(403, 'foreign_account'));

    expectStatus(204, await family.delete(`/accounts/${family.id}`));

    expect(await school.get(`/members/${member.id}`)).toMatchObject(apiError(404, 'resource_not_found'));
    await until(async () => (await family.get('/sessions')).status === 401, 'its key has ended');
    await untilErased(stack, family);
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
    await listsOf(school);
    // The school keeps its own data. Afterwards all events are handled.
    await expectNoneStored(stack, canary, '(Kid|contact|notes|words|Family|metadata|request)|CANARY@family');
    const events = await school.readAll<AccountEvent>('/events');
    expect(events.filter(({ type }) => type === 'session.cancelled')).toHaveLength(2);
    expect(await stack.stored('notification', 'events', { account: family.id })).toEqual([]);
  });

  it('no data of an erased school remains; its families keep their sessions and payments', async () => {
    const { session, booking, payment } = await storeData(accounts);

    expectStatus(204, await school.delete(`/accounts/${school.id}`));

    await untilErased(stack, school);
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
    await expectNoneStored(stack, canary, '(Coach|bio|School|Baths|Street|note\\b)|CANARY@(coach|school)');
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
    const { member, session, booking, payment } = await storeData(accounts);
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
    const bookings = [booking.id, session.booking_id].map((id) => family.read<Booking>(`/bookings/${id}`));
    expect(all.bookings).toEqual(await Promise.all(bookings));
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
});
