import { load } from './load.mjs';

/** @import { Pass, Subject } from './load.mjs' */

/**
 * How long is measured.
 * @typedef {object} Plan
 * @property {number} rounds
 * @property {number} seconds of each pass.
 * @property {number} [connections] 64 unless told otherwise.
 * @property {number} warmUpRequests that each subject has to have answered before the first round.
 */

const LONGEST_PASS = 8;
const LONGEST_WARM_UP_SECONDS = 15;

/**
 * Measures subjects in turn, round after round (A B A B …), so that whatever else the machine does meets all of them.
 * @param {Subject[]} subjects
 * @param {Plan} plan
 * @param {(line: string) => void} log
 * @returns {Promise<Map<Subject, Pass[]>>} the passes of each, in the order of the rounds.
 */
export async function measureInTurn(subjects, { rounds, seconds, connections, warmUpRequests }, log) {
  for (const subject of subjects) await warmUp(subject, warmUpRequests, connections);
  const passes = new Map(subjects.map((subject) => [subject, []]));
  for (let round = 1; round <= rounds; round += 1) {
    for (const subject of subjects) passes.get(subject).push(await measure(subject, seconds, connections));
    const rates = subjects.map((each) => `${each.name} ${Math.round(passes.get(each).at(-1).requestsPerSecond)}/s`);
    log(`round ${round} of ${rounds}: ${rates.join(', ')}`);
  }
  return passes;
}

// On a machine that does other work besides, a pass of one second may see no answer at all: it is made again, longer.
async function measure(subject, seconds, connections) {
  for (let length = seconds; length <= LONGEST_PASS * seconds; length *= 2) {
    const pass = await load(subject, length, connections);
    if (pass.requests > 0) return pass;
  }
  throw new Error(`${subject.name} answered nothing within ${LONGEST_PASS * seconds} s`);
}

/**
 * Lets a subject answer until its code has been compiled as far as it will be.
 * @param {Subject} subject
 * @param {number} requests
 * @param {number} [connections]
 */
export async function warmUp(subject, requests, connections) {
  for (let seconds = 0, answered = 0; answered < requests && seconds < LONGEST_WARM_UP_SECONDS; seconds += 1) {
    answered += (await load(subject, 1, connections)).requests;
  }
}

/**
 * @param {Pass[]} passes of what is compared.
 * @param {Pass[]} floor passes of the same rounds.
 * @returns {number[]} for each round, how many requests were answered for each one of the floor.
 */
export function ratiosOf(passes, floor) {
  return passes.map((pass, round) => pass.requestsPerSecond / floor[round].requestsPerSecond);
}
