import path from 'node:path';
import type { Instructor, Member, PaymentMethod, Pool } from '@swim/contracts';
import {
  DEMO_MEMBERS,
  DEMO_METHOD,
  DEMO_POOL,
  demoInstructors,
} from '../../../libs/contracts/src/sandbox/demo-data.ts';
import { ROOT } from '../../system/paths.mjs';
import { nodeProgram } from '../../system/processes/node-program.mjs';
import { runCommand } from '../../system/processes/run-command.mjs';
import { addClasses } from './classes.ts';
import { type DemoClient, demoClient } from './demo-client.ts';
import { type DemoExamples, demoExamples, slotQuery } from './demo-examples.ts';
import { addOpenLessons, OTHER_CHILDREN, timeOf } from './open-lessons.ts';
import { addReviews } from './reviews.ts';

const PAYMENT_METHOD_LAST4 = '4242';

export interface Demo {
  base_url: string;
  dashboard_url: string;
  docs_url: string;
  accounts: Accounts;
  /** Each link signs the owner of the account in to the dashboard once, within a day. */
  sign_in_links: Record<'school' | 'family', string>;
}

type Accounts = Record<'school' | 'family' | keyof typeof OTHER_CHILDREN, { id: string; key: string }>;

export interface SeedDemoOptions {
  origin: string;
  /** The environment of the service people. */
  env: Record<string, string>;
  log: (line: string) => void;
  /** Whether the accounts get the demo data of a new sandbox and open lessons, or only the objects that the examples need. */
  isFilled?: boolean;
}

/**
 * Makes the demo data that is missing: a school and three families with a sandbox key each; if `isFilled`, the demo data of a new
 * sandbox, such as the pupils of the school and a week of lessons; through the API the objects that the examples
 * need: a pool, three instructors, two members and a card; and if `isFilled` the open lessons of the weeks to come, classes, and reviews.
 * @returns the content of demo.json, and lines to paste (`demoExamples`); null when the API rejected the demo data, for
 *   example under a low rate limit. That is logged, and the start continues.
 * @throws when the accounts cannot be made.
 */
export async function seedDemo({
  origin,
  env,
  log,
  isFilled = false,
}: SeedDemoOptions): Promise<{ demo: Demo; examples: DemoExamples | null }> {
  const accounts: Accounts = await runPeople('demo.js', env);
  const demo = {
    base_url: `${origin}/v1`,
    dashboard_url: `${origin}/dashboard`,
    docs_url: `${origin}/docs`,
    accounts,
    sign_in_links: await signInLinks(origin, env),
  };
  try {
    if (isFilled) await runPeople('demo-data.js', env);
    return { demo, examples: await seedThroughApi(demo, isFilled) };
  } catch (error) {
    log(`the demo data is incomplete: ${(error as Error).message}`);
    return { demo, examples: null };
  }
}

/** Makes a user for each demo account, with a link that signs the user in once, and leads to the sandbox: all demo data is there. */
async function signInLinks(origin: string, env: Record<string, string>): Promise<Demo['sign_in_links']> {
  const { school, family } = await runPeople('sign-in-links.js', env);
  const link = (token: string) => `${origin}/dashboard/sign-in-link?next=/sandbox#token=${token}`;
  return { school: link(school), family: link(family) };
}

/** Runs a program of the service people on the demo accounts; returns the line of JSON that it prints. */
async function runPeople(name: string, env: Record<string, string>) {
  const program = path.join(ROOT, 'services/people/dist', name);
  const output = await runCommand(nodeProgram(), [program], { cwd: ROOT, env: { ...process.env, ...env } });
  const line = output.split('\n').find((each) => each.startsWith('{"school"'));
  if (!line) throw new Error(`${program} printed no result`);
  return JSON.parse(line);
}

async function seedThroughApi({ base_url: baseUrl, accounts }: Demo, isFilled: boolean) {
  const school = demoClient(baseUrl, accounts.school.key);
  // Other schools have demo data of the same names.
  const isOwn = ({ account_id }: { account_id: string }) => account_id === accounts.school.id;
  const family = demoClient(baseUrl, accounts.family.key);
  const pool =
    (await school.find<Pool>('/pools', (each) => isOwn(each) && each.name === DEMO_POOL.name)) ??
    (await school.create<Pool>('/pools', 'pool', DEMO_POOL));
  const instructors = await oneByOne(demoInstructors(pool.id), (each) => findOrCreateInstructor(school, each, isOwn));
  const [instructor] = instructors;
  const children = await findOrCreateMembers(family, accounts.family.id, DEMO_MEMBERS);
  const [member] = children;
  const methods = `/accounts/${accounts.family.id}/payment-methods`;
  const card =
    (await family.find<PaymentMethod>(methods, ({ last4 }) => last4 === PAYMENT_METHOD_LAST4)) ??
    (await family.create<PaymentMethod>(methods, 'payment-method', DEMO_METHOD));
  if (!instructor || !member) return null;
  if (isFilled) {
    const others = await oneByOne(Object.entries(OTHER_CHILDREN), async ([name, each]) => {
      const { id, key } = accounts[name as keyof typeof OTHER_CHILDREN];
      const client = demoClient(baseUrl, key);
      return { client, members: await findOrCreateMembers(client, id, each) };
    });
    const options = { school, instructor, families: [{ client: family, members: children }, ...others] };
    await addOpenLessons(options);
    await addClasses(options);
    // Last: the clocks of these families go ahead.
    await addReviews(instructors, others);
  }
  const { slots } = await family.get<{ slots: { start: string }[] }>(
    `/instructors/${instructor.id}/availability?${slotQuery(await timeOf(family))}`,
  );
  const [slot] = slots;
  if (!slot) return null;
  return demoExamples({
    baseUrl,
    instructor,
    key: accounts.family.key,
    start: slot.start,
    memberId: member.id,
    paymentMethodId: card.id,
  });
}

async function findOrCreateInstructor(
  school: DemoClient,
  body: { email: string },
  isOwn: (instructor: Instructor) => boolean,
) {
  const path = `/instructors?search=${encodeURIComponent(body.email)}`;
  return (
    (await school.find<Instructor>(path, (each) => isOwn(each) && each.email === body.email)) ??
    school.create<Instructor>('/instructors', 'instructor', body)
  );
}

function findOrCreateMembers(family: DemoClient, accountId: string, members: readonly { name: string }[]) {
  const path = `/accounts/${accountId}/members`;
  return oneByOne(members, async (each) => {
    const search = `${path}?search=${encodeURIComponent(each.name)}`;
    const found = await family.find<Member>(search, ({ name }) => name === each.name);
    return found ?? family.create<Member>(path, 'member', each);
  });
}

async function oneByOne<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}
