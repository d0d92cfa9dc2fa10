import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  assessMember,
  createConnection,
  createMember,
  eraseMember,
  getMember,
  listMembers,
  updateMember,
} from '@swim/contracts';
import {
  aPrincipal,
  collectMessages,
  rejectionOf,
  type ServiceProcess,
  startHarness,
  startProcess,
  type TestHarness,
  until,
} from '@swim/testing';

const CANARIES = ['canarynotes', 'canaryperson', 'canaryrelation', '4155550199', 'canarykey', 'canaryvalue'];
const family = aPrincipal();
const options = { principal: family };
const school = aPrincipal({ kind: 'school' });

let harness: TestHarness;
let service: ServiceProcess;
let events: unknown[];

beforeAll(async () => {
  harness = await startHarness();
  events = await collectMessages(harness.connection, 'event.>');
  // The service as in production, at the most verbose log level.
  const main = new URL('../bundle/main.js', import.meta.url);
  service = await startProcess(main, { ...harness.env, LOG_LEVEL: 'trace' }, { captures: true });
});
afterAll(async () => {
  await service?.kill('SIGTERM');
  await harness?.stop();
});

/** All documents of the service, in every collection of both environments; binary fields as text. */
async function stored(): Promise<string> {
  const texts: string[] = [];
  for (const env of ['test', 'live']) {
    const database = harness.database(`people_${env}`);
    for (const { name } of await database.listCollections().toArray()) {
      const documents = await database.collection(name).find().toArray();
      const plain = (_: string, value: unknown) =>
        value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value;
      texts.push(`${name}: ${JSON.stringify(documents, plain)}`);
    }
  }
  return texts.join('\n');
}

/**
 * A text in clear, in hexadecimal, and in base64 at each of the three places within a group of bytes: the characters that
 * no neighbour changes. Fewer of them also occur in random ids and ciphertexts.
 */
const spellings = (canary: string) => [
  canary,
  Buffer.from(canary).toString('hex'),
  ...[0, 1, 2].map((shift) =>
    Buffer.from('x'.repeat(shift) + canary)
      .toString('base64')
      .slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + canary.length) * 8) / 6)),
  ),
];

describe('medical notes, contacts and metadata', () => {
  it('are in no collection in clear, in no event and in no log line', async () => {
    const contact = { name: 'canaryperson', phone: '+14155550199', relationship: 'canaryrelation' };
    const input = {
      account_id: family.accountId,
      name: 'Mia',
      date_of_birth: '2016-02-29',
      medical_notes: 'canarynotes',
      emergency_contact: contact,
      metadata: { canarykey: 'canaryvalue' },
    };
    const made = await harness.call(createMember, input, { ...options, idempotencyKey: 'canary' });
    await harness.call(createMember, input, { ...options, dryRun: true });
    const changes = {
      medical_notes: 'canarynotes again',
      emergency_contact: { ...contact, relationship: 'canaryrelation too' },
      metadata: { 'canarykey too': 'canaryvalue too' },
    };
    const changed = await harness.call(
      updateMember,
      { member_id: made.id, changes },
      { ...options, idempotencyKey: 'canary change' },
    );
    const bad = { ...contact, phone: '+4155550199415555019941555501994155550199' };
    expect(
      await rejectionOf(
        harness.call(updateMember, { member_id: made.id, changes: { emergency_contact: bad } }, options),
      ),
    ).toMatchObject({ code: 'VALIDATION_ERROR' });
    await harness.call(listMembers, { metadata: { canarykey: 'canaryvalue' } }, options);
    expect(await harness.call(getMember, { member_id: made.id }, options)).toEqual(changed);
    expect(changed).toMatchObject(changes);
    await until(() => events.length === 2, 'both events');
    const everything = await stored();
    expect(everything).toContain(made.id);
    expect(everything).toMatch(/"ops":\[\{/);
    for (const spelling of CANARIES.flatMap(spellings)) {
      for (const place of [everything, JSON.stringify(events), service.output()]) expect(place).not.toContain(spelling);
    }
  });

  it('are bound to their place: copied to another member or field they do not decrypt', async () => {
    const members = harness
      .database('people_test')
      .collection<{ _id: string; medicalNotes: string; emergencyContact: string }>('members');
    const make = (medical_notes: string) =>
      harness.call(
        createMember,
        { account_id: family.accountId, name: 'Kid', date_of_birth: '2016-02-29', medical_notes },
        options,
      );
    const [one, two] = [await make('one'), await make('two')];
    const { medicalNotes } = (await members.findOne({ _id: one.id }))!;
    await members.updateOne({ _id: two.id }, { $set: { medicalNotes } });
    expect(await rejectionOf(harness.call(getMember, { member_id: two.id }, options))).toMatchObject({
      reason: 'internal',
    });
    await members.updateOne({ _id: one.id }, { $set: { emergencyContact: medicalNotes } });
    expect(await rejectionOf(harness.call(getMember, { member_id: one.id }, options))).toMatchObject({
      reason: 'internal',
    });
  });

  it('are unreadable without the key of their account', async () => {
    const principal = aPrincipal();
    const made = await harness.call(
      createMember,
      { account_id: principal.accountId, name: 'Kid', date_of_birth: '2016-02-29', medical_notes: 'x' },
      { principal },
    );
    await harness
      .database('people_test')
      .collection<{ _id: string }>('data_keys')
      .deleteOne({ _id: principal.accountId });
    expect(await harness.call(getMember, { member_id: made.id }, { principal })).toMatchObject({ medical_notes: null });
  });
});

/** Connects the member with the school, whose account is stored for it. */
async function admitSchool(memberId: string): Promise<void> {
  const account = { _id: school.accountId, readers: [school.accountId], kind: 'school', name: 'The school' };
  const rest = {
    email: 'office@example.test',
    timezone: 'UTC',
    currency: 'USD',
    policies: null,
    createdAt: new Date(),
  };
  await harness
    .database('people_test')
    .collection<{ _id: string }>('accounts')
    .insertOne({ ...account, ...rest });
  const input = { school_id: school.accountId, member_ids: [memberId] };
  await harness.call(createConnection, input, { principal: family });
}

describe('an erased member', () => {
  it('leaves no personal data: not in a collection, an event or a log line', async () => {
    const known = ['Oriolus', '2009-11-13', 'oriolenotes', 'oriolecontact', '4155550177', 'orioleteacher'];
    const emergency_contact = { name: 'oriolecontact', phone: '+14155550177', relationship: 'mother' };
    const input = {
      account_id: family.accountId,
      name: 'Oriolus Canary',
      date_of_birth: '2009-11-13',
      medical_notes: 'oriolenotes',
      emergency_contact,
    };
    const { id } = await harness.call(createMember, input, { ...options, idempotencyKey: 'oriole' });
    const changes = { name: 'Oriolus Again', medical_notes: 'oriolenotes again' };
    await harness.call(updateMember, { member_id: id, changes }, { ...options, idempotencyKey: 'oriole change' });
    await admitSchool(id);
    const skills = [{ code: 'l1_bobbing', status: 'mastered' as const }];
    const assessment = { member_id: id, skills, note: 'orioleteacher' };
    await harness.call(assessMember, assessment, { principal: school, idempotencyKey: 'oriole skills' });
    const records = harness.database('people_test').collection('idempotency');
    expect(await records.countDocuments({ subjects: id })).toBe(3);
    expect(await stored()).toContain('Oriolus');
    await harness.call(eraseMember, { member_id: id }, options);
    await until(async () => (await records.countDocuments({ subjects: id })) === 0, 'the stored answers are gone');
    await until(() => JSON.stringify(events).includes('member.erased'), 'it is published');
    const everything = await stored();
    expect(everything).toContain(id);
    for (const spelling of [...known, 'oriolus'].flatMap(spellings)) {
      for (const place of [everything, JSON.stringify(events), service.output()]) expect(place).not.toContain(spelling);
    }
  });
});
