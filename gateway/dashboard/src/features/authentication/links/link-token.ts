import { useState } from 'react';
import { tokenIn } from '../next-path.ts';

/**
 * The token of the link that led here. It is taken out of the address, so that it stays neither in the history nor in a screenshot.
 */
export function useLinkToken(): string {
  const [token] = useState(() => tokenIn(location.hash));
  if (location.hash) history.replaceState(history.state, '', location.pathname + location.search);
  return token;
}
