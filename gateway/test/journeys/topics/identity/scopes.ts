import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Instructor, Member, Session } from '@swim/contracts';
import { newId } from '@swim/platform';
import { apiError, type Customer, expectStatus } from '../../fixtures/customer.js';
import { aMember, anInstructor, aSession, nextTime, sessionBody } from '../../fixtures/fixtures.js';
import { journey, stack } from '../../fixtures/shared-stack.js';

journey('scopes', () => {
  let family: Customer;
  let instructor: Instructor;
  let member: Member;
  const free = nextTime();

  beforeAll(async () => {
    family = stack.family;
    instructor = await anInstructor(stack.school);
    member = await aMember(family, { medical_notes: 'Asthma' });
    await aSession(family, instructor, member);
  });

  describe('a key with fewer scopes', () => {
    it('does what its scopes grant, and an error names the missing scope', async () => {
      const reader = await stack.mint(family.id, { scopes: ['sessions:read'] });
      expect((await reader.readAll<Session>('/sessions')).length).toBe(1);
      const rejected = await reader.post('/sessions', sessionBody(instructor, member, free));
      expect(rejected).toMatchObject({
        ...apiError(403, 'missing_scope'),
        error: { code: 'AUTHORIZATION_ERROR', details: { scope: 'sessions:write' } },
      });
      expect(await reader.get('/bookings')).toMatchObject({
        status: 403,
        error: { details: { scope: 'bookings:read' } },
      });
      expect(await reader.get('/events')).toMatchObject({ status: 403, error: { details: { scope: 'events:read' } } });
      expect(await reader.post('/payments', {})).toMatchObject({
        status: 403,
        error: { details: { scope: 'payments:write' } },
      });
      expect(await reader.get(`/accounts/${family.id}`)).toMatchObject({
        status: 403,
        error: { details: { scope: 'accounts:read' } },
      });
      const writer = await stack.mint(family.id, { scopes: ['accounts:read', 'members:write'] });
      expect((await writer.get(`/accounts/${family.id}`)).status).toBe(200);
      expect(await writer.patch(`/accounts/${family.id}`, { email: 'new@example.test' })).toMatchObject({
        status: 403,
        error: { details: { scope: 'accounts:write' } },
      });
    });

    it('requests a session, which is a booking, with sessions:write alone', async () => {
      const key = await stack.mint(family.id, { scopes: ['sessions:write'] });
      const session = await key.make<Session>('/sessions', sessionBody(instructor, member, nextTime()));
      expect(await key.get(`/bookings/${session.booking_id}`)).toMatchObject(apiError(403, 'missing_scope'));
      expect(await family.read(`/bookings/${session.booking_id}`)).toMatchObject({ session_ids: [session.id] });
    });

    it('receives and reads no events by way of a webhook endpoint without the scope of the events', async () => {
      const { ROUTES } = await import('../../../../src/routes.js');
      const made = { url: 'https://hooks.example.com/swim', events: ['*'] };
      const { id } = await family.make<{ id: string }>('/webhook-endpoints', made);
      const hooks = await stack.mint(family.id, { scopes: ['webhooks:write'] });
      const ofEndpoints = ROUTES.filter(({ path }) => path.startsWith('/v1/webhook-endpoints'));
      expect(ofEndpoints.length).toBeGreaterThan(9);
      for (const { method, path } of ofEndpoints) {
        const isOpen = (method === 'GET' && !path.includes('deliveries')) || method === 'DELETE';
        const filled = path
          .replace('/v1', '')
          .replace('{webhook_endpoint_id}', isOpen && method === 'DELETE' ? newId('whe') : id);
        const answer = await hooks.send(
          method,
          filled.replace('{webhook_delivery_id}', newId('dlv')),
          method === 'GET' || method === 'DELETE' ? {} : { body: {} },
        );
        const missing = answer.error?.details.scope ?? null;
        expect([method, path, missing]).toEqual([method, path, isOpen ? null : 'events:read']);
      }
    });

    it('reads with the scope to write, and without any scope does nothing', async () => {
      const writer = await stack.mint(family.id, { scopes: ['members:write'] });
      expect((await writer.get(`/members/${member.id}`)).status).toBe(200);
      const none = await stack.mint(family.id, { scopes: [] });
      for (const path of ['/sessions', '/bookings', '/instructors', '/pools', '/events', `/members/${member.id}`]) {
        expect(await none.get(path)).toMatchObject(apiError(403, 'missing_scope'));
      }
    });

    it('reads medical notes only with the scope for them', async () => {
      const path = `/members/${member.id}`;
      expect(await family.read<Member>(path)).toMatchObject({ medical_notes: 'Asthma' });
      const without = await stack.mint(family.id, { scopes: ['members:write'] });
      expect(await without.read<Member>(path)).toMatchObject({ medical_notes: null });
      const changed = expectStatus(200, await without.patch<Member>(path, { name: 'Mia' }));
      expect(changed.data).toMatchObject({ name: 'Mia', medical_notes: null });
      expect(await family.read<Member>(path)).toMatchObject({ name: 'Mia', medical_notes: 'Asthma' });
    });

    it('neither writes medical notes without the scope for them, nor tests a guess of them', async () => {
      const [path, list] = [`/members/${member.id}`, `/accounts/${family.id}/members`];
      const without = await stack.mint(family.id, { scopes: ['members:write'] });
      const body = { name: 'Lea', date_of_birth: '2017-05-04', medical_notes: 'Asthma' };
      const answers = [];
      for (const query of ['', '?dry_run=true']) {
        for (const medical_notes of ['Asthma', 'None', null])
          answers.push(await without.patch(path + query, { medical_notes }));
        answers.push(await without.patch(`/members/${newId('mem')}${query}`, { medical_notes: 'x' }));
        answers.push(await without.post(list + query, body));
      }
      for (const answer of answers)
        expect(answer).toMatchObject({
          status: 403,
          error: { details: { reason: 'missing_scope', scope: 'members:medical' } },
        });
      expect(await family.read<Member>(path)).toMatchObject({ medical_notes: 'Asthma' });
    });
  });
});
