import { ApiError } from '@swim/sdk';
import { useRef } from 'react';

/**
 * Sends a write with a key that stays the same until the API has answered: who tries again after a broken connection pays
 * once. After an answer, also a rejection, the next try is another request.
 */
export function useOnce<V, T>(send: (values: V, idempotencyKey: string) => Promise<T>): (values: V) => Promise<T> {
  const key = useRef(crypto.randomUUID());
  return async (values) => {
    try {
      const answer = await send(values, key.current);
      key.current = crypto.randomUUID();
      return answer;
    } catch (error) {
      if (error instanceof ApiError && error.status < 500) key.current = crypto.randomUUID();
      throw error;
    }
  };
}
