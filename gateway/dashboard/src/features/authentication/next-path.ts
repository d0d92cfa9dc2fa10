import { useEffect, useState } from 'react';

/**
 * Where a sign-in leads: the path in `next` of a query, if it is one within the dashboard, else its start. Never another site:
 * a path is appended to the dashboard's own, and one that could be read as more than a path is not taken.
 */
export function nextPath(search: string): string {
  const next = new URLSearchParams(search).get('next') ?? '/';
  return /^\/(?![/\\])[\w\-/.?=&%]*$/.test(next) ? next : '/';
}

/** The token in the fragment of a link, which no server has seen; empty without one. */
export const tokenIn = (hash: string): string => new URLSearchParams(hash.replace(/^#/, '')).get('token') ?? '';

/**
 * The token of the link that led here. It is taken out of the address, so that it stays neither in the history nor in a screenshot.
 */
export function useLinkToken(): string {
  const [token] = useState(() => tokenIn(location.hash));
  // Not while rendering: a page that is rendered once more on the way to another would take the token from that one.
  useEffect(() => {
    if (location.hash) history.replaceState(history.state, '', location.pathname + location.search);
  }, []);
  return token;
}
