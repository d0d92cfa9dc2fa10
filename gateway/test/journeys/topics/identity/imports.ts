import { beforeAll, expect, it } from '@jest/globals';
import type { Booking, DataImport, Family, Instructor, Member } from '@swim/contracts';
import { inDays, until } from '@swim/testing';
import { apiError, type Customer, expectStatus } from '../../fixtures/customer.js';
import { anInstructor, bookingBody } from '../../fixtures/fixtures.js';
import { journey, stack } from '../../fixtures/shared-stack.js';

journey('imports', () => {
  let school: Customer;
  let instructor: Instructor;
  const family = { external_id: 'F-1', name: 'Family Vogel', email: 'vogel@example.test' };
  const ROWS = [
    { external_id: 'M-1', name: 'Nora', date_of_birth: '2018-02-11', medical_notes: 'Asthma', family },
    { external_id: 'M-2', name: 'Emil', date_of_birth: '2018-02-11', family },
    { name: 'Ida', date_of_birth: 'tomorrow', family },
  ];

  beforeAll(async () => {
    school = await stack.open('school');
    instructor = await anInstructor(school);
  });

  async function importAll(): Promise<DataImport> {
    const { id } = await school.make<DataImport>('/imports', { kind: 'families' });
    expectStatus(201, await school.post(`/imports/${id}/rows`, { rows: ROWS }));
    expectStatus(202, await school.post(`/imports/${id}/run`, {}));
    return until(async () => {
      const now = await school.read<DataImport>(`/imports/${id}`);
      return now.status === 'done' ? now : null;
    }, 'the import is done');
  }

  it('make families that the school reads, and reports its bad rows', async () => {
    const made = await importAll();
    const errors = [{ row: 2, field: 'date_of_birth', reason: 'invalid_format' }];
    expect(made).toMatchObject({ object: 'import', rows: 3, created: 2, failed: 1, errors });
    const members = await school.readAll<Member>('/members');
    expect(members.map(({ name }) => name).toSorted()).toEqual(['Emil', 'Nora']);
    const { name, email } = family;
    expect(await school.read<Family[]>('/families')).toMatchObject([{ name, email, claimed: false, due: [] }]);
    expect(await importAll()).toMatchObject({ created: 0, updated: 0, unchanged: 2, failed: 1 });
  });

  it('make members that the school books', async () => {
    const [member] = (await school.readAll<Member>('/members')) as [Member];
    const booking = await school.make<Booking>('/bookings', bookingBody(instructor, [member], [inDays(5)]));
    expect(booking).toMatchObject({ account_id: member.account_id, status: 'confirmed' });
    expect(await school.read('/families?due=true')).toMatchObject([{ account_id: member.account_id }]);
  });

  it('are of the school alone', async () => {
    const [{ id }] = (await school.read<DataImport[]>('/imports')) as [DataImport];
    const other = await stack.open('school');
    expect(await other.read('/imports')).toEqual([]);
    expect(await other.get(`/imports/${id}`)).toMatchObject(apiError(404, 'resource_not_found'));
    expect(await stack.family.post('/imports', { kind: 'families' })).toMatchObject(apiError(403, 'school_only'));
  });
});
