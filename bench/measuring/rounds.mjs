import { load } from './load.mjs';
import { checkTurnedAway } from './turned-away.mjs';

/** @import { Pass, Subject } from './load.mjs' */

/**
 * How long is measured.
 * @typedef {object} Plan
 * @property {number} rounds
 * @property {number} seconds of each pass.
 * @property {number} [connections] 64 by default.
 * @property {number} warmUpRequests that each subject has to have answered before the first round.
 * @property {number} [mostTurnedAway] share of a subject's requests that a busy machine may turn away.
 */

/**
 * What is measured in another way than by load over HTTP.
 * @typedef {object} OwnSubject
 * @property {string} name
 * @property {(seconds: number) => Promise<Pass>} pass
 */

const LONGEST_PASS_SECONDS = 80;
const LONGEST_WARM_UP_SECONDS = 15;

/**
 * Measures subjects in turn, round after round (A B A B …), so that other load on the machine affects all of them.
 * @template {Subject|OwnSubject} S
 * @param {S[]} subjects
 * @param {Plan} plan
 * @param {(line: string) => void} log
 * @returns {Promise<Map<S, Pass[]>>} the passes of each, in the order of the rounds.
 * @throws {Error} when a busy machine turned too many requests away.
 */
export async function measureInTurn(subjects, plan, log) {
  const { rounds, seconds, connections, warmUpRequests, mostTurnedAway } = plan;
  for (const subject of subjects) await warmUp(subject, warmUpRequests, { connections, seconds });
  const passes = new Map(subjects.map((subject) => [subject, []]));
  for (let round = 1; round <= rounds; round += 1) {
    for (const subject of subjects) passes.get(subject).push(await answeredPass(subject, seconds, connections));
    const rates = subjects.map((each) => `${each.name} ${Math.round(passes.get(each).at(-1).requestsPerSecond)}/s`);
    log(`round ${round} of ${rounds}: ${rates.join(', ')}`);
  }
  for (const [{ name }, each] of passes) checkTurnedAway(name, each, mostTurnedAway);
  return passes;
}

/**
 * Makes one pass. On a busy machine a short one may get no response: then a longer one follows.
 * @param {Subject|OwnSubject} subject
 * @param {number} seconds
 * @param {number} [connections] 64 by default.
 * @returns {Promise<Pass>} with at least one answer.
 */
export async function answeredPass(subject, seconds, connections) {
  let turnedAway = 0;
  for (let length = seconds; length <= LONGEST_PASS_SECONDS; length *= 2) {
    const pass = await passOf(subject, length, connections);
    turnedAway += pass.turnedAway;
    if (pass.requests > 0) return { ...pass, turnedAway };
  }
  throw new Error(`${subject.name} answered nothing within ${LONGEST_PASS_SECONDS} s`);
}

/**
 * Sends requests to a subject until its code is fully compiled.
 * @param {Subject|OwnSubject} subject
 * @param {number} requests
 * @param {{connections?: number, seconds?: number}} [pass] how many connections, and the length of a pass where it is below
 *   a second.
 */
export async function warmUp(subject, requests, { connections, seconds = 1 } = {}) {
  const length = Math.min(seconds, 1);
  for (let passed = 0, answered = 0; answered < requests && passed < LONGEST_WARM_UP_SECONDS; passed += length) {
    answered += (await passOf(subject, length, connections)).requests;
  }
}

const passOf = (subject, seconds, connections) =>
  subject.pass ? subject.pass(seconds) : load(subject, seconds, connections);

/**
 * @param {Pass[]} passes of what is compared.
 * @param {Pass[]} floor passes of the same rounds.
 * @returns {number[]} for each round, how many requests were answered for each one of the floor.
 */
export function ratiosOf(passes, floor) {
  return passes.map((pass, round) => pass.requestsPerSecond / floor[round].requestsPerSecond);
}
