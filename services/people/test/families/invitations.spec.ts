import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { eraseAccount, listMyAccounts } from '@swim/contracts';
import { aPrincipal, ofSeveralTries, rejectionOf } from '@swim/testing';
import mongoose from 'mongoose';
import { call, users } from '../shared-users.js';
import { accept, acting, aFamily, aSchool, invite, linkTo, reasonOf } from './making.js';

/** A command to the database: its collection and method, and what it names. */
interface Command {
  what: string;
  text: string;
}

/** The commands to the database during some work, also those of background work, in order; and its result. */
async function commandsOf<T>(work: () => Promise<T>): Promise<[Command[], T]> {
  const commands: Command[] = [];
  mongoose.set('debug', (collection: string, method: string, ...args: unknown[]) => {
    commands.push({ what: `${collection}.${method}`, text: inspect(args, { depth: null, maxStringLength: null }) });
  });
  try {
    return [commands, await work()];
  } finally {
    mongoose.set('debug', false);
  }
}

describe('the invitation of a family', () => {
  it('has the answer and the mail of an address without a user, which names the school', async () => {
    const known = await users.anOwner({ kind: 'family' });
    const school = await aSchool();
    const [first, second] = [await aFamily(known.email, school), await aFamily(undefined, school)];
    const answers = [await invite(first), await invite(second)];
    for (const [at, { account_id }] of [first, second].entries())
      expect(answers[at]).toEqual({ account_id, expires_at: expect.any(String) });
    const mails = [await users.mailTo(first.email, 'claim'), await users.mailTo(second.email, 'claim')];
    expect({ ...mails[1], email: '', token: '' }).toEqual({ ...mails[0], email: '', token: '' });
    expect(mails[0]).toMatchObject({ accountName: 'The school', locale: 'en' });
  });

  it('gives the school, and the user of the address, no other rights than where the address has no user', async () => {
    const known = await users.anOwner({ kind: 'family' });
    const school = await aSchool();
    const [first, second] = [await aFamily(known.email, school), await aFamily(undefined, school)];
    for (const family of [first, second]) await invite(family);
    expect(await acting(first)).toEqual({ ...(await acting(second)), accountId: first.account_id });
    expect((await call(listMyAccounts, {}, known)).items).toHaveLength(1);
  });

  it('is the same work for either address, and neither it nor the making of the family looks for a user', () =>
    ofSeveralTries(async () => {
      const { email } = await users.anOwner({ kind: 'family' });
      const school = await aSchool();
      await invite(await aFamily(undefined, school));
      const work = [];
      for (const address of [email, users.anAddress()]) {
        const [making, family] = await commandsOf(() => aFamily(address, school));
        const [inviting] = await commandsOf(() => invite(family));
        const { emailToken } = (await users
          .documents('user_links')
          .findOne({ accountId: family.account_id } as object)) as unknown as {
          emailToken: string;
        };
        const about = (all: Command[], ids: string[]) => all.filter(({ text }) => ids.some((id) => text.includes(id)));
        const own = [family.account_id, school.accountId, emailToken];
        work.push(about(inviting, own).map(({ what }) => what));
        const looked = about([...making, ...inviting], [address, emailToken]);
        expect(looked.filter(({ what }) => what.startsWith('users.'))).toEqual([]);
      }
      expect(work[0]!.length).toBeGreaterThan(4);
      expect(work[1]).toEqual(work[0]);
    }));

  it('is for the school that has made it, until it is claimed', async () => {
    const family = await aFamily();
    const { account_id } = family;
    const [other, member] = [await aSchool(), aPrincipal({ env: 'live' })];
    expect(await reasonOf(invite({ account_id, school: other }))).toBe('resource_not_found');
    expect(await reasonOf(invite({ account_id: other.accountId, school: other }))).toBe('resource_not_found');
    expect(await reasonOf(invite({ account_id, school: member }))).toBe('school_only');
    await accept(await linkTo(family));
    expect(await rejectionOf(invite(family))).toMatchObject({
      reason: 'invalid_state',
      details: { status: 'claimed' },
    });
  });

  it('is sent 20 times a day until a family has claimed its account, then 500: limit_reached', () =>
    ofSeveralTries(async () => {
      const school = await aSchool();
      const token = await linkTo(await aFamily(undefined, school));
      const others = await Promise.all(Array.from({ length: 6 }, () => aFamily(undefined, school)));
      const other = others.pop()!;
      await Promise.all(Array.from({ length: 18 }, (_, at) => invite(others[at % others.length]!)));
      expect(await invite(other, { dryRun: true })).toBeDefined();
      // A hundred within the minute.
      const last = await Promise.allSettled(Array.from({ length: 81 }, () => invite(other)));
      expect(last.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(await rejectionOf(invite(other, { dryRun: true }))).toMatchObject({
        reason: 'limit_reached',
        details: { maximum: 20 },
      });
      expect(await invite(await aFamily())).toBeDefined();
      await accept(token);
      expect(await invite(other)).toBeDefined();
      const counts = users.documents('sign_in_counts');
      await counts.updateOne({ _id: { $regex: `^families:live:${school.accountId}` } } as object, {
        $set: { count: 499 },
      });
      const more = await Promise.allSettled([invite(others[0]!), invite(others[1]!)]);
      expect(more.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(await rejectionOf(invite(others[2]!))).toMatchObject({
        reason: 'limit_reached',
        details: { maximum: 500 },
      });
    }));

  it('is sent to an address 5 times a day, by each school: limit_reached', () =>
    ofSeveralTries(async () => {
      const family = await aFamily();
      const sent = await Promise.allSettled(Array.from({ length: 6 }, () => invite(family)));
      expect(sent.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
      for (const options of [{}, { dryRun: true }])
        expect(await rejectionOf(invite(family, options))).toMatchObject({
          reason: 'limit_reached',
          details: { maximum: 5 },
        });
      expect(await invite(await aFamily(family.email))).toBeDefined();
    }));

  it('to an account that is closing is account_closing', async () => {
    const family = await aFamily();
    const principal = (await acting(family))!;
    await call(eraseAccount, { account_id: family.account_id }, { principal });
    expect(await reasonOf(invite(family))).toBe('account_closing');
  });

  it('in the sandbox sends no mail', async () => {
    const family = await aFamily(undefined, await aSchool('test'));
    expect(await invite(family)).toMatchObject({ account_id: family.account_id });
    expect(await users.documents('user_links').countDocuments({ accountId: family.account_id } as object)).toBe(0);
  });
});
