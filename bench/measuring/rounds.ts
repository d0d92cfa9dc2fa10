import { load, type Pass, type Subject } from './load.ts';
import { checkTurnedAway } from './turned-away.ts';

export interface Rounds {
  rounds: number;
  /** Duration of each pass. */
  seconds: number;
  /** The default is 64. */
  connections?: number;
  /** The number of requests that each subject has to answer before the first round. */
  warmUpRequests: number;
  /** The share of a subject's requests that a busy machine may reject with 503 or 504. */
  mostTurnedAway?: number;
}

/** The passes of each subject by its name, in the order of the rounds. */
export type PassesOf = Map<string, Pass[]>;

const LONGEST_PASS_SECONDS = 80;
const LONGEST_WARM_UP_SECONDS = 40;

/**
 * Measures subjects in turn, round after round (A B A B …), so that other load on the machine affects all of them.
 * @throws when a busy machine rejected too many requests.
 */
export async function measureInTurn(subjects: Subject[], plan: Rounds, log: (line: string) => void): Promise<PassesOf> {
  const { rounds, seconds, connections } = plan;
  for (const subject of subjects) await warmUp(subject, plan);
  const passes: PassesOf = new Map(subjects.map(({ name }) => [name, []]));
  for (let round = 1; round <= rounds; round += 1) {
    for (const subject of subjects) passes.get(subject.name)!.push(await answeredPass(subject, seconds, connections));
    const rates = [...passes].map(([name, each]) => `${name} ${Math.round(each.at(-1)!.requestsPerSecond)}/s`);
    log(`round ${round} of ${rounds}: ${rates.join(', ')}`);
  }
  for (const [name, each] of passes) checkTurnedAway(name, each, plan.mostTurnedAway);
  return passes;
}

/**
 * Runs one pass. On a busy machine a short pass may get no response; then a longer one follows.
 * @param connections - 64 by default.
 * @returns a pass with at least one answer.
 */
export async function answeredPass(subject: Subject, seconds: number, connections?: number): Promise<Pass> {
  let turnedAway = 0;
  for (let length = seconds; length <= LONGEST_PASS_SECONDS; length *= 2) {
    const pass = await load(subject, length, connections);
    turnedAway += pass.turnedAway;
    if (pass.requests > 0) return { ...pass, turnedAway };
  }
  throw new Error(`${subject.name} answered nothing within ${LONGEST_PASS_SECONDS} s`);
}

/** Sends requests to a subject until V8 has compiled its code. */
async function warmUp(subject: Subject, { warmUpRequests, seconds, connections }: Rounds) {
  const length = Math.min(seconds, 1);
  for (let passed = 0, answered = 0; answered < warmUpRequests && passed < LONGEST_WARM_UP_SECONDS; passed += length) {
    answered += (await load(subject, length, connections)).requests;
  }
}

/** Divides, for each round, the value of one subject by that of another. */
export function ratiosOf(passesOf: PassesOf, [name, base]: [string, string], value: (pass: Pass) => number): number[] {
  const bases = passesOf.get(base)!;
  return passesOf.get(name)!.map((pass, round) => value(pass) / value(bases[round]!));
}
