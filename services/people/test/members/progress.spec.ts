import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  assessMember,
  getMemberProgress,
  type InputOf,
  type Principal,
  type Progress,
  progress,
  SWIMMING_LEVELS,
  updateMember,
} from '@swim/contracts';
import { Deadline, makeRequestContext, newId } from '@swim/platform';
import { partOf, type RequestOptions, rejectionOf, until } from '@swim/testing';
import { z } from 'zod';
import { SKILLS } from '../../src/people/members/progress/swimming-skills.rules.js';
import { type PeopleHarness, startPeople, withRival } from '../harness.js';

type Finding = InputOf<typeof assessMember>['skills'][number];

let people: PeopleHarness;
let asFamily: RequestOptions;
let asSchool: RequestOptions;
let asOtherSchool: RequestOptions;
beforeAll(async () => {
  people = await startPeople();
  asFamily = { principal: people.family };
  asSchool = { principal: people.school };
  asOtherSchool = { principal: people.otherSchool };
});
afterAll(() => people?.stop());

const whole = (answer: Progress) => z.strictObject(progress.shape).parse(answer);
const read = async (id: string, options = asFamily) =>
  whole(await people.harness.call(getMemberProgress, { member_id: id }, options));
const assess = (id: string, skills: Finding[], options = asSchool, more: { note?: string | null } = {}) =>
  people.harness.call(assessMember, { member_id: id, skills, ...more }, options);
const mastered = (...levels: string[]): Finding[] =>
  SKILLS.filter(({ level }) => levels.includes(level)).map(({ code }) => ({ code, status: 'mastered' }));
const bobbing: Finding = { code: 'l1_bobbing', status: 'mastered' };

/** A member who has a session with each of the schools. */
async function aPupil(...schools: Principal[]): Promise<string> {
  const { id } = await people.aMember();
  for (const school of schools.length > 0 ? schools : [people.school]) {
    await people.connect(id, school, people.family);
    await until(
      () =>
        read(id, { principal: school }).then(
          () => true,
          () => false,
        ),
      'the school reads the member',
    );
  }
  return id;
}

describe('an assessment', () => {
  it('returns the progress, keeps other skills, and records account and time', async () => {
    const id = await aPupil();
    await assess(id, [bobbing, { code: 'l1_blow_bubbles', status: 'introduced' }]);
    const answer = whole(await assess(id, [{ code: 'l1_blow_bubbles', status: 'developing' }]));
    expect(answer).toMatchObject({ member_id: id, swimming_level: 'beginner', percent_complete: 8, notes: [] });
    const skill = (code: string) => answer.skills.find((each) => each.code === code);
    expect(skill('l1_bobbing')).toMatchObject({ status: 'mastered', assessed_by: people.school.accountId });
    expect(skill('l1_blow_bubbles')).toMatchObject({ status: 'developing', assessed_at: expect.any(String) });
    expect(skill('l1_eyes_open')).toMatchObject({ status: 'not_started', assessed_at: null, assessed_by: null });
    expect(await read(id)).toEqual(answer);
  });

  it('raises the level when all its skills are mastered, over several levels at once, with an event for each', async () => {
    const id = await aPupil();
    const answer = await assess(id, mastered('beginner', 'advanced_beginner', 'intermediate'));
    const levels = SWIMMING_LEVELS.slice(0, 4);
    expect(answer).toMatchObject({ swimming_level: 'advanced_intermediate', percent_complete: 0 });
    expect(answer.level_history.map(({ level }) => level)).toEqual(levels);
    const updated = await people.eventOf(id, 2);
    expect(updated).toMatchObject({ type: 'member.progress_updated', previous: { swimming_level: 'beginner' } });
    expect(Object.keys(updated.object as object).sort()).toEqual([
      'account_id',
      'created_at',
      'id',
      'object',
      'swimming_level',
      'updated_at',
    ]);
    for (const [index, level] of levels.slice(1).entries()) {
      expect(await people.eventOf(id, 3 + index)).toMatchObject({
        type: 'member.level_advanced',
        object: { id, swimming_level: level },
        previous: { swimming_level: levels[index] },
        audience: [people.family.accountId, people.school.accountId],
      });
    }
  });

  it('continues from a level that the account has set, which is in the history too', async () => {
    const id = await aPupil();
    const changes = { swimming_level: 'advanced' as const };
    await people.harness.call(updateMember, { member_id: id, changes }, asFamily);
    const answer = await assess(id, mastered('advanced'));
    expect(answer.level_history.map(({ level }) => level)).toEqual(['beginner', 'advanced', 'proficient']);
    expect(await assess(id, mastered('proficient'))).toMatchObject({
      swimming_level: 'proficient',
      next_level: null,
      percent_complete: 100,
    });
  });

  it('of two schools at once loses nothing', async () => {
    const id = await aPupil(people.school, people.otherSchool);
    const findings = mastered('beginner');
    const half = findings.length / 2;
    const answers = await Promise.all(
      findings.map((finding, index) => assess(id, [finding], index < half ? asSchool : asOtherSchool)),
    );
    expect(answers.filter(({ swimming_level }) => swimming_level === 'advanced_beginner')).toHaveLength(1);
    const after = await read(id);
    expect(after).toMatchObject({ swimming_level: 'advanced_beginner' });
    expect(after.skills.filter(({ status }) => status === 'mastered')).toHaveLength(findings.length);
    expect(after.level_history).toHaveLength(2);
  });

  it('may have a note, which only its school may read', async () => {
    const id = await aPupil(people.school, people.otherSchool);
    await assess(id, [bobbing], asSchool, { note: 'canary: holds the nose' });
    const answer = await assess(id, [bobbing], asSchool, { note: 'no more' });
    expect(answer.notes.map(({ text }) => text)).toEqual(['no more', 'canary: holds the nose']);
    expect((await read(id, asSchool)).notes).toEqual(answer.notes);
    expect((await read(id)).notes).toEqual([]);
    expect((await assess(id, [bobbing], asOtherSchool, { note: null })).notes).toEqual([]);
    const stored = await people.harness
      .database('people_test')
      .collection<{ _id: string }>('members')
      .findOne({ _id: id });
    expect(JSON.stringify(stored)).not.toContain('canary');
    expect(JSON.stringify(people.events)).not.toContain('canary');
  });

  it('stores nothing in a dry run', async () => {
    const id = await aPupil();
    const dry = { ...asSchool, dryRun: true };
    expect(await assess(id, mastered('beginner'), dry, { note: 'x' })).toMatchObject({
      swimming_level: 'advanced_beginner',
      notes: [{ text: 'x' }],
    });
    expect(await read(id, asSchool)).toMatchObject({ swimming_level: 'beginner', percent_complete: 0, notes: [] });
  });

  it('is stored once under one Idempotency-Key, also when a resumed run finishes it', async () => {
    const id = await aPupil();
    const input = { member_id: id, skills: [bobbing], note: 'once' };
    const retry = () => people.harness.request(assessMember, input, { ...asSchool, idempotencyKey: `assess ${id}` });
    const [first, second] = [await retry(), await retry()];
    expect(Buffer.from(second.body)).toEqual(Buffer.from(first.body));
    const { ProgressService } = await import('../../src/people/members/progress/progress.service.js');
    const service = partOf(people.service, ProgressService);
    const context = makeRequestContext({
      requestId: newId('req'),
      principal: people.school,
      deadline: new Deadline(10_000),
      opId: 'the work',
    });
    const made = await service.assess({ ...input, note: 'twice' }, context);
    expect(await service.assess({ ...input, note: 'twice' }, { ...context, resumed: true })).toEqual(made);
    expect((await read(id, asSchool)).notes.map(({ text }) => text)).toEqual(['twice', 'once']);
  });
});

describe('an assessment is rejected', () => {
  it('for families: school_only', async () => {
    const id = await aPupil();
    expect(await rejectionOf(assess(id, [bobbing], asFamily))).toMatchObject({
      reason: 'school_only',
      code: 'AUTHORIZATION_ERROR',
    });
  });

  it('for a school without a session with the member: resource_not_found', async () => {
    const id = await aPupil();
    for (const work of [() => assess(id, [bobbing], asOtherSchool), () => assess(newId('mem'), [bobbing])])
      expect(await rejectionOf(work())).toMatchObject({ reason: 'resource_not_found' });
  });

  it('for unknown or repeated skills, too many or none, and for long notes', async () => {
    const id = await aPupil();
    const details = async (work: Promise<unknown>) => (await rejectionOf(work)).details;
    expect(await details(assess(id, [bobbing, { code: 'l9_flying', status: 'mastered' }]))).toMatchObject({
      reason: 'invalid_value',
      field: 'skills.1.code',
    });
    expect(await details(assess(id, [bobbing, bobbing]))).toMatchObject({
      reason: 'duplicate_value',
      field: 'skills.1.code',
    });
    expect(await details(assess(id, []))).toMatchObject({ reason: 'too_short', field: 'skills' });
    expect(
      await details(
        assess(
          id,
          Array.from({ length: 101 }, () => bobbing),
        ),
      ),
    ).toMatchObject({ reason: 'too_long' });
    expect(await details(assess(id, [{ code: 'l1_bobbing', status: 'fine' as never }]))).toMatchObject({
      reason: 'invalid_value',
      field: 'skills.0.status',
    });
    expect(await details(assess(id, [bobbing], asSchool, { note: 'x'.repeat(2001) }))).toMatchObject({
      reason: 'too_long',
      field: 'note',
    });
    expect(await read(id)).toMatchObject({ percent_complete: 0 });
  });

  it('after repeated concurrent changes: change_in_progress', async () => {
    const { MembersRepository } = await import('../../src/people/members/members.repository.js');
    const id = await aPupil();
    const collection = people.harness.database('people_test').collection<{ _id: string }>('members');
    const repository = partOf(people.service, MembersRepository);
    const error = await rejectionOf(withRival(repository, collection, () => assess(id, [bobbing])));
    expect(error).toMatchObject({ reason: 'change_in_progress', code: 'CONFLICT' });
  });
});

describe('a school that hides its assessments from families', () => {
  it('is omitted from the progress that a family sees, and included for schools', async () => {
    const id = await aPupil(people.school, people.otherSchool);
    await assess(id, [bobbing], asSchool);
    await assess(id, [{ code: 'l1_back_float', status: 'developing' }], asOtherSchool);
    const accounts = people.harness.database('people_test').collection<{ _id: string }>('accounts');
    const setVisible = (visible: boolean) =>
      accounts.updateOne({ _id: people.otherSchool.accountId }, { $set: { 'policies.progressVisible': visible } });
    await setVisible(false);
    const [seen, whole] = [await read(id), await read(id, asSchool)];
    expect(seen).toMatchObject({ percent_complete: null, swimming_level: 'beginner' });
    const codes = ({ skills }: Progress) => skills.map(({ code }) => code);
    expect(codes(whole).filter((code) => !codes(seen).includes(code))).toEqual(['l1_back_float']);
    expect(whole).toMatchObject({ percent_complete: 8 });
    await setVisible(true);
    expect(await read(id)).toEqual({ ...whole, notes: [] });
  });
});
