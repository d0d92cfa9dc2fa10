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
import { aContext } from '../replica.js';

/** A request under a key: by default the same key and body each time. */
export const request = (seed: Partial<RequestContextSeed> = {}): RequestContext =>
  aContext({ idempotencyKey: newId('req'), fingerprint: 'the same body', ...seed });

/** A handler with these answers, which records its runs. */
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

/** A successful answer with this text. */
export const made = (text = 'made'): Answer => answerOf(createMember, { text });
/** An error answer with this reason. */
export const rejected = (reason: Reason): Answer => errorAnswer(new AppError(reason, { details: { detail: 'é' } }));
export const textOf = ({ body }: Answer) => Buffer.from(body).toString();
/** The reason of an error answer; null for a success. */
export const reasonOf = (answer: Answer) => (answer.error ? JSON.parse(textOf(answer)).details.reason : null);
/** A run that the test ends; until then it looks like one whose process crashed. */
export function hanging(): { answer: Promise<Answer>; end: (answer: Answer) => void } {
  let end = (_: Answer) => {};
  const answer = new Promise<Answer>((resolve) => {
    end = resolve;
  });
  return { answer, end: (given) => end(given) };
}
