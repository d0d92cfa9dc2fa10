import { seedDemo } from '../../deploy/local/demo.mjs';
import { demoClient } from '../../deploy/local/demo-client.mjs';
import { BenchDatabase } from '../booking/database.mjs';
import { startStack } from '../booking/stack.mjs';
import { measureLatency } from '../measuring/latency.mjs';
import { freeAmong, makeInstructors, SEARCH } from './instructors.mjs';
import { publishLessons } from './lessons.mjs';
import { PeopleDatabase } from './people-database.mjs';

/** @import { Latency } from '../measuring/latency.mjs' */

const LONG = { requests: 400, warmUpRequests: 200 };
const SHORT = { requests: 40, warmUpRequests: 20 };
const FEW = 50;
const MANY = 500;
const LESSONS = 500;
const TARGET = { searchP95Ms: 150, timesFew: 5, progressP95Ms: 30 };
const NAME_WIDTH = 34;

/**
 * Measures through the gateway how long a search for instructors by all four filters takes, among few and among many, and
 * the progress of a member with many lessons.
 * @param {import('../run.mjs').Run} run
 * @returns {Promise<string>} the figures, for a person.
 */
export async function people(run) {
  const plan = run.isShort ? SHORT : LONG;
  const stack = await startStack(run);
  const [databases, database] = [new BenchDatabase(stack.env), new PeopleDatabase(stack.env)];
  run.atEnd(() => database.close());
  run.atEnd(() => databases.removeAll());
  const { demo } = await seedDemo({ ...stack, log: run.log });
  const asSchool = demoClient(demo.base_url, demo.accounts.school.key);
  const few = await searchAmong(FEW, 0);
  const many = await searchAmong(MANY, FEW);
  return describe({ few, many, progress: await progressOf(run, stack, demo, plan) });

  async function searchAmong(count, from) {
    run.log(`${count} instructors`);
    await makeInstructors(asSchool, database, { from, to: count });
    return measureLatency(searchOf(demo, freeAmong(count)), plan);
  }
}

function searchOf({ base_url: baseUrl, accounts }, free) {
  const check = ({ data, pagination }) => {
    const isRight = pagination.total === free && data.length === Math.min(20, free);
    if (!isRight) throw new Error(`${pagination.total} instructors were found, not the ${free} who are free`);
  };
  return { url: `${baseUrl}/instructors?${SEARCH}`, headers: bearer(accounts.family), check };
}

async function progressOf({ log }, { env }, { base_url: baseUrl, accounts }, plan) {
  log(`a member with ${LESSONS} lessons`);
  const { family } = accounts;
  const asFamily = demoClient(baseUrl, family.key);
  const member = await asFamily.create(`/accounts/${family.id}/members`, 'member', {
    name: 'Member with many lessons',
    date_of_birth: '2017-05-04',
  });
  const path = `/members/${member.id}/progress`;
  const countNow = async () => (await asFamily.get(path)).sessions_completed;
  await publishLessons({
    natsUrl: env.NATS_URL,
    accountId: family.id,
    memberId: member.id,
    count: LESSONS,
    countNow,
  });
  const check = ({ data }) => {
    if (data.sessions_completed !== LESSONS) throw new Error(`${data.sessions_completed} lessons were counted`);
  };
  return measureLatency({ url: baseUrl + path, headers: bearer(family), check }, plan);
}

const bearer = ({ key }) => ({ authorization: `Bearer ${key}` });

function describe({ few, many, progress }) {
  const times = many.p95Ms / few.p95Ms;
  const ofMedians = many.p50Ms / few.p50Ms;
  return [
    'GET /v1/instructors, all four filters, through the gateway, one request after the other',
    line(`among ${FEW} instructors`, few),
    line(`among ${MANY} instructors`, many, TARGET.searchP95Ms),
    `  ${'ratio'.padEnd(NAME_WIDTH)} ${times.toFixed(1)} by p95, ${ofMedians.toFixed(1)} by p50; target at most ${TARGET.timesFew}: ${verdict(times <= TARGET.timesFew)}`,
    '',
    'GET /v1/members/{id}/progress',
    line(`with ${LESSONS} lessons`, progress, TARGET.progressP95Ms),
    '',
  ].join('\n');
}

/** @param {string} name @param {Latency} latency @param {number} [targetMs] */
function line(name, { requests, p50Ms, p95Ms, maxMs }, targetMs) {
  const target = targetMs === undefined ? '' : `; target below ${targetMs} ms: ${verdict(p95Ms < targetMs)}`;
  const figures = `p50 ${milliseconds(p50Ms)}, p95 ${milliseconds(p95Ms)}, longest ${milliseconds(maxMs)}`;
  return `  ${name.padEnd(NAME_WIDTH)} ${figures}, ${requests} requests${target}`;
}

const verdict = (isMet) => (isMet ? 'met' : 'missed');
const milliseconds = (value) => `${value.toFixed(1)} ms`;
