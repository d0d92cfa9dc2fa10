import { createMember, type Reason } from '@swim/contracts';
import { type Answer, answerOf, type Call, type CallSeed, refusalAnswer } from '@swim/messaging';
import { AppError, newId } from '@swim/platform';
import { aCall } from './replica.js';

/** A request under a key: the same key and body again, unless told otherwise. */
export const request = (seed: Partial<CallSeed> = {}): Call =>
  aCall({ idempotencyKey: newId('req'), fingerprint: 'the same body', ...seed });

/** A story that answers this, and remembers its runs. */
export function story(...answers: (Answer | Promise<Answer>)[]): {
  run: (call: Call) => Promise<Answer>;
  runs: Call[];
} {
  const runs: Call[] = [];
  return {
    runs,
    run: async (call) => {
      runs.push(call);
      return answers[Math.min(runs.length, answers.length) - 1]!;
    },
  };
}

/** An answer that says this. */
export const made = (text = 'made'): Answer => answerOf(createMember, { text });
/** A refusal for this reason. */
export const refused = (reason: Reason): Answer => refusalAnswer(new AppError(reason, { details: { detail: 'é' } }));
export const textOf = ({ body }: Answer) => Buffer.from(body).toString();
/** Why it was refused; null when it was not. */
export const reasonOf = (answer: Answer) => (answer.error ? JSON.parse(textOf(answer)).details.reason : null);
/** A run that ends when the test says so; that the process died looks the same from outside. */
export function hanging(): { answer: Promise<Answer>; end: (answer: Answer) => void } {
  let end = (_: Answer) => {};
  const answer = new Promise<Answer>((resolve) => {
    end = resolve;
  });
  return { answer, end: (given) => end(given) };
}
