import { ApiError } from '@swim/sdk';
import { useState } from 'react';
import { keyedSender, type Send } from './once/keyed-sender.ts';

const isAnswer = (error: unknown): boolean => error instanceof ApiError && error.status < 500;

/** A write of a form, sent with a key: see `keyedSender`. */
export function useOnce<V, T>(send: Send<V, T>): (values: V) => Promise<T> {
  const [sender] = useState(() => keyedSender(isAnswer));
  return (values) => sender(values, send);
}
