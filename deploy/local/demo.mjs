import path from 'node:path';
import { nodeProgram } from '../system/node-program.mjs';
import { ROOT } from '../system/paths.mjs';
import { runCommand } from '../system/run-command.mjs';
import { demoClient } from './demo-client.mjs';
import { instructors, MEMBERS, POOL } from './demo-data.mjs';
import { demoExamples, slotQuery } from './demo-examples.mjs';

const PAYMENT_METHOD = { processor_payment_method_id: 'pm_card_visa', is_default: true };
const PAYMENT_METHOD_LAST4 = '4242';

/**
 * Makes the demo data that is not there yet: two accounts with a sandbox key each, and through the API a pool, three
 * instructors, two members and a card.
 * @param {object} options
 * @param {string} options.origin of the running gateway.
 * @param {Record<string, string>} options.env of the service people.
 * @param {(line: string) => void} options.log
 * @returns {Promise<{demo: any, examples: ReturnType<typeof demoExamples>|null}>} the content of demo.json, and lines to paste (`demoExamples`);
 *   null when the API rejected the demo data, for example under a low rate limit. That is logged, and the start continues.
 * @throws {Error} when the accounts cannot be made.
 */
export async function seedDemo({ origin, env, log }) {
  const accounts = await seedAccounts(env);
  const demo = { base_url: `${origin}/v1`, dashboard_url: `${origin}/dashboard`, docs_url: `${origin}/docs`, accounts };
  try {
    return { demo, examples: await seedThroughApi(demo) };
  } catch (error) {
    log(`the demo data is incomplete: ${error.message}`);
    return { demo, examples: null };
  }
}

async function seedAccounts(env) {
  const program = path.join(ROOT, 'services/people/dist/demo.js');
  const output = await runCommand(nodeProgram(), [program], { cwd: ROOT, env: { ...process.env, ...env } });
  const line = output.split('\n').find((each) => each.startsWith('{"school"'));
  if (!line) throw new Error(`${program} printed no accounts`);
  const { school, family } = JSON.parse(line);
  return { school, family };
}

async function seedThroughApi({ base_url: baseUrl, accounts }) {
  const school = demoClient(baseUrl, accounts.school.key);
  const family = demoClient(baseUrl, accounts.family.key);
  const pool =
    (await school.find('/pools', ({ name }) => name === POOL.name)) ?? (await school.create('/pools', 'pool', POOL));
  const [instructor] = await oneByOne(instructors(pool.id), (each) => findOrCreateInstructor(school, each));
  const members = `/accounts/${accounts.family.id}/members`;
  const [member] = await oneByOne(MEMBERS, (each) => findOrCreateMember(family, members, each));
  const methods = `/accounts/${accounts.family.id}/payment-methods`;
  const card =
    (await family.find(methods, ({ last4 }) => last4 === PAYMENT_METHOD_LAST4)) ??
    (await family.create(methods, 'payment-method', PAYMENT_METHOD));
  const { slots } = await family.get(`/instructors/${instructor.id}/availability?${slotQuery(Date.now())}`);
  if (slots.length === 0) return null;
  return demoExamples({
    baseUrl,
    instructor,
    key: accounts.family.key,
    start: slots[0].start,
    memberId: member.id,
    paymentMethodId: card.id,
  });
}

async function findOrCreateInstructor(school, body) {
  const path = `/instructors?search=${encodeURIComponent(body.email)}`;
  return (
    (await school.find(path, ({ email }) => email === body.email)) ?? school.create('/instructors', 'instructor', body)
  );
}

async function findOrCreateMember(family, path, body) {
  const search = `${path}?search=${encodeURIComponent(body.name)}`;
  return (await family.find(search, ({ name }) => name === body.name)) ?? family.create(path, 'member', body);
}

async function oneByOne(items, work) {
  const results = [];
  for (const item of items) results.push(await work(item));
  return results;
}
