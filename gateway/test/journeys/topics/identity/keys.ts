import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Account, type ApiKey, type ApiKeyWithText, DEFAULT_SCOPES, SCOPES } from '@swim/contracts';
import { newId } from '@swim/platform';
import { ChaosProxy, ofSeveralTries, until } from '@swim/testing';
import { apiError, Customer, expectStatus, payloadOf } from '../../fixtures/customer.js';
import { anInstructor, nextTime } from '../../fixtures/fixtures.js';
import { journey, stack } from '../../fixtures/shared-stack.js';

journey('API keys', () => {
  let origins: string[];
  /** An account with a key that has every scope. */
  let owner: Customer;

  beforeAll(async () => {
    origins = [stack.origin, await stack.addGateway()];
    owner = await stack.open('family');
  });

  const path = () => `/accounts/${owner.id}/keys`;
  const mint = (body: object = {}, by = owner) => by.make<ApiKeyWithText>(path(), { name: 'Till', ...body });
  /** A client with this key, at each gateway. */
  const holders = ({ key }: ApiKeyWithText) => origins.map((origin) => new Customer(`${origin}/v1`, owner.id, key!));
  const statuses = (key: ApiKeyWithText) =>
    Promise.all(holders(key).map(async (each) => (await each.get(`/accounts/${owner.id}`)).status));

  /** Milliseconds until both gateways answer requests with this key with this status. */
  async function tookMs(key: ApiKeyWithText, status: number): Promise<number> {
    const startedAtMs = performance.now();
    await until(async () => (await statuses(key)).every((each) => each === status), `all answer ${status}`);
    return performance.now() - startedAtMs;
  }

  describe('the life cycle of a key', () => {
    const lives = async () => {
      const first = await mint({ scopes: [...SCOPES] });
      expect(first).toMatchObject({ scopes: [...SCOPES], status: 'active', key: expect.stringMatching(/^swl_test_/) });
      expect(await statuses(first)).toEqual([200, 200]);
      const used = async () => (await owner.read<ApiKey>(`${path()}/${first.id}`)).last_used_at;
      expect(await until(used, 'its use is noted')).toMatch(/Z$/);

      const [holder] = holders(first);
      const second = await holder!.make<ApiKeyWithText>(`${path()}/${first.id}/roll`, { overlap_hours: 1 });
      expect(await statuses(first)).toEqual([200, 200]);
      expect(await statuses(second)).toEqual([200, 200]);
      expect(await owner.read(`${path()}/${first.id}`)).toMatchObject({ replaced_by: second.id, status: 'active' });

      const revoked = expectStatus(200, await owner.post<ApiKey>(`${path()}/${first.id}/revoke`, {}));
      expect(revoked.data.status).toBe('revoked');
      expect(await tookMs(first, 401)).toBeLessThan(1_000);
      expect(await holders(first)[1]!.get(path())).toMatchObject(apiError(401, 'revoked_key'));
      expect(await statuses(second)).toEqual([200, 200]);

      const listed = await owner.readAll<ApiKey>(path());
      expect(listed.map(({ id, status }) => [id, status])).toEqual(
        expect.arrayContaining([
          [second.id, 'active'],
          [first.id, 'revoked'],
        ]),
      );
      expect(JSON.stringify(listed)).not.toContain('swl_test_');
    };
    it('create, use, roll with an overlap and revoke take effect at every gateway within a second', () =>
      ofSeveralTries(lives));

    it('a roll without an overlap ends the old key at every gateway within a second', () =>
      ofSeveralTries(async () => {
        const first = await mint();
        expect(await statuses(first)).toEqual([200, 200]);
        const second = await owner.make<ApiKeyWithText>(`${path()}/${first.id}/roll`, { overlap_hours: 0 });
        expect(await tookMs(first, 401)).toBeLessThan(1_000);
        expect(await holders(first)[0]!.get(path())).toMatchObject(apiError(401, 'expired_key'));
        expect(await statuses(second)).toEqual([200, 200]);
      }));

    const changes = async () => {
      const key = await mint({ scopes: ['members:read'] });
      const members = (each: Customer) => each.get(`/accounts/${owner.id}/members`);
      for (const each of holders(key)) expectStatus(200, await members(each));
      expectStatus(200, await owner.patch(`${path()}/${key.id}`, { scopes: ['bookings:read'] }));
      const startedAtMs = performance.now();
      const rejected = async () => {
        const answers = await Promise.all(holders(key).map(members));
        return answers.every(({ status }) => status === 403);
      };
      await until(rejected, 'both reject');
      expect(performance.now() - startedAtMs).toBeLessThan(1_000);
    };
    it('a change of its scopes takes effect at every gateway within a second', () => ofSeveralTries(changes));
  });

  describe('a key that is revoked while a gateway is cut off', () => {
    const isCutOff = async () => {
      const proxy = await ChaosProxy.before(stack.nats.url);
      try {
        const remote = await stack.addGateway({ NATS_URL: proxy.uri });
        const [kept, ended] = [await mint(), await mint()];
        const send = async ({ key }: ApiKeyWithText) =>
          (await new Customer(`${remote}/v1`, owner.id, key!).once.get(`/accounts/${owner.id}`)).status;
        expect([await send(kept), await send(ended)]).toEqual([200, 200]);
        proxy.disturb({ unreachable: true });
        expectStatus(200, await owner.post(`${path()}/${ended.id}/revoke`, {}));
        expect(await Promise.all([send(kept), send(ended)])).toEqual([503, 503]);
        proxy.disturb({});
        await until(async () => (await send(kept)) === 200, 'it is back');
        const startedAtMs = performance.now();
        await until(async () => (await send(ended)) === 401, 'it rejects the key', 10_000);
        expect(performance.now() - startedAtMs).toBeLessThan(1_000);
        expect(await send(kept)).toBe(200);
      } finally {
        await proxy.close();
      }
    };
    it('is rejected there within a second after it reconnects, and a valid key never gets 401', () =>
      ofSeveralTries(isCutOff));
  });

  describe('a key', () => {
    const hasAddresses = async () => {
      const here = await mint({ ip_allowlist: ['127.0.0.0/8', '::1'] });
      const elsewhere = await mint({ ip_allowlist: ['192.0.2.0/24', '2001:db8::/32'] });
      expect(await statuses(here)).toEqual([200, 200]);
      for (const each of holders(elsewhere))
        expect(await each.get(path())).toMatchObject(apiError(401, 'address_not_allowed'));
      expectStatus(200, await owner.patch(`${path()}/${here.id}`, { ip_allowlist: ['192.0.2.7'] }));
      expect(await tookMs(here, 401)).toBeLessThan(1_000);
      expectStatus(200, await owner.patch(`${path()}/${elsewhere.id}`, { ip_allowlist: [] }));
      expect(await tookMs(elsewhere, 200)).toBeLessThan(1_000);
    };
    it('is rejected from addresses outside its ip_allowlist', () => ofSeveralTries(hasAddresses));

    it('without the scopes for keys neither manages nor reads keys, and a new key has none of these scopes by default', async () => {
      const narrow = await mint();
      expect(narrow.scopes).toEqual([...DEFAULT_SCOPES]);
      const [holder] = holders(narrow);
      const { id } = narrow;
      expectStatus(200, await holder!.get(path()));
      const [poor] = holders(await mint({ scopes: ['members:write'] }));
      const pending = [
        poor!.get(path()),
        poor!.get(`${path()}/${id}`),
        holder!.post(path(), { name: 'More' }),
        holder!.patch(`${path()}/${id}`, { scopes: [...SCOPES] }),
        holder!.post(`${path()}/${id}/roll`, {}),
        holder!.post(`${path()}/${id}/revoke`, {}),
      ];
      for (const answer of await Promise.all(pending)) expect(answer).toMatchObject(apiError(403, 'missing_scope'));
    });

    it('with keys:write creates no key with more scopes than its own', async () => {
      const [manager] = holders(await mint({ scopes: ['keys:write', 'members:read'] }));
      const child = await manager!.make<ApiKeyWithText>(path(), { name: 'Child' });
      expect(child.scopes).toEqual(['keys:read', 'members:read']);
      expect(await manager!.post(path(), { name: 'More', scopes: ['members:medical'] })).toMatchObject({
        ...apiError(403, 'missing_scope'),
        error: { details: { scope: 'members:medical' } },
      });
    });

    it('with keys:write neither changes nor rolls a key with a scope that it lacks, but revokes it', async () => {
      const [manager] = holders(await mint({ scopes: ['keys:write', 'members:read'] }));
      const { id } = await mint({ scopes: ['members:read', 'payments:read'], ip_allowlist: ['10.0.0.0/8'] });
      for (const pending of [
        manager!.patch(`${path()}/${id}`, { ip_allowlist: [] }),
        manager!.patch(`${path()}/${id}`, { name: 'Mine' }),
        manager!.post(`${path()}/${id}/roll`, {}),
      ])
        expect(await pending).toMatchObject({ status: 403, error: { details: { scope: 'payments:read' } } });
      expectStatus(200, await manager!.post(`${path()}/${id}/revoke`, {}));
    });

    it('that rolls itself without overlap may repeat that request under its Idempotency-Key, and nothing else', async () => {
      const made = await mint({ scopes: ['keys:write'] });
      const [holder] = holders(made);
      const once = holder!.once;
      const roll = (key?: string) =>
        once.post<ApiKeyWithText>(
          `${path()}/${made.id}/roll`,
          { overlap_hours: 0 },
          key ? { 'idempotency-key': key } : {},
        );
      const key = newId('req');
      const first = expectStatus(201, await roll(key)).data;
      expect(expectStatus(201, await roll(key)).data).toEqual(first);
      await until(async () => (await once.get(path())).status === 401, 'the gateway knows that the key has ended');
      for (const pending of [
        roll(),
        roll(newId('req')),
        once.get(path()),
        once.post(`${path()}/${first.id}/roll`, {}, { 'idempotency-key': key }),
      ])
        expect(await pending).toMatchObject(apiError(401, 'expired_key'));
    });

    it('manages no keys of another account', async () => {
      const { id } = await mint();
      const stranger = await stack.open('family');
      expect(await stranger.get(`${path()}/${id}`)).toMatchObject(apiError(403, 'foreign_account'));
      const under = `/accounts/${stranger.id}/keys/${id}`;
      for (const pending of [
        stranger.get(under),
        stranger.post(`${under}/revoke`, {}),
        stranger.post(`${under}/roll`, {}),
      ])
        expect(await pending).toMatchObject(apiError(404, 'resource_not_found'));
    });

    it('is created once under one Idempotency-Key, with the same text in both answers', async () => {
      const key = { 'idempotency-key': newId('req') };
      const answers = [];
      for (let round = 0; round < 2; round++)
        answers.push(await owner.post<ApiKeyWithText>(path(), { name: 'A' }, key));
      expect(payloadOf(answers[1]!)).toBe(payloadOf(answers[0]!));
      expect(answers[1]!.headers.get('idempotent-replayed')).toBe('true');
      const stored = JSON.stringify(await Promise.all(COLLECTIONS.map((name) => stack.stored('people', name))));
      expect(stored).not.toContain(answers[0]!.data.key!.slice(36, 88));
    });

    it('is not in the answer of a dry run', async () => {
      const answer = expectStatus(200, await owner.post<ApiKeyWithText>(`${path()}?dry_run=true`, { name: 'Dry' }));
      expect(answer.data.key).toBeNull();
      expect(answer.meta.dry_run).toBe(true);
    });

    it.each([
      [{ name: 'x', scopes: ['all'] }, 'scopes.0', 'invalid_value'],
      [{ name: 'x', ip_allowlist: ['10.0.0.0/33'] }, 'ip_allowlist.0', 'invalid_format'],
      [{ name: 'x', expires_at: '2020-01-01T00:00:00Z' }, 'expires_at', 'in_past'],
      [{ scopes: ['members:read'] }, 'name', 'required'],
      [{ name: 'x', account_id: 'acct_1' }, 'account_id', 'unknown_field'],
    ])('is not created with %j', async (body, field, reason) => {
      expect(await owner.post(path(), body)).toMatchObject(apiError(400, reason, field));
    });
  });

  const COLLECTIONS = ['api_keys', 'idempotency'];

  describe('an account', () => {
    it('changes itself only, and has policies only as a school', async () => {
      const account = `/accounts/${owner.id}`;
      const changed = await owner.patch<Account>(account, { name: 'Ruiz', timezone: 'America/Lima' });
      expect(expectStatus(200, changed).data).toMatchObject({ name: 'Ruiz', timezone: 'America/Lima', policies: null });
      expect(await owner.patch(account, { policies: { late_fee_percent: 0 } })).toMatchObject(
        apiError(400, 'policies_of_school_only', 'policies'),
      );
      expect(await owner.patch(`/accounts/${stack.school.id}`, { name: 'Mine' })).toMatchObject(
        apiError(403, 'foreign_account'),
      );
      expect(await owner.patch(account, {})).toMatchObject(apiError(400, 'empty_patch'));
    });

    it('of a school changes its policies, which apply to the next booking', async () => {
      const school = await stack.open('school');
      const account = `/accounts/${school.id}`;
      const policies = { require_prepayment: true };
      expect(expectStatus(200, await school.patch<Account>(account, { policies })).data.policies).toMatchObject(
        policies,
      );
      const instructor = await anInstructor(school);
      const family = stack.family;
      const member = await family.make<{ id: string }>(`/accounts/${family.id}/members`, {
        name: 'Kim',
        date_of_birth: '2017-05-04',
      });
      const session = {
        instructor_id: instructor.id,
        member_id: member.id,
        date: nextTime(),
        duration_minutes: 30,
      };
      expect(await family.post('/sessions', session)).toMatchObject(apiError(409, 'prepayment_required'));
      expectStatus(200, await school.patch(account, { policies: { require_prepayment: false } }));
      expectStatus(201, await family.post('/sessions', session));
      expect(await school.patch(account, { policies: { late_fee_percent: 101 } })).toMatchObject(
        apiError(400, 'too_large', 'policies.late_fee_percent'),
      );
    });
  });
});
