import type { Pass, Subject } from './load.ts';
import { load } from './load.ts';
import { checkTurnedAway } from './turned-away.ts';

/** How long is measured. */
export interface Plan {
  rounds: number;
  /** Of each pass. */
  seconds: number;
  /** 64 by default. */
  connections?: number;
  /** That each subject has to have answered before the first round. */
  warmUpRequests: number;
  /** Share of a subject's requests that a busy machine may turn away. */
  mostTurnedAway?: number;
}

/** What is measured in another way than by load over HTTP. */
export interface OwnSubject<P extends Pass = Pass> {
  name: string;
  pass: (seconds: number) => Promise<P>;
}

/** What a subject is measured in. */
export type PassOf<S> = S extends OwnSubject<infer P> ? P : Pass;

const LONGEST_PASS_SECONDS = 80;
const LONGEST_WARM_UP_SECONDS = 40;

/**
 * Measures subjects in turn, round after round (A B A B …), so that other load on the machine affects all of them.
 * @returns the passes of each, in the order of the rounds.
 * @throws when a busy machine turned too many requests away.
 */
export async function measureInTurn<S extends Subject | OwnSubject>(
  subjects: readonly S[],
  plan: Plan,
  log: (line: string) => void,
): Promise<Map<S, PassOf<S>[]>> {
  const { rounds, seconds, connections, warmUpRequests, mostTurnedAway } = plan;
  for (const subject of subjects) await warmUp(subject, warmUpRequests, { connections, seconds });
  const passes = new Map<S, PassOf<S>[]>(subjects.map((subject) => [subject, []]));
  for (let round = 1; round <= rounds; round += 1) {
    for (const subject of subjects)
      passes.get(subject)!.push((await answeredPass(subject, seconds, connections)) as PassOf<S>);
    const rates = subjects.map((each) => `${each.name} ${Math.round(passes.get(each)!.at(-1)!.requestsPerSecond)}/s`);
    log(`round ${round} of ${rounds}: ${rates.join(', ')}`);
  }
  for (const [{ name }, each] of passes) checkTurnedAway(name, each, mostTurnedAway);
  return passes;
}

/**
 * Makes one pass. On a busy machine a short one may get no response: then a longer one follows.
 * @param connections - 64 by default.
 * @returns with at least one answer.
 */
export async function answeredPass(
  subject: Subject | OwnSubject,
  seconds: number,
  connections?: number,
): Promise<Pass> {
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
 * @param pass - how many connections, and the length of a pass where it is below a second.
 */
export async function warmUp(
  subject: Subject | OwnSubject,
  requests: number,
  { connections, seconds = 1 }: { connections?: number | undefined; seconds?: number } = {},
) {
  const length = Math.min(seconds, 1);
  for (let passed = 0, answered = 0; answered < requests && passed < LONGEST_WARM_UP_SECONDS; passed += length) {
    answered += (await passOf(subject, length, connections)).requests;
  }
}

const passOf = (subject: Subject | OwnSubject, seconds: number, connections: number | undefined) =>
  'pass' in subject ? subject.pass(seconds) : load(subject, seconds, connections);

/**
 * @param passes - of what is compared.
 * @param floor - passes of the same rounds.
 * @returns for each round, how many requests were answered for each one of the floor.
 */
export function ratiosOf(passes: Pass[], floor: Pass[]): number[] {
  return passes.map((pass, round) => pass.requestsPerSecond / floor[round]!.requestsPerSecond);
}
