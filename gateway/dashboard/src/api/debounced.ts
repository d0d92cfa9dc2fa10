import { useEffect, useState } from 'react';

const PAUSE_MS = 250;

/** A value once it has not changed for a moment, so that not every letter typed is a request. */
export function useDebounced<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
