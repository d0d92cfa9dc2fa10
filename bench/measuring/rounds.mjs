import { load } from './load.mjs';

/** @import { Pass, Subject } from './load.mjs' */

/**
 * How long is measured.
 * @typedef {object} Plan
 * @property {number} rounds
 * @property {number} seconds of each pass.
 * @property {number} warmUpSeconds of each subject, before the first round.
 */

/**
 * Measures subjects in turn, round after round (A B A B …), so that whatever else the machine does meets all of them.
 * @param {Subject[]} subjects
 * @param {Plan} plan
 * @param {(line: string) => void} log
 * @returns {Promise<Map<Subject, Pass[]>>} the passes of each, in the order of the rounds.
 */
export async function measureInTurn(subjects, { rounds, seconds, warmUpSeconds }, log) {
  for (const subject of subjects) await load(subject, warmUpSeconds);
  const passes = new Map(subjects.map((subject) => [subject, []]));
  for (let round = 1; round <= rounds; round += 1) {
    for (const subject of subjects) passes.get(subject).push(await load(subject, seconds));
    const rates = subjects.map((each) => `${each.name} ${Math.round(passes.get(each).at(-1).requestsPerSecond)}/s`);
    log(`round ${round} of ${rounds}: ${rates.join(', ')}`);
  }
  return passes;
}

/**
 * @param {Pass[]} passes of what is compared.
 * @param {Pass[]} floor passes of the same rounds.
 * @returns {number[]} for each round, how many requests were answered for each one of the floor.
 */
export function ratiosOf(passes, floor) {
  return passes.map((pass, round) => pass.requestsPerSecond / floor[round].requestsPerSecond);
}
