export type Send<V, T> = (values: V, idempotencyKey: string) => Promise<T>;

/**
 * Sends writes with a key that stays the same until the API has answered: who tries again after a broken connection pays once. After
 * an answer, also a rejection, the next try is another request, and so is one with other values: the API refuses these with the same key.
 * @param isAnswer - whether an error is an answer, after which nothing is in doubt.
 */
export function keyedSender(isAnswer: (error: unknown) => boolean) {
  /** The keys of the values that were sent without an answer, since the last that succeeded. */
  const unanswered = new Map<string | undefined, string>();
  return async <V, T>(values: V, send: Send<V, T>): Promise<T> => {
    const text = JSON.stringify(values);
    const key = unanswered.get(text) ?? crypto.randomUUID();
    unanswered.set(text, key);
    try {
      const answer = await send(values, key);
      unanswered.clear();
      return answer;
    } catch (error) {
      if (isAnswer(error)) unanswered.delete(text);
      throw error;
    }
  };
}
