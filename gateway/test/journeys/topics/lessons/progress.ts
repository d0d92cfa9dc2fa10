import { beforeAll, expect, it } from '@jest/globals';
import type { AccountEvent, Instructor, Member, Progress } from '@swim/contracts';
import { newId } from '@swim/platform';
import { until } from '@swim/testing';
import { apiError, type Customer, expectStatus, payloadOf } from '../../fixtures/customer.js';
import { aBooking, aMember, anInstructor, aSession, nextTime } from '../../fixtures/fixtures.js';
import { journey, stack } from '../../fixtures/shared-stack.js';

journey('progress', () => {
  let family: Customer;
  let school: Customer;
  let instructor: Instructor;
  let member: Member;
  beforeAll(async () => {
    [family, school] = [stack.family, stack.school];
    instructor = await anInstructor(school);
    member = await aMember(family);
  });

  const path = () => `/members/${member.id}/progress`;
  const found = (...codes: string[]) => ({ skills: codes.map((code) => ({ code, status: 'mastered' })) });

  it('a school reads a member as soon as the family’s booking is answered, each of 10 times', async () => {
    const date = nextTime();
    for (let times = 0; times < 10; times++) {
      const pupil = await aMember(family);
      await aBooking(family, await anInstructor(school), pupil, date);
      expect(await school.get(`/members/${pupil.id}`)).toMatchObject({ status: 200 });
    }
  });

  it('a school assesses a member that it teaches, which advances the member; no other account assesses', async () => {
    expect(await school.post(path(), found('l1_bobbing'))).toMatchObject(apiError(404, 'resource_not_found'));
    await aSession(family, instructor, member);
    await until(async () => (await school.get(path())).status === 200, 'the school reads the member');
    expect(await family.post(path(), found('l1_bobbing'))).toMatchObject(apiError(403, 'school_only'));
    const blind = await stack.mint(school.id, { scopes: ['members:read'] });
    expect(await blind.post(path(), found('l1_bobbing'))).toMatchObject(apiError(403, 'missing_scope'));

    const { skills } = await family.read<Progress>(path());
    const [last, ...codes] = skills.map(({ code }) => code);
    const key = { 'idempotency-key': newId('req') };
    const body = { ...found(...codes), note: 'Ready soon' };
    const first = expectStatus(201, await school.post<Progress>(path(), body, key));
    expect(first.data).toMatchObject({
      swimming_level: 'beginner',
      percent_complete: 91,
      notes: [{ text: 'Ready soon' }],
    });
    const repeated = await school.post<Progress>(path(), body, key);
    expect(repeated.headers.get('idempotent-replayed')).toBe('true');
    expect(payloadOf(repeated)).toBe(payloadOf(first));
    expect(await school.make<Progress>(path(), found(last!))).toMatchObject({
      swimming_level: 'advanced_beginner',
      percent_complete: 0,
    });
    expect(await family.read<Progress>(path())).toMatchObject({
      swimming_level: 'advanced_beginner',
      level_history: [{ level: 'beginner' }, { level: 'advanced_beginner' }],
      notes: [],
    });
    expect(await family.read<Member>(`/members/${member.id}`)).toMatchObject({ swimming_level: 'advanced_beginner' });
    for (const customer of [family, school]) {
      const events = await until(async () => {
        const all = await customer.readAll<AccountEvent>(`/events?object_id=${member.id}`);
        return all[0]?.type === 'member.level_advanced' ? all : null;
      }, 'the event is there');
      expect(events[0]!.data).toMatchObject({
        object: { id: member.id, swimming_level: 'advanced_beginner' },
        previous_attributes: { swimming_level: 'beginner' },
      });
      expect(events.filter(({ type }) => type === 'member.progress_updated')).toHaveLength(2);
      expect(JSON.stringify(events)).not.toContain('Ready soon');
    }
  });

  it('a school hides its assessments from families, and shows them again, by its policies', async () => {
    const setVisible = async (progress_visible: boolean) =>
      expectStatus(200, await school.patch(`/accounts/${school.id}`, { policies: { progress_visible } }));
    await setVisible(false);
    const hidden = await family.read<Progress>(path());
    expect(hidden).toMatchObject({ swimming_level: 'advanced_beginner', percent_complete: null });
    expect(hidden.skills.every(({ assessed_by }) => assessed_by === null)).toBe(true);
    expect((await school.read<Progress>(path())).percent_complete).toBe(0);
    await setVisible(true);
    expect((await family.read<Progress>(path())).skills.filter(({ status }) => status === 'mastered')).toHaveLength(12);
  });
});
