import { createMember, type Reason } from '@swim/contracts';
import {
  type Answer,
  AppError,
  answerOf,
  errorAnswer,
  newId,
  type RequestContext,
  type RequestContextSeed,
} from '@swim/platform';
import { aContext } from './replica.js';

/** A request under a key: the same key and body again, unless told otherwise. */
export const request = (seed: Partial<RequestContextSeed> = {}): RequestContext =>
  aContext({ idempotencyKey: newId('req'), fingerprint: 'the same body', ...seed });

/** A scenario that answers this, and remembers its runs. */
export function scripted(...answers: (Answer | Promise<Answer>)[]): {
  run: (context: RequestContext) => Promise<Answer>;
  runs: RequestContext[];
} {
  const runs: RequestContext[] = [];
  return {
    runs,
    run: async (context) => {
      runs.push(context);
      return answers[Math.min(runs.length, answers.length) - 1]!;
    },
  };
}

/** An answer that says this. */
export const made = (text = 'made'): Answer => answerOf(createMember, { text });
/** An error for this reason. */
export const rejected = (reason: Reason): Answer => errorAnswer(new AppError(reason, { details: { detail: 'é' } }));
export const textOf = ({ body }: Answer) => Buffer.from(body).toString();
/** Why it was rejected; null when it was not. */
export const reasonOf = (answer: Answer) => (answer.error ? JSON.parse(textOf(answer)).details.reason : null);
/** A run that ends when the test says so; that the process died looks the same from outside. */
export function hanging(): { answer: Promise<Answer>; end: (answer: Answer) => void } {
  let end = (_: Answer) => {};
  const answer = new Promise<Answer>((resolve) => {
    end = resolve;
  });
  return { answer, end: (given) => end(given) };
}
